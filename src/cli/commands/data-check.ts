/** `data check`: is a dataset sound, and how do its cues go with the label? */

import type { Command } from "commander";
import { capital } from "../../core/words.ts";
import { checkDataset } from "../../formats/check-dataset.ts";
import { checkPictures } from "../../formats/check-pictures.ts";
import { cueSentences } from "../../formats/checked-cues.ts";
import { checkAnswer, showCheck } from "../../formats/show-check.ts";
import { asText } from "../../reports/as-text.ts";
import { type AnswerOptions, addAnswerOptions, checkReport, writePage } from "../answers.ts";
import { addWorkers } from "../options.ts";
import type { Session } from "../program.ts";
import { addReading, mappingOf, type ReadingOptions } from "../reading-options.ts";

interface CheckCommandOptions extends AnswerOptions, ReadingOptions {
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
  addAnswerOptions(addWorkers(addReading(command)))
    .option("--force", "replace a page that is there already")
    .addHelpText(
      "after",
      `
Exit code 3 means that problems were found.

Examples:
  $ cuelab data check D
  $ cuelab data check waterbirds --cue-columns place --report page.html
  $ cuelab data check photos --image-column path --label-column species --split-column part --json`,
    )
    .action((path: string, options: CheckCommandOptions) => check(path, options, session));
}

async function check(
  path: string,
  options: CheckCommandOptions,
  { console, signal, finishWith }: Session,
): Promise<void> {
  await checkReport(options);
  const mapping = mappingOf(options);
  const progress = console.follow(options.quiet);
  const report = await checkDataset(path, {
    mapping,
    by: options.by,
    workers: options.workers,
    signal,
    onOpened: (count) => progress.begin(`checking ${path}`, count),
    onProgress: progress.update,
  });
  progress.finish();
  const sections = showCheck(report, { crossed: options.groups });
  const pictures = options.report === undefined ? [] : await checkPictures(report, mapping);
  const page = {
    title: "Is this dataset sound, and what goes with its classes?",
    lead: `${path}, looked over image by image.`,
    inShort: [capital(checkAnswer(report)), ...cueSentences(report.cues)].map(asSentence),
    sections: [...sections, ...pictures],
  };
  await writePage(() => page, options, console);
  if (options.json) console.json({ ...report, answer: checkAnswer(report) });
  else console.print(asText(sections, { bold: (text) => console.style("bold", text) }));
  if (!report.ok) finishWith(3);
}

function asSentence(text: string): string {
  return `${text}${text.endsWith(".") ? "" : "."}`;
}
