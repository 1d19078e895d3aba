/** `cuelab predict`: what a run, or a network with its weights, says of any images. */

import { type Command, Option } from "commander";
import { CuelabError } from "../../core/errors.ts";
import { percentText } from "../../core/words.ts";
import { models } from "../../models/index.ts";
import { parseModelOptions } from "../../models/model.ts";
import { textTable } from "../../reports/text-table.ts";
import { perhapsRun } from "../../runs/find-run.ts";
import { predictedClasses } from "../../runs/predictions.ts";
import type { NetworkChoice } from "../../training/asked/run-model.ts";
import { dataWordsOf } from "../../training/named-data.ts";
import { accuracyBySplit, type PredictedData, predictData } from "../../training/predict-data.ts";
import { chosenPixels } from "../../training/weights.ts";
import { addOutputOptions, choice, collect, list, type OutputOptions, wholeNumber } from "../options.ts";
import type { Session } from "../program.ts";
import {
  addDataOptions,
  type DataOptions,
  dataChoiceOf,
  pixelsOption,
  type WeightOptions,
} from "../spec-options.ts";

interface PredictCommandOptions extends OutputOptions, DataOptions, WeightOptions {
  data: string;
  model?: string;
  modelSet: string[];
  splits?: string[];
  labels: boolean;
  skipBroken?: boolean;
  batchSize: number;
  threads: number;
  out: string;
  force?: boolean;
}

export function addPredict(program: Command, session: Session): void {
  const command = addDataOptions(
    program
      .command("predict [run]")
      .description("what a finished run, or a network with its weights, says of any images"),
  )
    .addOption(choice("--model <name>", "instead of a run: a network by name", models.names))
    .addOption(collect("--model-set <key=value>", "an option of that network, such as width=16"))
    .option("--weights <file>", "the weights of that network (safetensors of torchvision, timm or ours)")
    .addOption(pixelsOption())
    .option("--splits <names>", "of these alone, by commas (default: all)", list)
    .option("--no-labels", "take the images as nobody has labelled them, also where folders have names")
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
A run's predictions are those of its model.onnx.

Examples:
  $ cuelab predict R --data D --out p.parquet
  $ cuelab predict R --data urban-cars --set size=64 --splits test --out p.parquet && cuelab eval p.parquet
  $ cuelab predict R --data new --out p.csv
  $ cuelab predict R --data photos --no-labels --out p.parquet
  $ cuelab predict --model resnet18 --weights w.safetensors --data D --out p.parquet`,
    )
    .action((run: string | undefined, options: PredictCommandOptions) =>
      predictTable(run && perhapsRun(run), options, session),
    );
}

async function predictTable(
  run: string | undefined,
  options: PredictCommandOptions,
  { console, signal }: Session,
): Promise<void> {
  const { out, force = false, labels: labelled } = options;
  checkChoice(run, options);
  const progress = console.follow(options.quiet);
  let [name, begun] = ["", false];
  const said = await predictData(run ?? networkOf(options), {
    data: dataWordsOf(options.data, dataChoiceOf(options)),
    labelled,
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
    onModel: (model) => {
      ({ name } = model);
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

function checkChoice(run: string | undefined, { model, weights, modelSet }: PredictCommandOptions): void {
  if ((run === undefined) === (model === undefined))
    throw new CuelabError({
      kind: "usage",
      what: "whose predictions?",
      expected: "either the folder of a run, or --model and --weights",
    });
  if (model !== undefined && weights === undefined)
    throw new CuelabError({
      kind: "usage",
      what: "a network by name needs --weights: random ones predict nothing",
    });
  if (run !== undefined && (weights !== undefined || modelSet.length > 0))
    throw new CuelabError({
      kind: "usage",
      what: `${weights === undefined ? "--model-set" : "--weights"} has no effect with a run, which has its own`,
    });
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
  const predicted = predictedClasses(said);
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
