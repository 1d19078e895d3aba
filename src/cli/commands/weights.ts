/** `cuelab weights`: what a file of weights holds, and the same under other names. */

import type { Command } from "commander";
import { CuelabError } from "../../core/errors.ts";
import { models } from "../../models/index.ts";
import { parseModelOptions } from "../../models/model.ts";
import { compareWeights, type WeightComparison } from "../../models/weights/compare-weights.ts";
import { identifyWeights } from "../../models/weights/identify-weights.ts";
import { textTable } from "../../reports/text-table.ts";
import { listSafetensors, type TensorListing } from "../../runs/safetensors.ts";
import { convertWeights } from "../../training/convert-weights.ts";
import { unreadableWeights, weightsPath } from "../../training/weights.ts";
import { aboutOf, isLastLayer, layerInWords } from "../../training/weights-about.ts";
import { addOutputOptions, choice, collect, type OutputOptions } from "../options.ts";
import type { Session } from "../program.ts";

export function addWeights(program: Command, session: Session): void {
  const weights = program
    .command("weights")
    .description("look into files of weights (safetensors), and carry them to and from PyTorch")
    .addHelpText(
      "after",
      `
Examples:
  $ cuelab weights show resnet50.safetensors
  $ cuelab weights export R --out mine.safetensors`,
    );
  addOutputOptions(weights.command("show <file>"))
    .description("the tensors of a file, or of a run, and which networks they fit")
    .addOption(
      choice(
        "--model <name>",
        "instead: all that is missing, extra or misshapen for this network",
        models.names,
      ),
    )
    .addOption(collect("--model-set <key=value>", "an option of that network, such as width=16"))
    .addHelpText(
      "after",
      `
Examples:
  $ cuelab weights show resnet50.safetensors
  $ cuelab weights show mine.safetensors --model resnet18 --model-set stem=small
  $ cuelab weights show R`,
    )
    .action((path: string, options: ShowOptions) => show(path, options, session));
  addOutputOptions(weights.command("export <run>"))
    .description("write the weights of a run, or of a file, under the names that PyTorch's libraries use")
    .requiredOption("--out <file>", "where to write them")
    .addOption(
      choice("--names <whose>", "own are torchvision's, for torchvision's networks", [
        "own",
        "torchvision",
        "timm",
      ]).default("own"),
    )
    .option("--force", "replace a file that is there already")
    .addHelpText(
      "after",
      `
Loading in PyTorch:
  from safetensors.torch import load_file
  network = torchvision.models.resnet18(num_classes=2)
  network.load_state_dict(load_file("mine.safetensors"))

Examples:
  $ cuelab weights export R --out mine.safetensors
  $ cuelab weights export R --names timm --out mine.safetensors`,
    )
    .action((path: string, options: ExportWeightsOptions) => convert(path, options, session));
}

interface ExportWeightsOptions extends OutputOptions {
  out: string;
  names: string;
  force?: boolean;
}

async function convert(
  path: string,
  { names, out, force, json }: ExportWeightsOptions,
  { console }: Session,
) {
  const written = await convertWeights(path, { names, out, force: force ?? false });
  if (json) console.json(written);
  else console.print(`wrote ${written.tensors} tensors of ${written.model} to ${out}`);
}

interface ShowOptions extends OutputOptions {
  model?: string;
  modelSet: string[];
}

async function show(
  given: string,
  { model: name, modelSet, json }: ShowOptions,
  { console }: Session,
): Promise<void> {
  if (name === undefined && modelSet.length > 0)
    throw new CuelabError({ kind: "usage", what: "--model-set has no effect without --model" });
  const path = await weightsPath(given);
  const listing = await listSafetensors(path).catch((cause: unknown) => {
    throw unreadableWeights(cause, path);
  });
  const about = aboutOf(listing.metadata, path);
  const fits = identifyWeights(listing.tensors);
  const model = name === undefined ? undefined : models.get(name);
  const image = about === undefined || isLastLayer(about) ? undefined : about.image;
  const comparison =
    model && compareWeights(model, parseModelOptions(model, modelSet), listing.tensors, image);
  const tensors = [...listing.tensors].map(([key, { shape, type }]) => ({ name: key, shape, type }));
  if (json) {
    console.json({ path, about: about ?? null, fits, tensors, ...(comparison && { comparison }) });
    return;
  }
  const closing = summary(listing, about, fits);
  console.print(comparison === undefined ? tableOf(listing) : comparisonPage(comparison, listing));
  console.print("");
  console.print(closing);
}

function comparisonPage(
  { model, options, names, image, fits, missing, extra, misshapen }: WeightComparison,
  { tensors }: TensorListing,
): string {
  const set = Object.entries(options).map(([key, value]) => ` ${key}=${value}`);
  const of = `${model}${set.join("")} (${names} names, images of ${image.height} × ${image.width})`;
  if (fits) return `all tensors are those of ${of}`;
  const size = (shape: readonly number[] | undefined) =>
    shape === undefined ? "" : shape.join(" × ") || "one number";
  const rows = [
    ...misshapen.map(({ name, expected, got }) => ["misshapen", name, size(got), size(expected)]),
    ...missing.map((name) => ["missing", name, "", ""]),
    ...extra.map((name) => ["extra", name, size(tensors.get(name)?.shape), ""]),
  ];
  const counts = `${misshapen.length} misshapen, ${missing.length} missing, ${extra.length} extra`;
  return `${textTable(["", "tensor", "has", "should have"], rows)}\n\n${counts} for ${of}`;
}

function tableOf({ tensors }: TensorListing): string {
  const rows = [...tensors].map(([name, { shape, type }]) => [name, type, shape.join(" × ") || "one number"]);
  return textTable(["tensor", "type", "shape"], rows);
}

function summary(
  { tensors }: TensorListing,
  about: ReturnType<typeof aboutOf>,
  fits: ReturnType<typeof identifyWeights>,
): string {
  const count = [...tensors.values()].reduce(
    (total, { shape }) => total + shape.reduce((product, n) => product * n, 1),
    0,
  );
  const lines = [`${tensors.size} tensors, ${count.toLocaleString("en")} numbers`];
  if (about !== undefined && isLastLayer(about)) lines.push(`written by Cuelab: ${layerInWords(about)}`);
  else if (about !== undefined) {
    const options = Object.entries(about.options).map(([key, value]) => ` ${key}=${value}`);
    lines.push(
      `written by Cuelab: ${about.model}${options.join("")}, classes ${about.classNames.join(", ")}`,
    );
  }
  for (const { model, options, names, prefix, classes } of fits) {
    const set = Object.entries(options).map(([key, value]) => ` --model-set ${key}=${value}`);
    const head = classes === null ? "without a head of the usual form" : `${classes} classes`;
    lines.push(
      `fits --model ${model}${set.join("")} (${names} names${prefix === "" ? "" : ` behind "${prefix}"`}, ${head})`,
    );
  }
  if (about === undefined && fits.length === 0) lines.push("fits no network of 'cuelab train' as published");
  return lines.join("\n");
}
