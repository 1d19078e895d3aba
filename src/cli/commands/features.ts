/** `cuelab features`: what a network's last layer sees, kept on disk, and last layers trained on it in seconds. */

import { type Command, InvalidArgumentError, Option } from "commander";
import { CuelabError } from "../../core/errors.ts";
import { parseAssignments } from "../../core/settings.ts";
import { methods } from "../../methods/index.ts";
import { models } from "../../models/index.ts";
import { extractFeatures } from "../../training/features/extract-features.ts";
import { extractionFromWords } from "../../training/features/extraction-words.ts";
import { lastLayerSpec } from "../../training/last-layer-words.ts";
import type { RunSpec } from "../../training/run-spec.ts";
import { selectionRules } from "../../training/selection.ts";
import {
  addOutputOptions,
  choice,
  collect,
  given,
  list,
  number,
  type OutputOptions,
  wholeNumber,
} from "../options.ts";
import type { Session } from "../program.ts";
import { addRunOptions, type RunTrainingOptions, runTraining } from "../run-training.ts";
import {
  addDataOptions,
  type DataOptions,
  dataChoiceOf,
  pixelsOption,
  type WeightOptions,
} from "../spec-options.ts";

export function addFeatures(program: Command, session: Session): void {
  const features = program
    .command("features")
    .description("keep what a network's last layer sees, and train last layers on it")
    .addHelpText(
      "after",
      `
Examples:
  $ cuelab features extract R --out F
  $ cuelab features train F --l2 0.001 --out L`,
    );
  addExtract(features, session);
  addTrainLayer(features, session);
}

interface ExtractCommandOptions extends OutputOptions, DataOptions, WeightOptions {
  data?: string;
  model?: string;
  modelSet: string[];
  batchSize: number;
  seed?: number;
  threads: number;
  out: string;
  force?: boolean;
}

function addExtract(features: Command, session: Session): void {
  const command = features
    .command("extract [run]")
    .description(
      "run a network, such as that of a finished run, once over all images of a dataset, and keep its features",
    )
    .addOption(choice("--model <name>", "instead of a run: a network by name", models.names))
    .addOption(collect("--model-set <key=value>", "an option of the network, such as width=16"))
    .option(
      "--weights <file>",
      "its weights (safetensors of torchvision, timm or ours); random ones otherwise",
    )
    .addOption(pixelsOption());
  addDataOptions(command, { required: false })
    .addOption(new Option("--batch-size <n>", "images at a time").argParser(wholeNumber(1, 1e6)).default(64))
    .option("--seed <n>", "of random weights (default: 0)", wholeNumber(0, Number.MAX_SAFE_INTEGER))
    .addOption(
      new Option("--threads <n>", "threads of the runtime").argParser(wholeNumber(1, 256)).default(2),
    )
    .requiredOption("--out <folder>", "where to write features.npy, examples.parquet and features.json")
    .option("--force", "replace features that are there already");
  addOutputOptions(command)
    .addHelpText(
      "after",
      `
Examples:
  $ cuelab features extract R --out F
  $ cuelab features extract --model resnet50 --weights resnet50.safetensors --data D --out F`,
    )
    .action((run: string | undefined, options: ExtractCommandOptions) => extract(run, options, session));
}

async function extract(
  run: string | undefined,
  options: ExtractCommandOptions,
  { console, signal }: Session,
): Promise<void> {
  const spec = await extractionFromWords({ ...options, run, ...dataChoiceOf(options) }, signal, (text) => {
    if (!options.quiet) console.note(text);
  });
  const progress = console.follow(options.quiet);
  const { images, width } = await extractFeatures(spec, {
    out: options.out,
    force: options.force ?? false,
    signal,
    onOpened: (count) => progress.begin(`features of ${spec.model.name}`, count),
    onProgress: progress.update,
  });
  progress.finish();
  if (options.json) console.json({ out: options.out, images, width });
  else console.print(`wrote ${width} features of ${images.toLocaleString("en")} images to ${options.out}`);
}

interface TrainLayerOptions extends RunTrainingOptions {
  method: string;
  methodSet: string[];
  explicit?: string[];
  optimiser?: "adam" | "sgd";
  lr?: number;
  momentum?: number;
  schedule?: "constant" | "cosine";
  epochs?: number;
  batchSize: number | "full";
  l1?: number;
  l2?: number;
  standardise: boolean;
  select?: RunSpec["select"]["by"];
  selectGroups?: string[];
  seed: number;
  threads: number;
}

function rowsAStep(text: string): number | "full" {
  if (text === "full") return text;
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1) return value;
  throw new InvalidArgumentError("Expected a whole number from 1, or full.");
}

function addTrainLayer(features: Command, session: Session): void {
  const command = features
    .command("train <features>")
    .description("train a last layer (logistic regression) on kept features, as a run of its own")
    .addOption(choice("--method <name>", "the method", methods.names).default("erm"))
    .addOption(collect("--method-set <key=value>", "a setting of the method"))
    .option(
      "--explicit <cues>",
      "the cues whose labels the method is given, by commas (default: the dataset's, where it has only one)",
      list,
    )
    .addOption(choice("--optimiser <name>", "(default: adam)", ["adam", "sgd"]))
    .option("--lr <rate>", "learning rate (default: 0.01)", number)
    .option("--momentum <x>", "of sgd (default: 0.9)", number)
    .addOption(choice("--schedule <name>", "of the rate (default: cosine)", ["constant", "cosine"]))
    .option("--epochs <n>", "passes over the training images (default: 20)", wholeNumber(1, 1e6))
    .addOption(
      new Option("--batch-size <n>", "images a step, or full for all of them")
        .argParser(rowsAStep)
        .default(256),
    )
    .option("--l1 <x>", "adds x·Σ|w| to the mean loss; weights become exactly zero (sgd only)", number)
    .option("--l2 <x>", "adds x/2·Σw²", number)
    .option("--no-standardise", "take the features as they are")
    .addOption(choice("--select <rule>", "which epoch to keep (default: last)", ["last", ...selectionRules]))
    .option("--select-groups <attributes>", "for group rules: attributes beside the class, by commas", list)
    .addOption(
      new Option("--seed <n>", "of the order").argParser(wholeNumber(0, Number.MAX_SAFE_INTEGER)).default(0),
    )
    .addOption(
      new Option("--threads <n>", "threads of the runtime").argParser(wholeNumber(1, 256)).default(2),
    );
  addRunOptions(command)
    .addHelpText(
      "after",
      `
Features are standardised by the training images' mean and deviation, and --l1 and --l2 are on the weights of those; the
layer that is kept takes features as they are.
The files are those of 'cuelab train'; model.onnx goes from features to logits.

Examples:
  $ cuelab features train F --l2 0.001 --out L
  $ cuelab features train F --batch-size full --optimiser sgd --lr 1 --l1 0.001 --epochs 200 --out L`,
    )
    .action((path: string, options: TrainLayerOptions) => trainLayer(path, options, session));
}

async function trainLayer(path: string, options: TrainLayerOptions, session: Session): Promise<void> {
  if (options.momentum !== undefined && options.optimiser !== "sgd")
    throw new CuelabError({
      kind: "usage",
      what: "--momentum has no effect without --optimiser sgd",
      todo: "add --optimiser sgd, or leave --momentum away",
    });
  const method = methods.get(options.method);
  const spec = await lastLayerSpec(
    path,
    options,
    {
      method: {
        name: method.name,
        settings: parseAssignments(method.settings, options.methodSet),
        ...given({ explicit: options.explicit }),
      },
      select: given({ by: options.select, groups: options.selectGroups }),
      seed: options.seed,
      threads: options.threads,
    },
    session.signal,
  );
  await runTraining(spec, options, session);
}
