/** `cuelab embed`: what a network's features cluster by, in a picture and in numbers. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Command, Option } from "commander";
import {
  type EmbedLabels,
  type EmbedOptions,
  type EmbedReport,
  embedFeatures,
} from "../../audits/embedding/embed.ts";
import type { Dataset } from "../../core/dataset.ts";
import { CuelabError } from "../../core/errors.ts";
import { checkFillable, type FillOptions, fillFolder } from "../../disk/fill-folder.ts";
import { temporaryFolder } from "../../disk/make-folder.ts";
import { checkColumnNames, pointColumns } from "../../formats/own-columns.ts";
import { extractFeatures } from "../../protocol/features/extract-features.ts";
import { chartPng, drawChart } from "../../reports/chart.ts";
import { embeddingChart } from "../../reports/embedding/charts.ts";
import { csvTable } from "../../reports/table-formats.ts";
import { type FeatureSet, readFeatures } from "../../store/feature-folder.ts";
import { addOutputOptions, list, number, type OutputOptions, wholeNumber } from "../options.ts";
import type { Session } from "../program.ts";
import { textTable } from "../text-table.ts";
import { extractionOf } from "./features.ts";

interface EmbedCommandOptions
  extends OutputOptions,
    Pick<EmbedOptions, "points" | "components" | "neighbours" | "minDist" | "standardise" | "seed" | "umap"> {
  id?: string;
  ood: string;
  cues?: string[];
  out?: string;
  force?: boolean;
}

export function addEmbed(program: Command, session: Session): void {
  const command = program
    .command("embed <features>")
    .description("what a network's features cluster by: class or cue? a folder of features, or a run")
    .option("--id <part>", "in-distribution images: a split, or attribute=value (default: val, or train)")
    .option("--ood <part>", "out-of-distribution images, likewise", "test")
    .option("--cues <names>", "attributes to compare with the class, by commas (default: all cues)", list)
    .addOption(
      new Option("--points <n>", "images of either part at most, drawn at random")
        .argParser(wholeNumber(2, 1e5))
        .default(1500),
    )
    .addOption(
      new Option("--components <n>", "principal components to keep")
        .argParser(wholeNumber(2, 4096))
        .default(50),
    )
    .addOption(
      new Option("--neighbours <k>", "of UMAP, and of the agreement")
        .argParser(wholeNumber(2, 1000))
        .default(15),
    )
    .option("--min-dist <x>", "of UMAP: how close points may lie", number, 0.1)
    .option("--standardise", "bring every feature to mean 0 and deviation 1 over ID images first", false)
    .option("--no-umap", "numbers only, in a fraction of the time")
    .addOption(
      new Option("--seed <n>", "same seed, same picture")
        .argParser(wholeNumber(0, Number.MAX_SAFE_INTEGER))
        .default(0),
    )
    .option("--out <folder>", "also write embedding.json, points.csv and figures (SVG, PNG) there")
    .option("--force", "replace other files of the same names there");
  addOutputOptions(command)
    .addHelpText(
      "after",
      `
Principal components and UMAP are fitted to the ID images and applied to the OOD images. The silhouette is 1 where a
labelling parts the features cleanly and 0 where it does not; agreement is the share of an OOD image's nearest ID images
with its own class, or its own cue.

Examples:
  $ cuelab embed F --out E
  $ cuelab embed R --id val --ood test --cues color
  $ cuelab embed F --id environment=0.1 --ood environment=0.9 --no-umap --json`,
    )
    .action((path: string, options: EmbedCommandOptions) => embed(path, options, session));
}

async function embed(path: string, options: EmbedCommandOptions, session: Session): Promise<void> {
  const { console, signal } = session;
  const filling = { by: "embed", force: options.force ?? false };
  if (options.out !== undefined) await checkFillable(options.out, [reportName, pointsName], filling);
  const { dataset, features, width } = await featuresOf(path, options, session);
  const idPart = options.id ?? (indicesOf(dataset, "val").length > 0 ? "val" : "train");
  const labels = [classLabels(dataset), ...cueLabels(dataset, options.cues)];
  if (options.out !== undefined)
    checkColumnNames(
      labels.slice(1).map(({ name }) => name),
      "points",
      { where: path, todo: "name other attributes after --cues, or leave --out away" },
    );
  signal.throwIfAborted();
  const report = await embedFeatures({
    ...options,
    features,
    width,
    id: indicesOf(dataset, idPart),
    ood: indicesOf(dataset, options.ood),
    classes: labels[0]!,
    cues: labels.slice(1),
  });
  const json = { features: path, idPart, oodPart: options.ood, ...report };
  if (options.out !== undefined) await writeFiles(options.out, filling, json, report, labels);
  if (options.json) console.json(json);
  else console.print(embeddingPage(report, idPart, options, (text) => console.style("bold", text)));
}

/** A folder of features as it is; a run's are made for the occasion. */
async function featuresOf(
  path: string,
  { quiet }: EmbedCommandOptions,
  { console, signal }: Session,
): Promise<FeatureSet> {
  if (existsSync(join(path, "features.json")) || !existsSync(join(path, "spec.json")))
    return readFeatures(path);
  const folder = await temporaryFolder("embed");
  try {
    const extraction = { run: path, modelSet: [], set: [], batchSize: 64, threads: 2 };
    const progress = console.follow(quiet);
    const out = join(folder.path, "features");
    await extractFeatures(await extractionOf(extraction, signal), {
      out,
      force: false,
      signal,
      onOpened: (count) => progress.begin("features of the run", count),
      onProgress: progress.update,
    });
    progress.finish();
    return await readFeatures(out);
  } finally {
    await folder.remove();
  }
}

/** A split by its name, or the images with a value of an attribute. */
function indicesOf({ splits, attributes, images }: Dataset, part: string): Uint32Array {
  const all = Uint32Array.from({ length: images.count }, (_, i) => i);
  const split = splits.names.indexOf(part);
  if (split >= 0) return all.filter((i) => splits.values[i] === split);
  if (part === "val" || part === "train") return all.subarray(0, 0);
  const [name = "", value = ""] = part.split(/=(.*)/s);
  const attribute = attributes[name];
  const code = attribute?.valueNames.indexOf(value) ?? -1;
  if (attribute !== undefined && code >= 0) return all.filter((i) => attribute.values[i] === code);
  const known = Object.entries(attributes).map(([key, { valueNames }]) => `${key}=${valueNames[0]}`);
  throw new CuelabError({
    kind: "usage",
    what: `no part of the images is called "${part}"`,
    expected: `a split (${splits.names.join(", ")}) or an attribute's value, such as ${known.join(", ")}`,
  });
}

function classLabels({ labels, classNames }: Dataset): EmbedLabels {
  return { name: "class", valueNames: classNames, values: labels };
}

function cueLabels({ attributes }: Dataset, wanted: string[] | undefined): EmbedLabels[] {
  const names = wanted ?? Object.keys(attributes).filter((name) => attributes[name]!.role === "cue");
  return names.map((name) => {
    const attribute = attributes[name];
    if (attribute) return { name, valueNames: attribute.valueNames, values: attribute.values };
    throw new CuelabError({
      kind: "usage",
      what: `the images have no attribute "${name}"`,
      expected: `one of: ${Object.keys(attributes).join(", ")}`,
    });
  });
}

function embeddingPage(
  { points, components, labels }: EmbedReport,
  idPart: string,
  { ood, neighbours, umap }: EmbedCommandOptions,
  bold: (text: string) => string,
): string {
  const decimal = (value: number | null) => (value === null ? "–" : value.toFixed(3));
  const percent = (value: number) => `${(100 * value).toFixed(1)}%`;
  const rows = labels.map(({ name, silhouette: { id, ood }, agreement }) => [
    name,
    decimal(id.components),
    decimal(ood.components),
    ...(umap ? [decimal(id.picture), decimal(ood.picture)] : []),
    percent(agreement.share),
    `${(100 * agreement.interval.low).toFixed(1)}–${percent(agreement.interval.high)}`,
    percent(agreement.chance),
  ]);
  const header = [
    "by",
    "silhouette ID",
    "OOD",
    ...(umap ? ["in the picture ID", "OOD"] : []),
    `agreement of ${neighbours} nearest`,
    "95% interval",
    "by chance",
  ];
  return [
    `${bold("features")}  ${points.id} ID images (${idPart}), ${points.ood} OOD images (${ood}); ` +
      `${components.kept} components hold ${percent(components.explained)} of the variance`,
    textTable(header, rows),
  ].join("\n\n");
}

const reportName = "embedding.json";
const pointsName = "points.csv";

async function writeFiles(
  out: string,
  filling: FillOptions,
  json: object,
  report: EmbedReport,
  labels: readonly EmbedLabels[],
): Promise<void> {
  const lines = (["id", "ood"] as const).flatMap((part) =>
    report[part].indices.map((index, i) => [
      String(index),
      part,
      ...(report[part].picture[i] ?? ["", ""]).map(String),
      ...labels.map(({ values, valueNames }) => valueNames[values[index]!]!),
    ]),
  );
  const header = [...pointColumns, ...labels.slice(1).map(({ name }) => name)];
  await fillFolder(out, filling, async (write) => {
    await write(reportName, `${JSON.stringify(json, null, 2)}\n`);
    await write(pointsName, csvTable([header, ...lines]));
    if (report.id.picture.length === 0) return;
    for (const column of labels) {
      const svg = await drawChart(embeddingChart(report, column));
      await write(`figures/${column.name}.svg`, svg);
      await write(`figures/${column.name}.png`, await chartPng(svg));
    }
  });
}
