/** `data bias`: how centred and how large the objects of each class are. */

import { basename, join, resolve } from "node:path";
import type { Command } from "commander";
import { type AccuracyComparison, compareWithAccuracy } from "../../audits/data-bias/correlate.ts";
import { chooseThing, datasetObjects } from "../../audits/data-bias/dataset-objects.ts";
import { type DataBias, measureDataBias } from "../../audits/data-bias/measure.ts";
import { CuelabError } from "../../core/errors.ts";
import { checkFillable, type FillOptions, fillFolder } from "../../disk/fill-folder.ts";
import { biasCsv, biasFiles } from "../../reports/data-bias/report.ts";
import { classTitles, openBoxedPhotos } from "../../sources/boxed-photos.ts";
import { readClassAccuracy } from "../../sources/class-accuracy.ts";
import { namedDataset, seedOfData } from "../named-dataset.ts";
import {
  addMapping,
  addOutputOptions,
  addSettings,
  type MappingOptions,
  mappingOf,
  type OutputOptions,
} from "../options.ts";
import type { Session } from "../program.ts";
import { textTable } from "../text-table.ts";

interface BiasOptions extends OutputOptions, MappingOptions {
  set: string[];
  seed: number;
  thing?: string;
  split?: string;
  boxes?: string;
  synsets?: string;
  accuracy?: string;
  csv?: boolean;
  out?: string;
  force?: boolean;
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
    .option("--split <name>", "images of this split alone (default: all)")
    .option(
      "--accuracy <table>",
      "accuracy by class on backgrounds alone, to correlate with: a CSV of class,accuracy, or what eval --json prints",
    )
    .option("--csv", "print the table as CSV on stdout")
    .option("--out <folder>", "write a page, its figures as SVG and PNG, and the table")
    .option("--force", "replace other files of the same names there");
  addOutputOptions(addMapping(command))
    .addHelpText(
      "after",
      `
Scores are those of "Corner Cases: How Size and Position of Objects Challenge ImageNet-Trained Models": centredness is
1 in the middle and 0.5 at the border; size is the share of the image that the box takes up.

Examples:
  $ cuelab data bias hard-spurious --set content=photographs --out B
  $ cuelab data bias D --split test --csv
  $ cuelab data bias ILSVRC/val --boxes ILSVRC/Annotations/val --synsets LOC_synset_mapping.txt --out B
  $ cuelab data bias D --accuracy backgrounds.json --json`,
    )
    .action((name: string, options: BiasOptions) => bias(name, options, session));
}

async function bias(name: string, options: BiasOptions, session: Session): Promise<void> {
  const { console } = session;
  refuseContradictions(options);
  const filling = { by: "data bias", force: options.force ?? false };
  if (options.out !== undefined) await checkFillable(options.out, [pageName, tableName], filling);
  const accuracies = options.accuracy === undefined ? undefined : await readClassAccuracy(options.accuracy);
  const { title, measured } =
    options.boxes === undefined
      ? await measureDataset(name, options, session)
      : await measurePhotos(name, options.boxes, options.synsets);
  const comparison = accuracies && compareWithAccuracy(measured.classes, accuracies);
  if (options.out !== undefined) {
    await writeReport(options.out, filling, { title, measured, comparison });
    if (!options.quiet) console.note(`wrote ${join(options.out, pageName)}`);
  }
  if (options.json) console.json({ ...measured, ...(comparison && { accuracy: comparison }) });
  else if (options.csv) console.print(biasCsv({ bias: measured, comparison }).trimEnd());
  else console.print(page(title, measured, comparison, (text) => console.style("bold", text)));
}

interface Measured {
  title: string;
  measured: DataBias;
}

async function measureDataset(
  name: string,
  options: BiasOptions,
  { console, signal }: Session,
): Promise<Measured> {
  const dataset = await namedDataset(
    name,
    { set: options.set, ...seedOfData(name, options.seed) },
    mappingOf(options),
  );
  try {
    // Before the progress line begins, which would stand above the error.
    const thing = chooseThing(dataset, options.thing);
    const progress = console.follow(options.quiet);
    progress.begin(`looking at ${name}`, dataset.images.count);
    const onProgress = (done: number) => {
      signal.throwIfAborted();
      progress.update(done);
    };
    const measured = await measureDataBias(
      datasetObjects(dataset, { thing, split: options.split, onProgress }),
    );
    progress.finish();
    return { title: dataset.provenance.title, measured };
  } finally {
    await dataset.images.close?.();
  }
}

/** Boxes alone are read; of images whose size is not told, also their heads. */
async function measurePhotos(images: string, boxes: string, synsets: string | undefined): Promise<Measured> {
  const found = await openBoxedPhotos({ images, boxes, synsets });
  const titles = classTitles(found.classNames, found.title);
  const objects = found.photos.map(({ className, width, height, boxes }, index) => ({
    className: titles.get(className)!,
    width,
    height,
    boxes,
    describe: found.path(index),
  }));
  return { title: basename(resolve(images)), measured: await measureDataBias(objects) };
}

function refuseContradictions(options: BiasOptions): void {
  const refuse = (what: string, todo: string) => {
    throw new CuelabError({ kind: "usage", what, todo });
  };
  if (options.csv && options.json) refuse("--csv and --json both print to stdout", "leave one away");
  if (options.boxes === undefined) {
    if (options.synsets !== undefined) refuse("--synsets has no effect without --boxes", "leave it away");
    return;
  }
  const ofDatasets = { "--set": options.set.length > 0, "--thing": options.thing, "--split": options.split };
  const idle = Object.entries(ofDatasets).find(([, given]) => given);
  if (idle)
    refuse(`${idle[0]} is for datasets; with --boxes the name is a folder of images`, "leave one away");
}

const pageName = "bias.html";
const tableName = "classes.csv";

async function writeReport(
  folder: string,
  filling: FillOptions,
  { title, measured, comparison }: Measured & { comparison: AccuracyComparison | undefined },
): Promise<void> {
  const { page, csv, figures } = await biasFiles({ subject: title, bias: measured, comparison });
  await fillFolder(folder, filling, async (write) => {
    await write(pageName, page);
    await write(tableName, csv);
    for (const [name, { svg, png }] of Object.entries(figures)) {
      await write(`${name}.png`, png);
      await write(`${name}.svg`, svg);
    }
  });
}

/** More rows than this do not help on a screen: the first and the last of them are shown. */
const mostRows = 40;
const endRows = 10;

function page(
  title: string,
  { classes, images, objects, without }: DataBias,
  comparison: AccuracyComparison | undefined,
  bold: (text: string) => string,
): string {
  const number = (n: number) => n.toLocaleString("en");
  const rows = classes.map((one, i) => [
    String(i + 1),
    one.name,
    number(one.images),
    number(one.objects),
    one.centre.toFixed(3),
    one.size.toFixed(3),
    one.product.toFixed(3),
  ]);
  const long = rows.length > mostRows;
  const shown = long ? [...rows.slice(0, endRows), ...rows.slice(-endRows)] : rows;
  const average = (score: "centre" | "size") =>
    (classes.reduce((sum, one) => sum + one[score], 0) / classes.length).toFixed(3);
  return [
    `${bold(title)}: ${number(objects)} objects in ${number(images)} images of ${number(classes.length)} classes`,
    ...(without === 0 ? [] : [`not counted, as they have no box: ${number(without)} images`]),
    `mean over classes: centredness ${average("centre")}, size ${average("size")}`,
    "",
    bold("Classes, highest product of both scores first"),
    textTable(["", "class", "images", "objects", "centredness", "size", "product"], shown),
    ...(long
      ? [`the first and the last ${endRows} of ${number(rows.length)}; all of them: --csv, --json or --out`]
      : []),
    ...(comparison === undefined ? [] : ["", ...accuracyLines(comparison, bold)]),
  ].join("\n");
}

function accuracyLines(
  { correlations, unmatched }: AccuracyComparison,
  bold: (text: string) => string,
): string[] {
  const rows = correlations.map(({ score, kendall, spearman }) => [
    score === "product" ? "centredness × size" : score === "centre" ? "centredness" : "size",
    kendall.tau.toFixed(2),
    kendall.pValue.toFixed(3),
    spearman.rho.toFixed(2),
    spearman.pValue.toFixed(3),
  ]);
  return [
    bold("Correlation with accuracy on backgrounds alone, over classes"),
    textTable(["score", "Kendall's τ", "p", "Spearman's ρ", "p"], rows),
    ...(unmatched.length === 0
      ? []
      : [`not compared, as only one of both is known: ${unmatched.join(", ")}`]),
  ];
}
