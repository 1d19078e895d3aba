/** `cuelab train`: one network, one method, one dataset, one seed. */

import { type Command, InvalidArgumentError, Option } from "commander";
import { CuelabError } from "../../core/errors.ts";
import { parseAssignments } from "../../core/settings.ts";
import { methods } from "../../methods/index.ts";
import { models } from "../../models/index.ts";
import { type Model, parseModelOptions } from "../../models/model.ts";
import { parseSelection } from "../../training/choose-kept.ts";
import { dataWordsOf } from "../../training/named-data.ts";
import type { RunSpec } from "../../training/run-spec.ts";
import { selectionRules } from "../../training/selection.ts";
import { type RunWords, specWithRemarks } from "../../training/spec-words.ts";
import { parseAugmentations } from "../../views/augmentations.ts";
import { views } from "../../views/index.ts";
import { choice, collect, given, list, number, wholeNumber } from "../options.ts";
import type { Session } from "../program.ts";
import { addRunOptions, type RunTrainingOptions, runTraining } from "../run-training.ts";
import {
  addDataOptions,
  addHeldOutOptions,
  type DataOptions,
  dataChoiceOf,
  type HeldOutOptions,
  heldOutWordsOf,
  pixelsOption,
  type WeightOptions,
} from "../spec-options.ts";

interface TrainCommandOptions extends RunTrainingOptions, DataOptions, HeldOutOptions, WeightOptions {
  data: string;
  model: string;
  modelSet: string[];
  freshHead?: boolean;
  freeze?: string[];
  method: string;
  methodSet: string[];
  explicit?: string[];
  preset?: string;
  epochs?: number;
  steps?: number;
  measure?: number[];
  batchSize?: number;
  optimiser?: RunSpec["optimiser"]["name"];
  lr?: number;
  weightDecay?: number;
  momentum?: number;
  nesterov?: boolean;
  schedule?: RunSpec["schedule"]["name"];
  milestones?: number[];
  warmUp?: number;
  clip?: number;
  ema?: number;
  augment?: string[];
  augmentSet: string[];
  select?: RunSpec["select"]["by"];
  selectGroups?: string[];
  selectAlpha?: number;
  alsoSelect: string[];
  patience?: number;
  seed: number;
  device: RunSpec["device"];
  threads: number;
}

const steps = wholeNumber(1, 1e9);

function layerNames(text: string): string[] {
  const names = list(text);
  if (!names.includes("")) return names;
  throw new InvalidArgumentError("Expected names by commas, none of them empty.");
}

export function addTrain(program: Command, session: Session): void {
  const command = addHeldOutOptions(
    addDataOptions(
      program
        .command("train")
        .description("train a network on a dataset, and write its history, predictions and model"),
    ),
  )
    .addOption(choice("--model <name>", "the network, or an .onnx file", models.names).makeOptionMandatory())
    .addOption(collect("--model-set <key=value>", "an option of the network, such as width=16"))
    .option(
      "--weights <file>",
      "begin with these (safetensors of torchvision, timm or ours), or with a run's",
    )
    .option("--fresh-head", "begin the last layer anew, for other classes than those of --weights")
    .option(
      "--freeze <layers>",
      "keep these as they are, by commas: backbone, or the first parts of names up to a dot, such as layer1 or layer1.0",
      layerNames,
    )
    .addOption(pixelsOption())
    .addOption(choice("--method <name>", "the method", methods.names).default("erm"))
    .addOption(collect("--method-set <key=value>", "a setting of the method"))
    .option(
      "--explicit <cues>",
      "the cues whose labels the method is given, by commas (default: the dataset's, where it has only one)",
      list,
    )
    .option("--preset <name>", "begin with what a paper used for this method, such as biased-mnist")
    .option("--epochs <n>", "passes over the training images (default: 10)", wholeNumber(1, 1e6))
    .option("--steps <n>", "end after so many, within an epoch if need be (default: as epochs say)", steps)
    .option("--batch-size <n>", "images a step (default: 64)", wholeNumber(1, 1e6))
    .addOption(choice("--optimiser <name>", "(default: adam)", ["adam", "adamw", "sgd"]))
    .option("--lr <rate>", "learning rate (default: 0.001)", number)
    .option("--weight-decay <x>", "L2, decoupled for adamw (default: 0)", number)
    .option("--momentum <x>", "of sgd (default: 0.9)", number)
    .option("--nesterov", "for sgd")
    .addOption(choice("--schedule <name>", "of the rate (default: constant)", ["constant", "cosine", "step"]))
    .option("--milestones <epochs>", "for --schedule step, by commas", (text) => list(text).map(Number))
    .option("--warm-up <steps>", "raise the rate over the first steps", wholeNumber(0, 1e9))
    .option("--clip <norm>", "limit the length of the gradient", number)
    .option("--ema <decay>", "evaluate and keep an exponential average of the weights", number)
    .option("--augment <names>", `views of training images, by commas: ${views.names.join(", ")}`, list)
    .addOption(
      collect("--augment-set <key=value>", "a setting of one of these views, such as mixup.alpha=0.1"),
    )
    .addOption(choice("--select <rule>", "which epoch to keep (default: last)", ["last", ...selectionRules]))
    .option("--select-groups <attributes>", "for group rules: attributes beside the class, by commas", list)
    .option("--select-alpha <α>", "for val-alpha: the power of the training priors", number)
    .addOption(
      collect(
        "--also-select <rule>",
        "keep the best epoch under this rule, too: val-worst-class, or val-worst-group:place with its groups",
      ),
    )
    .option(
      "--measure <steps>",
      "write accuracies after these steps, by commas, to checkpoints.csv",
      (text) => list(text).map(steps),
    )
    .option("--patience <epochs>", "stop after so many epochs without a better one", wholeNumber(1, 1e6))
    .option(
      "--seed <n>",
      "of weights, order and changes; same seed, same bytes",
      wholeNumber(0, Number.MAX_SAFE_INTEGER),
      0,
    )
    .addOption(
      choice("--device <name>", "where to compute", ["cpu", "cuda", "webgpu", "auto"]).default("cpu"),
    )
    .addOption(
      new Option("--threads <n>", "threads of the runtime; same threads, same bytes")
        .argParser(wholeNumber(1, 256))
        .default(2),
    );
  addRunOptions(command)
    .addHelpText(
      "after",
      `
An interrupted run goes on when the same command is given again, and ends with the same bytes as if nothing had
happened. Files: spec.json, history.csv, predictions.parquet, model.onnx, weights.safetensors, results.json and, last,
manifest.json. With an environment held out, training takes the in parts of the others, validation their out parts, and
test the out part of the one held out; a fifth of each is kept out where the data has no parts of its own. Frozen layers behave as in evaluation: their batch normalisation uses its running statistics.

Examples:
  $ cuelab train --data colored-mnist --model mnist-convnet --epochs 2 --seed 1 --out R
  $ cuelab train --data colored-mnist --set trainPerEnvironment=1000 --model small-cnn --model-set width=8 --out R2
  $ cuelab train --data D --model resnet18 --optimiser sgd --lr 0.01 --schedule cosine --augment crop,flip --out R3
  $ cuelab train --data photos --size 64 --split 0.8,0.1,0.1 --model small-cnn --out P
  $ cuelab train --data colored-mnist --hold-out 0.1 --model small-cnn --steps 600 --measure 10,100,600 --out H
  $ cuelab train --data colored-mnist --model mlp --method group-dro --explicit color --out G
  $ cuelab train --data D --model resnet50 --weights resnet50.safetensors --fresh-head --freeze backbone --out R4`,
    )
    .action((options: TrainCommandOptions) => train(options, session));
}

async function train(options: TrainCommandOptions, session: Session): Promise<void> {
  const note = (text: string) => {
    if (!options.quiet) session.console.note(text);
  };
  const spec = await specWithRemarks(wordsOf(options), note, session.signal);
  await runTraining(spec, options, session);
}

/** The options in the words of a spec. */
function wordsOf(options: TrainCommandOptions): RunWords {
  const model = models.get(options.model);
  const method = methods.get(options.method);
  const data = dataWordsOf(options.data, dataChoiceOf(options));
  return {
    data: { ...data, ...heldOutWordsOf(options, data) },
    model: { name: model.name, options: parseModelOptions(model, headWords(options, model)) },
    method: {
      name: method.name,
      settings: parseAssignments(method.settings, options.methodSet),
      ...given({ explicit: options.explicit, preset: options.preset }),
    },
    ...beginningOf(options, model),
    optimiser: given({
      name: options.optimiser,
      rate: options.lr,
      weightDecay: options.weightDecay,
      momentum: options.momentum,
      nesterov: options.nesterov,
    }),
    select: given({ by: options.select, groups: options.selectGroups, alpha: options.selectAlpha }),
    ...(options.alsoSelect.length > 0 && {
      alsoSelect: options.alsoSelect.map(parseSelection) as NonNullable<RunWords["alsoSelect"]>,
    }),
    schedule: given({ name: options.schedule, milestones: options.milestones, warmUpSteps: options.warmUp }),
    ...given({
      clipNorm: options.clip,
      averageDecay: options.ema,
      augment: augmentationsOf(options),
      epochs: options.epochs,
      steps: options.steps,
      measureSteps: options.measure,
      batchSize: options.batchSize,
      patience: options.patience,
    }),
    seed: options.seed,
    device: options.device,
    threads: options.threads,
  };
}

/** Left to the preset where nothing is said. */
function augmentationsOf({ augment, augmentSet }: TrainCommandOptions) {
  if (augment === undefined && augmentSet.length === 0) return undefined;
  return parseAugmentations(augment ?? [], augmentSet);
}

/** Whether a network comes with a last layer that has learned. */
function hasOwnHead({ defaults }: Model): boolean {
  return defaults.head === "stored";
}

function headWords({ modelSet, freshHead }: TrainCommandOptions, model: Model): string[] {
  return freshHead && hasOwnHead(model) ? [...modelSet, "head=fresh"] : modelSet;
}

/** Where the network begins, and what of it stays. */
function beginningOf({ freshHead, freeze, weights, pixels }: TrainCommandOptions, model: Model) {
  if (freshHead && weights === undefined && !hasOwnHead(model))
    throw new CuelabError({
      kind: "usage",
      what: "--fresh-head has no effect without --weights",
      todo: "all heads begin anew then; leave it away, or add --weights",
    });
  return {
    ...(weights !== undefined && { weights: { path: weights, ...given({ freshHead }) } }),
    ...given({ pixels, freeze }),
  };
}
