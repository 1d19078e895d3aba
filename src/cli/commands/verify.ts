/** `cuelab verify`: are runs, features, pools and datasets as they were written? */

import type { Command } from "commander";
import { type Verified, verify } from "../../runs/verify.ts";
import { addOutputOptions, addWorkers, type OutputOptions } from "../options.ts";
import type { Session } from "../program.ts";

interface VerifyCommandOptions extends OutputOptions {
  workers: number;
}

export function addVerify(program: Command, { console, signal, finishWith }: Session): void {
  const command = program
    .command("verify <folders...>")
    .description("whether runs, features, pools and datasets are as they were written, byte by byte");
  addOutputOptions(addWorkers(command))
    .addHelpText(
      "after",
      `
Everything of ours in these folders and below: each file against the digest that was written with it, images of datasets by
their pixels. What is missing or damaged is told with how to make it again; files that the program did not write are named, and
are no error. Exit code 0: all is whole; 3: something is damaged.

Examples:
  $ cuelab verify runs
  $ cuelab verify D F pool --json`,
    )
    .action(async (folders: string[], { json, quiet, workers }: VerifyCommandOptions) => {
      const found: Verified[] = [];
      for (const folder of folders) {
        const onFound = (thing: Verified) => {
          if (!quiet && !json) console.note(`${thing.folder}: ${thing.kind}, ${thing.state}`);
        };
        found.push(...(await verify(folder, { workers, signal, onFound })));
      }
      if (json) console.json(found);
      else console.print(verifiedPage(found));
      if (found.some(({ state }) => state === "damaged")) finishWith(3);
    });
}

function verifiedPage(found: readonly Verified[]): string {
  const lines = found.flatMap(({ folder, kind, state, problems, strangers, todo }) => [
    ...(state === "whole" ? [] : [`${folder}: ${kind}, ${state}`]),
    ...problems.map((problem) => `  ${problem}`),
    ...(todo === null ? [] : [`  try: ${todo}`]),
    ...(strangers.length === 0 ? [] : [`${folder}: not ours: ${strangers.join(", ")}`]),
  ]);
  const count = (state: Verified["state"]) => found.filter((thing) => thing.state === state).length;
  const [whole, damaged, unfinished] = [count("whole"), count("damaged"), count("unfinished")];
  const rest = unfinished === 0 ? "" : `, ${unfinished} not finished`;
  return [...lines, `${whole} of ${found.length} whole, ${damaged} damaged${rest}`].join("\n");
}
