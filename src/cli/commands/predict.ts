/** `cuelab predict`: what a run, or a network with its weights, says of any images. */

import { type Command, Option } from "commander";
import { CuelabError } from "../../core/errors.ts";
import { percentText } from "../../core/words.ts";
import { models } from "../../models/index.ts";
import { parseModelOptions } from "../../models/model.ts";
import { textTable } from "../../reports/text-table.ts";
import type { ModelWords } from "../../training/asked/open-model.ts";
import type { NetworkChoice } from "../../training/asked/run-model.ts";
import { dataWordsOf } from "../../training/named-data.ts";
import { accuracyBySplit, type PredictedData, predictData } from "../../training/predict-data.ts";
import { chosenPixels } from "../../training/weights.ts";
import { addModelOptions, type ModelDoorOptions, modelWordsOf } from "../model-options.ts";
import { addOutputOptions, choice, collect, list, type OutputOptions, wholeNumber } from "../options.ts";
import type { Session } from "../program.ts";
import {
  addDataOptions,
  type DataOptions,
  dataChoiceOf,
  pixelsOption,
  type WeightOptions,
} from "../spec-options.ts";

interface PredictCommandOptions extends OutputOptions, DataOptions, WeightOptions, ModelDoorOptions {
  data: string;
  model?: string;
  modelSet: string[];
  splits?: string[];
  labels: boolean;
  labelMap?: string;
  skipBroken?: boolean;
  batchSize: number;
  threads: number;
  out: string;
  force?: boolean;
}

export function addPredict(program: Command, session: Session): void {
  const command = addModelOptions(
    addDataOptions(
      program
        .command("predict [model]")
        .description(
          "what a run, an ONNX file of anybody's, or a network with its weights says of any images",
        ),
    ),
  )
    .addOption(choice("--model <name>", "instead of a run or file: a network by name", models.names))
    .addOption(collect("--model-set <key=value>", "an option of that network, such as width=16"))
    .option("--weights <file>", "the weights of that network (safetensors of torchvision, timm or ours)")
    .addOption(pixelsOption())
    .option("--splits <names>", "of these alone, by commas (default: all)", list)
    .option("--no-labels", "take the images as nobody has labelled them, also where folders have names")
    .option("--label-map <file>", "which class of the model each class of the data is (json or csv)")
    .option("--skip-broken", "look at all images first, and leave out those that cannot be read")
    .addOption(new Option("--batch-size <n>", "images at a time").argParser(wholeNumber(1, 1e6)).default(64))
    .addOption(
      new Option("--threads <n>", "threads of the runtime").argParser(wholeNumber(1, 256)).default(2),
    )
    .requiredOption("--out <file>", "where to write the table: p.csv for people, or p.parquet")
    .option("--force", "replace a file that is there already");
  addOutputOptions(command)
    .addHelpText(
      "after",
      `
p.csv has a row an image: source_file, predicted, probability, the label where there is one, and a probability a class.
p.parquet has id, source_file, split, y_true, y_pred, a logit a class, the attributes of the data, and what the run was
trained on. 'cuelab eval' reads both. Images of your own are brought to the size that those of the run had.
A run's predictions are those of its model.onnx. Of an ONNX file it is told how pictures are made ready, and what of that is
assumed; docs/predict.md says more. The same command goes on where it was stopped, and ends with the same bytes.

Examples:
  $ cuelab predict R --data D --out p.parquet
  $ cuelab predict R --data urban-cars --set size=64 --splits test --out p.parquet && cuelab eval p.parquet
  $ cuelab predict R --data new --out p.csv
  $ cuelab predict R --data photos --no-labels --out p.parquet
  $ cuelab predict theirs.onnx --data val --classes imagenet.txt --preparation torchvision:resnet50 --out p.parquet
  $ cuelab predict theirs.onnx --data imagenet-r --classes imagenet.txt --subset imagenet-r.txt --out p.parquet
  $ cuelab predict clip/onnx/vision_model.onnx --prompts "a photo of a {}." --data photos --out p.parquet
  $ cuelab predict --model resnet18 --weights w.safetensors --data D --out p.parquet`,
    )
    .action((model: string | undefined, options: PredictCommandOptions) =>
      predictTable(model, options, session),
    );
}

async function predictTable(
  model: string | undefined,
  options: PredictCommandOptions,
  { console, signal }: Session,
): Promise<void> {
  const { out, force = false, labels: labelled } = options;
  checkChoice(model, options);
  const progress = console.follow(options.quiet);
  let [name, begun] = ["", false];
  let texts: ReturnType<Session["console"]["progress"]> | undefined;
  const said = await predictData(model === undefined ? networkOf(options) : askedOf(model, options), {
    data: dataWordsOf(options.data, dataChoiceOf(options)),
    labelled,
    labelMap: options.labelMap,
    skipBroken: options.skipBroken,
    out,
    force,
    signal,
    splits: options.splits,
    batchSize: options.batchSize,
    threads: options.threads,
    shouldStop: () => signal.aborted,
    onRemark: (text) => {
      if (!options.quiet) console.note(text);
    },
    onModel: (opened) => {
      ({ name } = opened);
    },
    onTexts: (done, total) => {
      texts ??= options.quiet ? undefined : console.progress("text embeddings", total, "prompts");
      texts?.update(done);
      if (done === total) texts?.finish();
    },
    onEvaluation: ({ images, totalImages }) => {
      if (!begun) progress.begin(`predictions of ${name}`, totalImages);
      begun = true;
      progress.update(images);
    },
  });
  signal.throwIfAborted();
  progress.finish();
  report(said!, { out, json: options.json }, console);
}

function checkChoice(run: string | undefined, options: PredictCommandOptions): void {
  const { model, weights, modelSet } = options;
  if ((run === undefined) === (model === undefined))
    throw new CuelabError({
      kind: "usage",
      what: "whose predictions?",
      expected: "either a run or an ONNX file, or --model and --weights",
    });
  if (model !== undefined && weights === undefined)
    throw new CuelabError({
      kind: "usage",
      what: "a network by name needs --weights: random ones predict nothing",
    });
  const [idle] = Object.keys(modelWordsOf(options));
  if (run === undefined && idle !== undefined)
    throw new CuelabError({
      kind: "usage",
      what: `--${idle} has no effect with a network by name`,
      todo: "give a run, or an ONNX file",
    });
  if (run !== undefined && (weights !== undefined || modelSet.length > 0))
    throw new CuelabError({
      kind: "usage",
      what: `${weights === undefined ? "--model-set" : "--weights"} has no effect with a run, which has its own`,
    });
}

/** Squares of one size are what --size has brought the pictures to; a run's data is read so by itself. */
function askedOf(model: string, options: PredictCommandOptions): ModelWords {
  const isFile = model.toLowerCase().endsWith(".onnx");
  const { size } = dataChoiceOf(options);
  return { model, ...modelWordsOf(options), ...(isFile && size !== undefined && { size }) };
}

function networkOf({ model, modelSet, weights, pixels }: PredictCommandOptions): NetworkChoice {
  const network = models.get(model!);
  return {
    model: network.name,
    options: parseModelOptions(network, modelSet),
    weights: weights!,
    pixels: pixels && chosenPixels(pixels),
  };
}

function report(
  said: PredictedData,
  { out, json }: { out: string; json: boolean | undefined },
  console: Session["console"],
): void {
  const { classNames } = said.dataset;
  const { predicted } = said;
  const images = said.indices.length;
  if (!said.labelled) {
    const counts = classNames.map((name, code) => ({
      name,
      images: predicted.filter((k) => k === code).length,
    }));
    if (json)
      console.json({
        out,
        images,
        predicted: Object.fromEntries(counts.map((row) => [row.name, row.images])),
      });
    else {
      const rows = counts.map((row) => [row.name, row.images.toLocaleString("en")]);
      console.print(`${textTable(["predicted", "images"], rows)}\n\nwrote ${out}`);
    }
    return;
  }
  const found = accuracyBySplit(said);
  if (json) console.json({ out, images, accuracy: found });
  else {
    const rows = found.map(({ slice, count, accuracy, low, high }) => [
      slice,
      count.toLocaleString("en"),
      percentText(accuracy),
      `${percentText(low)} – ${percentText(high)}`,
    ]);
    const page = textTable(["split", "images", "accuracy", "95% over images"], rows);
    console.print(`${page}\n\nwrote ${out}; groups and cues: cuelab eval ${out}`);
  }
}
