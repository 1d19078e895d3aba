/** Asks models about data, each once under the id of model and data, and finds what they said. */

import { basename, join } from "node:path";
import type { Dataset } from "../../core/dataset.ts";
import { CuelabError } from "../../core/errors.ts";
import { readPlainText } from "../../disk/plain-file.ts";
import { writeWhole } from "../../disk/write-whole.ts";
import type { PictureSteps } from "../../images/model-picture.ts";
import { CoreClock, readCoreTime } from "../../runs/core-time.ts";
import type { AskedModel } from "../../training/asked/asked-model.ts";
import { DataBook } from "../../training/data-book.ts";
import { digestOf } from "../digest.ts";
import type { Job, JobShop, MadeJob, MadeThing } from "./job.ts";
import type { MadeLayers } from "./layers.ts";
import type {
  AnsweredImages,
  MeasuredPredictions,
  NetworkAnswer,
  PredictionsJob,
} from "./predictions-job.ts";
import type { MadeRuns } from "./runs.ts";
import { labelOf } from "./runs-job.ts";

const predictionsFolder = "predictions";
/** Of large networks each takes hundreds of megabytes. */
const mostModelsAtOnce = 16;

export interface MadePredictions extends MadeJob {
  job: PredictionsJob;
  models: readonly NetworkAnswer[];
}

/** A model to ask, and where its answer lies. */
interface AskedNetwork {
  id: string;
  label: string;
  seed: number | null;
  place: string;
}

export const predictionsJob: Job<PredictionsJob, MadePredictions, MeasuredPredictions> = {
  kind: "predictions",
  of: "sets of predictions",
  one: "set of predictions",
  folder: predictionsFolder,
  id: digestOf,
  count: ({ of }) => ("models" in of ? of.models.length : undefined),
  seeds: () => [],
  needs: ({ of }) => ("job" in of ? [of.job] : []),
  check: async () => {},
  make: async (job, shop) => {
    const turns = shop.shared("turns of predictions", () => ({
      last: Promise.resolve() as Promise<unknown>,
    }));
    // One part after the other: each would have all cores, and hold networks in memory.
    const own = turns.last.then(() => makePart(job, shop));
    turns.last = own.catch(() => {});
    return own;
  },
  find: async (job, shop) => found(job, (await askingOf(job, shop)).asked, shop, new Map()),
  measure: async ({ job, models }) =>
    models.length === 0 ? undefined : { kind: "predictions", job, models },
  // Marks have a row a class, of which ImageNet has a thousand: its files have them all.
  data: ({ models }) => ({
    models: models.map(({ classes: _classes, marks, ...model }) => ({
      ...model,
      marks: marks.map(({ classes: _own, ...mark }) => mark),
    })),
  }),
};

async function makePart(job: PredictionsJob, shop: JobShop): Promise<MadePredictions> {
  const { asked, unread } = await askingOf(job, shop);
  const failures = new Map<string, string>();
  if (unread !== undefined) {
    noteFailure(unread, asked, failures, shop.signal);
    return found(job, asked, shop, failures);
  }
  const missing: AskedNetwork[] = [];
  for (const each of asked) if ((await stored(shop, each.id)) === undefined) missing.push(each);
  for (let at = 0; at < missing.length; at += mostModelsAtOnce)
    await askSome(job, missing.slice(at, at + mostModelsAtOnce), shop, failures);
  return found(job, asked, shop, failures);
}

/** Models under ids of what is asked of them; `unread` is why the data could not be opened. */
interface Asking {
  asked: readonly AskedNetwork[];
  unread?: CuelabError;
}

async function askingOf(job: PredictionsJob, shop: JobShop): Promise<Asking> {
  const { kind: _kind, name: _name, title: _title, of: _of, ...question } = job;
  const book = shop.shared("predictions' data", () => new DataBook());
  let about: object;
  let unread: CuelabError | undefined;
  try {
    const { identity, settings, seed } = (await book.describe(job.data, shop.signal)).data;
    about = { identity, settings, seed };
  } catch (cause) {
    if (shop.signal.aborted || !(cause instanceof CuelabError)) throw cause;
    about = { unread: true };
    unread = cause;
  }
  const idOf = (model: unknown) => digestOf({ ...question, data: about, model });
  const asked = (await respondentsOf(job, shop)).map(({ model, ...rest }) => ({ id: idOf(model), ...rest }));
  return { asked, ...(unread && { unread }) };
}

/** `model` tells it apart from others, wherever it lies. */
async function respondentsOf(
  { of }: PredictionsJob,
  shop: JobShop,
): Promise<(Omit<AskedNetwork, "id"> & { model: unknown })[]> {
  if ("models" in of) {
    const { openModel } = await import("../../training/asked/open-model.ts");
    return Promise.all(
      of.models.map(async (place) => {
        const { digest, preparation: { picture, pixels } = {} } = await openModel({ model: place });
        const label = basename(place).replace(/\.onnx$/i, "");
        return { model: { digest, picture, pixels }, label, seed: null, place };
      }),
    );
  }
  const { cases = [], layers = [] } = shop.made(of.job) as Partial<MadeRuns & MadeLayers>;
  const refitted = layers.map(({ id, label, seed, place }) => ({ model: id, label, seed, place }));
  const ran = cases.flatMap(({ case: each, runs }) =>
    runs
      .filter(({ run }) => run.state === "done")
      .map(({ run, seed }) => ({ model: run.id, label: labelOf(each), seed, place: run.folder })),
  );
  return [...refitted, ...ran];
}

const placeOf = (shop: JobShop, id: string) => join(shop.folder, predictionsFolder, `${id}.json`);
const timeOf = (shop: JobShop, id: string) => join(shop.folder, predictionsFolder, `${id}.time.json`);

/** One that cannot be asked fails by itself; those whose pictures are made in one way are asked together. */
async function askSome(
  job: PredictionsJob,
  asked: readonly AskedNetwork[],
  shop: JobShop,
  failures: Map<string, string>,
): Promise<void> {
  const { openModel } = await import("../../training/asked/open-model.ts");
  const { openData } = await import("../../training/training-data.ts");
  const together = new Map<string, { asked: AskedNetwork; model: AskedModel }[]>();
  for (const each of asked) {
    try {
      const model = await openModel({ model: each.place });
      const key = JSON.stringify([model.takes, model.preparation?.picture ?? null, model.classNames]);
      together.set(key, [...(together.get(key) ?? []), { asked: each, model }]);
    } catch (cause) {
      noteFailure(cause, [each], failures, shop.signal);
    }
  }
  const { dataset } = await openData(job.data);
  try {
    for (const models of together.values()) {
      try {
        await askTogether(job, models, dataset, shop);
      } catch (cause) {
        noteFailure(
          cause,
          models.map((each) => each.asked),
          failures,
          shop.signal,
        );
      }
    }
  } finally {
    await dataset.images.close?.();
  }
}

function noteFailure(
  cause: unknown,
  asked: readonly AskedNetwork[],
  failures: Map<string, string>,
  signal: AbortSignal,
): void {
  if (signal.aborted || !(cause instanceof CuelabError)) throw cause;
  for (const { id } of asked) failures.set(id, cause.message);
}

async function askTogether(
  job: PredictionsJob,
  models: readonly { asked: AskedNetwork; model: AskedModel }[],
  opened: Dataset,
  shop: JobShop,
): Promise<void> {
  const { answerImages } = await import("./answer-images.ts");
  const { classMap } = await import("./class-maps.ts");
  // What all of them cost stands with the first: images are made once for all.
  const clock = await CoreClock.begin(timeOf(shop, models[0]!.asked.id));
  const dataset = await asTaken(models[0]!.model, opened);
  const map = await classMap(models[0]!.model, dataset, job);
  const { labels } = map;
  const indices = Uint32Array.from(labels.keys()).filter((i) => labels[i]! >= 0 && isOf(dataset, i, job));
  if (indices.length === 0)
    throw new CuelabError({ kind: "input", what: "there are no images to ask about", where: dataset.name });
  const answers = await answerImages(
    models.map(({ model }) => ({ model, ...map })),
    dataset,
    {
      ...(job.by && { by: job.by }),
      ...(job.marks && { marks: job.marks }),
      ...(job.changes && { changes: job.changes }),
      indices,
      labels,
      threads: shop.workers,
      signal: shop.signal,
      onProgress: (done, total) =>
        shop.onWork?.(`${job.name}, ${models.length} models`, done, total, "images"),
    },
  );
  await clock.save();
  for (const [i, { asked }] of models.entries())
    await writeWhole(placeOf(shop, asked.id), `${JSON.stringify(answers[i])}\n`, { overwrite: true });
}

/** As the model says how; of one that says nothing, such as a run, the shorter side resized and the middle cut out, as is usual. */
async function asTaken(model: AskedModel, opened: Dataset): Promise<Dataset> {
  const { inSizeOf } = await import("../../training/asked/preparation.ts");
  const { withSteps } = await import("../../images/change-dataset.ts");
  const dataset = inSizeOf(model, opened);
  if ("features" in model.takes || model.preparation?.picture !== undefined) return dataset;
  const { height, width, channels } = model.takes.image;
  const { shape } = dataset.images;
  if (shape?.height === height && shape.width === width) return dataset;
  const how: PictureSteps = {
    resize: { shorter: Math.floor(Math.min(height, width) / usualShare) },
    filter: "triangle",
    crop: { height, width },
    middle: "even",
    grey: channels === 1,
  };
  return withSteps(dataset, [{ kind: "model-picture", how }]);
}

/** 224 of 256 pixels. */
const usualShare = 0.875;

function isOf({ splits }: Dataset, index: number, { split }: PredictionsJob): boolean {
  return split === undefined || splits.names[splits.values[index]!] === split;
}

async function stored(shop: JobShop, id: string): Promise<AnsweredImages | undefined> {
  const text = await readPlainText(placeOf(shop, id)).catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as AnsweredImages);
}

async function found(
  job: PredictionsJob,
  asked: readonly AskedNetwork[],
  shop: JobShop,
  failures: ReadonlyMap<string, string>,
): Promise<MadePredictions> {
  const models: NetworkAnswer[] = [];
  const things: MadeThing[] = [];
  for (const { id, label, seed } of asked) {
    const answer = await stored(shop, id);
    if (answer !== undefined) models.push({ id, label, seed, ...answer });
    const { coreSeconds = 0 } = (await readCoreTime(timeOf(shop, id))) ?? {};
    const words = `${label}${seed === null ? "" : `, seed ${seed}`}: ${job.name}`;
    things.push({ id, label: words, done: answer ? 1 : 0, asked: 1, coreSeconds, error: failures.get(id) });
  }
  return { job, models, things };
}
