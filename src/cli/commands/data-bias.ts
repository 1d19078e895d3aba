/** `data bias`: how centred and how large the objects of each class are. */

import { join } from "node:path";
import type { Command } from "commander";
import { CuelabError } from "../../core/errors.ts";
import { checkFillable } from "../../disk/fill-folder.ts";
import { asCsv } from "../../reports/as-csv.ts";
import { seedOfData } from "../../training/named-data.ts";
import {
  type AnswerOptions,
  addAnswerOptions,
  answerHooks,
  checkReport,
  printAnswer,
  writeAnswer,
} from "../answers.ts";
import { addSettings, excelWords } from "../options.ts";
import type { Session } from "../program.ts";
import { addReading, type ReadingOptions, readingOf } from "../reading-options.ts";

interface BiasOptions extends AnswerOptions, ReadingOptions {
  set: string[];
  seed: number;
  thing?: string;
  onSplit?: string;
  boxes?: string;
  synsets?: string;
  accuracy?: string;
  compare?: string;
  csv?: boolean;
  excel?: boolean;
  out?: string;
}

export function addBias(data: Command, session: Session): void {
  const command = data
    .command("bias <name>")
    .description("how centred and how large the objects of each class are, in a dataset with boxes");
  addSettings(command)
    .option(
      "--boxes <path>",
      "boxes of a folder of images: a folder of PASCAL VOC XML files, a .csv or a COCO .json",
    )
    .option("--synsets <file>", "with XML files: ImageNet's list of ids and words, to name classes by words")
    .option("--thing <name>", "whose boxes, where the dataset has those of several things")
    .option("--on-split <name>", "images of this split alone (default: all)")
    .option(
      "--accuracy <table>",
      "accuracy by class on backgrounds alone, to correlate with: a CSV of class,accuracy, or what eval --json prints",
    )
    .option(
      "--compare <path>",
      "with --boxes: other boxes of the same images, such as a detector's; how far both agree",
    )
    .option("--csv", "print the table as CSV on stdout")
    .option("--excel", excelWords)
    .option("--out <folder>", "write a page, its figures as SVG and PNG, and the table")
    .option("--force", "replace other files of the same names there");
  addAnswerOptions(addReading(command))
    .addHelpText(
      "after",
      `
Scores are those of "Corner Cases: How Size and Position of Objects Challenge ImageNet-Trained Models": centredness is
1 in the middle and 0.5 at the border; size is the share of the image that the box takes up.

Examples:
  $ cuelab data bias hard-spurious --set content=photographs --out B
  $ cuelab data bias D --on-split test --csv
  $ cuelab data bias ILSVRC/val --boxes ILSVRC/Annotations/val --synsets LOC_synset_mapping.txt --out B
  $ cuelab data bias ILSVRC/val --boxes ILSVRC/Annotations/val --compare detected.json --out B
  $ cuelab data bias D --accuracy backgrounds.json --json`,
    )
    .action((name: string, options: BiasOptions) => bias(name, options, session));
}

async function bias(name: string, options: BiasOptions, session: Session): Promise<void> {
  const { console } = session;
  refuseContradictions(options);
  await checkReport(options);
  const { out, thing, onSplit: split, boxes, synsets, compare, set, seed, accuracy } = options;
  const asked = { by: "data bias", force: options.force ?? false };
  const filling = out === undefined ? asked : await checkFillable(out, ["bias.html"], asked);
  // All commands about data are loaded together, and this one needs more than the others.
  const { answerOf, classTable, dataBiasAudit, openSubject } = await import("../ask-data-bias.ts");
  const hooks = answerHooks(options, session);
  const { subject, close } = await openSubject("objects", [name], {
    ...hooks,
    set,
    dataSeed: seedOfData(name, seed).dataSeed,
    reading: readingOf(options),
    thing,
    split,
    boxes,
    synsets,
    compare,
  });
  try {
    const answered = await answerOf(dataBiasAudit, { accuracy }, subject, hooks);
    if (out !== undefined) await writeAnswer(answered, { name: "bias", out, filling });
    if (out !== undefined && !options.quiet) console.note(`wrote ${join(out, "bias.html")}`);
    if (options.csv) console.data(asCsv(classTable(answered.answer), { excel: options.excel }).trimEnd());
    else await printAnswer(answered, options, session);
  } finally {
    await close();
  }
}

function refuseContradictions(options: BiasOptions): void {
  const refuse = (what: string, todo: string) => {
    throw new CuelabError({ kind: "usage", what, todo });
  };
  if (options.excel && !options.csv) refuse("--excel has no effect without --csv", "leave it away");
  if (options.csv && options.json) refuse("--csv and --json both print to stdout", "leave one away");
  if (options.boxes === undefined) {
    if (options.synsets !== undefined) refuse("--synsets has no effect without --boxes", "leave it away");
    if (options.compare !== undefined)
      refuse("--compare is for a folder of images with --boxes", "give --boxes, or leave it away");
    return;
  }
  const ofDatasets = {
    "--set": options.set.length > 0,
    "--thing": options.thing,
    "--on-split": options.onSplit,
    "reading images in another way": Object.keys(readingOf(options)).length > 0,
  };
  const idle = Object.entries(ofDatasets).find(([, given]) => given);
  if (idle)
    refuse(`${idle[0]} is for datasets; with --boxes the name is a folder of images`, "leave one away");
}
