/** `data check`: is a dataset sound, and how do its cues go with the label? */

import type { Command } from "commander";
import { checkDataset } from "../../formats/check-dataset.ts";
import { showCheck } from "../../formats/show-check.ts";
import type { Preparation } from "../../layouts/preparation.ts";
import { asText } from "../../reports/as-text.ts";
import {
  addMapping,
  addOutputOptions,
  addPreparation,
  addWorkers,
  type MappingOptions,
  mappingOf,
  type OutputOptions,
} from "../options.ts";
import type { Session } from "../program.ts";

interface CheckCommandOptions extends OutputOptions, MappingOptions, Preparation {
  workers: number;
  by?: string;
  groups?: boolean;
}

export function addCheck(data: Command, session: Session): void {
  const command = data
    .command("check <path>")
    .description("validate a dataset in any format, or your own folder, table, shards, npz or IDX file")
    .option("--by <attribute>", "also give statistics for each value of this attribute")
    .option("--groups", "also images by class and all attributes crossed");
  addOutputOptions(addWorkers(addPreparation(addMapping(command))))
    .addHelpText(
      "after",
      `
Exit code 3 means that problems were found.

Examples:
  $ cuelab data check D
  $ cuelab data check waterbirds --cue-columns place
  $ cuelab data check photos --image-column path --label-column species --split-column part --json`,
    )
    .action((path: string, options: CheckCommandOptions) => check(path, options, session));
}

async function check(
  path: string,
  options: CheckCommandOptions,
  { console, signal, finishWith }: Session,
): Promise<void> {
  const progress = console.follow(options.quiet);
  const report = await checkDataset(path, {
    mapping: mappingOf(options, options),
    by: options.by,
    workers: options.workers,
    signal,
    onOpened: (count) => progress.begin(`checking ${path}`, count),
    onProgress: progress.update,
  });
  progress.finish();
  if (options.json) console.json(report);
  else
    console.print(
      asText(showCheck(report, { crossed: options.groups }), { bold: (text) => console.style("bold", text) }),
    );
  if (!report.ok) finishWith(3);
}
