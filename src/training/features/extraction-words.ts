/** What to run over which images for their features, in the words of people. */

import { CuelabError } from "../../core/errors.ts";
import { readPlain } from "../../disk/plain-file.ts";
import type { ColumnWords } from "../../layouts/column-mapping.ts";
import { type Preparation, preparationOf } from "../../layouts/preparation.ts";
import { models } from "../../models/index.ts";
import { parseModelOptions } from "../../models/model.ts";
import { needPlugins } from "../../plugins/at-hand.ts";
import { perhapsRun } from "../../runs/find-run.ts";
import { finishedFile } from "../../runs/finished-file.ts";
import { runFiles } from "../../runs/run-folder.ts";
import { DataBook, type DataHandle } from "../data-book.ts";
import { asTrained, dataWordsOf, unlabelledToo } from "../named-data.ts";
import type { RunSpec } from "../run-spec.ts";
import { type NetworkWords, specFromWords, specWithData } from "../spec-words.ts";

/** A run, or a network by name with weights of its own; a run's images, or others. */
export interface ExtractionWords extends Preparation {
  run?: string | undefined;
  data?: string | undefined;
  model?: string | undefined;
  modelSet: readonly string[];
  weights?: string | undefined;
  pixels?: NetworkWords["pixels"];
  set: readonly string[];
  dataSeed?: number | undefined;
  columns?: ColumnWords | undefined;
  batchSize: number;
  seed?: number | undefined;
  /** Those that are extracted too. */
  views?: readonly string[];
  threads: number;
}

/** Of a run over the images that it was trained on. */
export function extractionOfRun(run: string, signal?: AbortSignal): Promise<RunSpec> {
  return extractionFromWords({ run, modelSet: [], set: [], batchSize: 64, threads: 2 }, signal);
}

/** The same as a run's spec. */
export async function extractionFromWords(
  options: ExtractionWords,
  signal?: AbortSignal,
  onRemark?: (text: string) => void,
): Promise<RunSpec> {
  const book = new DataBook();
  const spec = await extractionOn(book, options, signal);
  for (const remark of book.remarks) onRemark?.(remark);
  return spec;
}

async function extractionOn(
  book: DataBook,
  options: ExtractionWords,
  signal: AbortSignal | undefined,
): Promise<RunSpec> {
  const { data, model, modelSet, weights, pixels, batchSize, seed = 0, threads } = options;
  const run = options.run === undefined ? undefined : perhapsRun(options.run);
  if ((run === undefined) === (model === undefined))
    throw new CuelabError({
      kind: "usage",
      what: "whose features?",
      expected: "either the folder of a run, or --model (and --weights)",
    });
  checkEffects(options);
  const common = { batchSize, seed, threads, ...(pixels && { pixels }) };
  if (run !== undefined) {
    const { data: trainedOn, model: network } = await specOfRun(run);
    const handle =
      data === undefined
        ? await asItWas(book, trainedOn, signal)
        : await book.describe(asTrained(unlabelledToo(dataWordsOf(data, options)), trainedOn), signal);
    return specWithData({ ...common, model: network, weights: { path: run } }, handle);
  }
  if (data === undefined)
    throw new CuelabError({ kind: "usage", what: "features of which images?", expected: "--data" });
  const network = models.get(model ?? "");
  const words = {
    ...common,
    data: unlabelledToo(dataWordsOf(data, options)),
    model: { name: network.name, options: parseModelOptions(network, modelSet) },
    ...(weights !== undefined && { weights: { path: weights } }),
  };
  return specFromWords(words, book, signal);
}

/** A run's own images, which may lie where others lie by now. */
async function asItWas(
  book: DataBook,
  trainedOn: RunSpec["data"],
  signal: AbortSignal | undefined,
): Promise<DataHandle> {
  const {
    identity,
    path,
    name: _name,
    settings: _settings,
    places: _places,
    seed: _seed,
    ...reading
  } = trainedOn;
  if (path === undefined) return book.handle(trainedOn);
  const { environments: _held, ...whole } = reading;
  const { data } = await book.describe({ path, ...whole }, signal);
  if (data.identity === identity) return book.handle(trainedOn);
  throw new CuelabError({
    kind: "input",
    what: "the images are not those that the run was trained on: they, or what is said of them, have changed since",
    where: path,
    expected: identity,
    got: data.identity,
    todo: `put them back as they were; or name them with --data ${path}, for features of what is there now`,
  });
}

/** What is given and would decide nothing is refused: features that seem to be of other weights mislead. */
function checkEffects(options: ExtractionWords): void {
  const { run, data, weights, modelSet, seed, set, dataSeed, views = [] } = options;
  // Views are drawn by the seed, whatever the weights.
  const drawn = views.length > 0;
  const ineffective = (option: string, other: string) =>
    new CuelabError({
      kind: "usage",
      what: `${option} has no effect with ${other}`,
      todo: `leave ${option} away`,
    });
  if (run !== undefined) {
    if (weights !== undefined) throw ineffective("--weights", "a run, which has its own");
    if (modelSet.length > 0) throw ineffective("--model-set", "a run, which has its own");
    if (seed !== undefined && !drawn) throw ineffective("--seed", "a run, which has its own");
  }
  if (weights !== undefined && seed !== undefined && !drawn) throw ineffective("--seed", "--weights");
  const [prepared] = Object.keys({ ...options.columns, ...preparationOf(options) });
  if (data === undefined && (set.length > 0 || dataSeed !== undefined || prepared !== undefined))
    throw new CuelabError({
      kind: "usage",
      what: `${set.length > 0 ? "--set" : dataSeed !== undefined ? "--data-seed" : `--${prepared}`} needs --data`,
      todo: "name the dataset that it is for with --data",
    });
}

/** What its names come from is loaded with it. */
async function specOfRun(folder: string): Promise<Pick<RunSpec, "data" | "model">> {
  // Its bytes are those that the run has written, so they are JSON.
  const text = String(await readPlain(await finishedFile(folder, runFiles.spec)));
  const { data, model, plugins } = JSON.parse(text) as Partial<RunSpec>;
  await needPlugins(plugins);
  if (data && model && !data.features) return { data, model };
  throw new CuelabError({
    kind: "input",
    what: "no run of a network",
    where: folder,
    expected: "a folder that 'cuelab train' has written",
    got: "a last layer, trained on features",
  });
}
