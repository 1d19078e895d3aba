/** Nothing leaves the machine: no command asks for a connection, or writes outside the folders that it was given. */

import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Command } from "commander";
import { expect, test } from "vitest";
import { audits } from "../src/audits/index.ts";
import { temporaryFolder } from "./helpers/files.ts";
import { programHere } from "./helpers/in-process.ts";
import { tracedCommands } from "./trace/commands.ts";
import { traced, workplace } from "./trace/trace.ts";

const root = temporaryFolder();
const program = resolve(import.meta.dirname, "../dist/program/main.js");
const place = workplace(join(root, "commands"));

/** Of the command tree, those that do something. */
function commandsIn(command: Command, path: readonly string[] = []): string[] {
  if (command.commands.length === 0) return [path.join(" ")];
  return command.commands.flatMap((child) => commandsIn(child as Command, [...path, child.name()]));
}

test("every command has a traced case", async () => {
  const traced = new Set(tracedCommands.map(({ command }) => command));
  expect([...traced].sort()).toEqual(commandsIn(await programHere()).sort());
});

test("every audit has a traced case", () => {
  // The command of that name asks it.
  const asked = tracedCommands
    .filter(({ command }) => command === "audit ask")
    .map(({ words }) => words.split(" ")[0]!);
  expect([...asked, "data-bias"].sort()).toEqual(audits.names.toSorted());
});

test("the trap sees connections, names and files, in processes and threads too", async () => {
  const leaky = workplace(join(root, "leaky"));
  const script = join(leaky.work, "leaks.mjs");
  writeFileSync(
    script,
    `import { fork } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { Worker, isMainThread } from "node:worker_threads";
import { connect } from "node:net";
import { lookup } from "node:dns";
const who = process.argv[2];
connect(9, "127.0.0.1").on("error", () => {});
lookup("localhost", () => {});
await writeFile(process.env.HOME + "/" + who, "");
if (who === "main") {
  fork(import.meta.filename, ["child"]);
  new Worker(import.meta.filename, { argv: ["thread"], execArgv: [] });
}
`,
  );
  const found = await traced({ words: "main" }, script, leaky, "trap");
  expect([found.code, found.stderr]).toEqual([0, ""]);
  expect(found.outside.sort()).toEqual(["child", "main", "thread"].map((who) => join(leaky.home, who)));
  expect(found.left.sort()).toEqual(["child", "main", "thread"]);
  expect(found.network.filter((line) => line.startsWith("connect"))).toHaveLength(3);
  expect(found.network.filter((line) => line === "look-up localhost")).toHaveLength(3);
});

// All of them, and native code: npm run trace.
test.each(tracedCommands.filter(({ short }) => short))("cuelab $command", async (one) => {
  const words = `${one.command} ${one.words}`;
  const { code, stderr, seen, network, outside, left } = await traced(
    { ...one, words },
    program,
    place,
    "trap",
  );
  expect([code, network, outside, left], stderr).toEqual([0, [], [], []]);
  if (one.command !== "data check") expect(seen).toBeGreaterThan(0);
});
