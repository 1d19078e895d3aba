/** `cuelab features`: what a network's last layer sees, kept on disk, and last layers trained on it in seconds. */

import { type Command, InvalidArgumentError, Option } from "commander";
import { CuelabError } from "../../core/errors.ts";
import { parseAssignments } from "../../core/settings.ts";
import { methods } from "../../methods/index.ts";
import { models } from "../../models/index.ts";
import type { FeatureType } from "../../runs/features-about.ts";
import { type AskedExtraction, extractFromOnnx } from "../../training/features/asked-source.ts";
import { type ExtractOptions, extractFeatures } from "../../training/features/extract-features.ts";
import { extractionFromWords } from "../../training/features/extraction-words.ts";
import { parseViews } from "../../training/features/view-parts.ts";
import { lastLayerSpec } from "../../training/last-layer-words.ts";
import { dataWordsOf } from "../../training/named-data.ts";
import type { RunSpec } from "../../training/run-spec.ts";
import { selectionRules } from "../../training/selection.ts";
import { parseAugmentations } from "../../views/augmentations.ts";
import { views } from "../../views/index.ts";
import { addModelOptions, type ModelDoorOptions, modelWordsOf } from "../model-options.ts";
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

interface ExtractCommandOptions extends OutputOptions, DataOptions, WeightOptions, ModelDoorOptions {
  data?: string;
  model?: string;
  modelSet: string[];
  layer?: string;
  splits?: string[];
  views: string[];
  viewSet: string[];
  copies?: number;
  type: FeatureType;
  batchSize: number;
  seed?: number;
  threads: number;
  out: string;
  force?: boolean;
}

function addExtract(features: Command, session: Session): void {
  const command = features
    .command("extract [model]")
    .description(
      "run a network, such as that of a finished run or anybody's ONNX file, once over all images of a dataset, and keep what its last layer takes",
    )
    .addOption(choice("--model <name>", "instead of a run or file: a network by name", models.names))
    .addOption(collect("--model-set <key=value>", "an option of that network, such as width=16"))
    .option(
      "--weights <file>",
      "its weights (safetensors of torchvision, timm or ours); random ones otherwise",
    )
    .addOption(pixelsOption())
    .option(
      "--layer <name>",
      "of an ONNX file: the value that counts as features (default: what its last linear layer takes)",
    );
  addModelOptions(addDataOptions(command, { required: false }))
    .option("--splits <names>", "of these alone, by commas (default: all)", list)
    .option(
      "--views <names>",
      `also of training images as views change them, by commas, several on one image by +: ${views.names.join(", ")}`,
      list,
      [],
    )
    .addOption(collect("--view-set <key=value>", "a setting of one of these views, such as mixup.alpha=0.1"))
    .option("--copies <n>", "how often each view changes each image (default: 1)", wholeNumber(1, 1e4))
    .addOption(
      choice("--type <name>", "float16 takes half the room, and is true to a part in 2,000", [
        "float32",
        "float16",
      ]).default("float32"),
    )
    .addOption(new Option("--batch-size <n>", "images at a time").argParser(wholeNumber(1, 1e6)).default(64))
    .option("--seed <n>", "of views and random weights (default: 0)", wholeNumber(0, Number.MAX_SAFE_INTEGER))
    .addOption(
      new Option("--threads <n>", "threads of the runtime").argParser(wholeNumber(1, 256)).default(2),
    )
    .requiredOption("--out <folder>", "where to write features.npy, examples.parquet and features.json")
    .option("--force", "replace features that are there already");
  addOutputOptions(command)
    .addHelpText(
      "after",
      `
The same command goes on where it was stopped or killed, and ends with the same bytes. The network's own last layer is kept
beside the features where it is one for the data's classes.

Examples:
  $ cuelab features extract R --out F
  $ cuelab features extract R --views background-swap,mixup,crop+flip --copies 3 --out F
  $ cuelab features extract theirs.onnx --data photos --type float16 --out F
  $ cuelab features extract --model resnet50 --weights resnet50.safetensors --data D --out F`,
    )
    .action((run: string | undefined, options: ExtractCommandOptions) => extract(run, options, session));
}

async function extract(
  given: string | undefined,
  options: ExtractCommandOptions,
  { console, signal }: Session,
): Promise<void> {
  const { views: words, viewSet, copies, type, splits, out, force = false } = options;
  checkViews(options);
  const onRemark = (text: string) => {
    if (!options.quiet) console.note(text);
  };
  const progress = console.follow(options.quiet);
  const how = {
    out,
    force,
    type,
    splits,
    views: parseViews(words, viewSet),
    copies,
    signal,
    onRemark,
    onProgress: progress.update,
  };
  const begin = (name: string) => (rows: number) => progress.begin(`features of ${name}`, rows);
  const isFile = given?.toLowerCase().endsWith(".onnx") === true;
  const { images, width, viewed, head } = isFile
    ? await extractFromOnnx(onnxWords(given, options), { ...how, onOpened: begin(given) })
    : await extractOwn(given, options, { ...how, onOpened: begin(options.model ?? "the run") }, onRemark);
  progress.finish();
  if (options.json) console.json({ out, images, width, viewed, head });
  else {
    const ofViews = viewed === 0 ? "" : ` and ${viewed.toLocaleString("en")} views of them`;
    const layer = head ? "; its own last layer is beside them" : "";
    console.print(
      `wrote ${width} features of ${images.toLocaleString("en")} images${ofViews} to ${out}${layer}`,
    );
  }
}

function extractOwn(
  run: string | undefined,
  options: ExtractCommandOptions,
  how: ExtractOptions,
  onRemark: (text: string) => void,
) {
  refuseIdle([...Object.keys(modelWordsOf(options)), ...(options.layer === undefined ? [] : ["layer"])], {
    with: "a run or a network by name",
    todo: "give an .onnx file, such as the run's model.onnx",
  });
  return extractionFromWords({ ...options, run, ...dataChoiceOf(options) }, how.signal, onRemark).then(
    (spec) => extractFeatures(spec, how),
  );
}

function onnxWords(file: string, options: ExtractCommandOptions): AskedExtraction {
  const { data, layer, batchSize, threads, seed, model, modelSet, weights, pixels } = options;
  if (data === undefined)
    throw new CuelabError({ kind: "usage", what: "features of which images?", expected: "--data" });
  const idle = { model, weights, pixels, "model-set": modelSet.length > 0 || undefined };
  refuseIdle(
    Object.entries(idle).flatMap(([name, value]) => (value === undefined ? [] : [name])),
    { with: "an ONNX file", todo: "leave it away" },
  );
  const choice = dataChoiceOf(options);
  const { size } = choice;
  return {
    model: { model: file, ...modelWordsOf(options), ...(size !== undefined && { size }) },
    data: dataWordsOf(data, choice),
    layer,
    batchSize,
    threads,
    seed,
  };
}

function refuseIdle(names: readonly string[], { with: other, todo }: { with: string; todo: string }): void {
  const [idle] = names;
  if (idle !== undefined)
    throw new CuelabError({ kind: "usage", what: `--${idle} has no effect with ${other}`, todo });
}

/** An option without effect is a mistake that nobody would notice. */
function checkViews({ views: words, viewSet, copies }: ExtractCommandOptions): void {
  if (words.length > 0) return;
  refuseIdle([...(copies === undefined ? [] : ["copies"]), ...(viewSet.length > 0 ? ["view-set"] : [])], {
    with: "images as they are",
    todo: "name views with --views",
  });
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
  weightDecay?: number;
  fromHead?: boolean;
  solve?: boolean;
  augment: string[];
  augmentSet: string[];
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
    .option("--weight-decay <x>", "of the optimiser, on all it moves (default: 0)", number)
    .option("--solve", "solve the problem to its end, for methods whose loss is a sum over images")
    .option("--from-head", "begin with the network's own last layer, where the features come with it")
    .option(
      "--augment <names>",
      "learn from changed images, by commas: those that were extracted with --views of the same name",
      list,
      [],
    )
    .addOption(
      collect("--augment-set <key=value>", "a setting of one of these views, as they were extracted with it"),
    )
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
  $ cuelab features train F --method group-dro --optimiser sgd --lr 1e-3 --weight-decay 1e-4 --batch-size 1024 --from-head --out L
  $ cuelab features train F --method subg --solve --l2 0.01 --out L
  $ cuelab features train F --augment mixup --out L
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
      augment: parseAugmentations(options.augment, options.augmentSet),
      seed: options.seed,
      threads: options.threads,
    },
    session.signal,
  );
  await runTraining(spec, options, session);
}
