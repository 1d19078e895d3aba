/** Fits last layers over features that are extracted once a network, each under the id of what decides it, and finds those that are there. */

import { basename, join } from "node:path";
import type { HeadCandidate } from "../../audits/repair/candidates.ts";
import type { FittedHead } from "../../audits/repair/fit-head.ts";
import { CuelabError } from "../../core/errors.ts";
import { readPlainText } from "../../disk/plain-file.ts";
import { withScratchFolder } from "../../disk/scratch-folder.ts";
import { writeWhole } from "../../disk/write-whole.ts";
import { CoreClock, readCoreTime } from "../../runs/core-time.ts";
import { digestOf } from "../digest.ts";
import type { Job, JobShop, MadeJob, MadeThing } from "./job.ts";
import type { FittedLayer, LayerEntry, LayersJob, MeasuredLayers } from "./layers-job.ts";
import { courseOf } from "./measure-runs.ts";
import type { MadeRuns } from "./runs.ts";

const layersFolder = "layers";

export interface MadeLayers extends MadeJob {
  job: LayersJob;
  /** With the network that each makes, as an ONNX file. */
  layers: readonly (FittedLayer & { place: string })[];
}

/** A network whose last layer is fitted anew. */
interface AskedTrunk {
  /** Tells it apart wherever it lies. */
  identity: string;
  place: string;
  seed: number;
}

interface AskedLayer {
  id: string;
  entry: LayerEntry;
  trunk: AskedTrunk;
}

export const layersJob: Job<LayersJob, MadeLayers, MeasuredLayers> = {
  kind: "layers",
  of: "last layers",
  one: "last layer",
  folder: layersFolder,
  id: digestOf,
  count: ({ of, entries }) => ("models" in of ? of.models.length * entries.length : undefined),
  seeds: () => [],
  needs: ({ of }) => ("job" in of ? [of.job] : []),
  check: async () => {},
  make: async (job, shop) => {
    const asked = await layersOf(job, shop);
    const failures = new Map<string, string>();
    for (const trunk of new Set(asked.map((each) => each.trunk))) {
      const missing: AskedLayer[] = [];
      for (const each of asked)
        if (each.trunk === trunk && (await stored(shop, each.id)) === undefined) missing.push(each);
      shop.signal.throwIfAborted();
      try {
        if (missing.length > 0) await fitOver(trunk, missing, job, shop, failures);
      } catch (cause) {
        if (shop.signal.aborted || !(cause instanceof CuelabError)) throw cause;
        for (const { id } of missing) failures.set(id, cause.message);
      }
    }
    return found(job, asked, shop, failures);
  },
  find: async (job, shop) => found(job, await layersOf(job, shop), shop, new Map()),
  measure: async ({ job, layers }) =>
    layers.length === 0
      ? undefined
      : { kind: "layers", job, layers: layers.map(({ place: _place, ...layer }) => layer) },
  data: ({ layers }) => ({ layers }),
};

async function layersOf(job: LayersJob, shop: JobShop): Promise<AskedLayer[]> {
  const { of, views, copies, rates, epochs, batchSize, weightDecay } = job;
  const recipe = { views, copies, rates, epochs, batchSize, weightDecay };
  const trunks = "models" in of ? await broughtTrunks(of.models) : trunksOfRuns(of.job, shop);
  return trunks.flatMap((trunk) =>
    job.entries.map((entry) => ({ id: digestOf({ trunk: trunk.identity, entry, recipe }), entry, trunk })),
  );
}

async function broughtTrunks(models: readonly string[]): Promise<AskedTrunk[]> {
  const { openModel } = await import("../../training/asked/open-model.ts");
  return Promise.all(
    models.map(async (place, seed) => {
      const { digest } = await openModel({ model: place });
      return { identity: digest, place, seed };
    }),
  );
}

function trunksOfRuns(name: string, shop: JobShop): AskedTrunk[] {
  const { cases = [] } = shop.made(name) as Partial<MadeRuns>;
  return cases.flatMap(({ runs }) =>
    runs
      .filter(({ run }) => run.state === "done")
      .map(({ run, seed }) => ({ identity: run.id, place: run.folder, seed })),
  );
}

const placeOf = (shop: JobShop, id: string) => join(shop.folder, layersFolder, `${id}.onnx`);
const aboutOf = (shop: JobShop, id: string) => join(shop.folder, layersFolder, `${id}.json`);
const timeOf = (shop: JobShop, id: string) => join(shop.folder, layersFolder, `${id}.time.json`);

/** What extracting costs stands with the first of them. */
async function fitOver(
  trunk: AskedTrunk,
  layers: readonly AskedLayer[],
  job: LayersJob,
  shop: JobShop,
  failures: Map<string, string>,
): Promise<void> {
  const { lastLayerOf, openedModel } = await import("../../audits/repair/subject.ts");
  const { model } = await openedModel({ model: trunk.place });
  const last = await lastLayerOf(model);
  let clock = await CoreClock.begin(timeOf(shop, layers[0]!.id));
  const features = await extracted(trunk, job, shop);
  for (const [i, { id, entry }] of layers.entries()) {
    shop.signal.throwIfAborted();
    if (i > 0) clock = await CoreClock.begin(timeOf(shop, id));
    shop.onWork?.(`last layers over ${basename(trunk.place)}`, i, layers.length, "last layers");
    try {
      await fitOne({ id, entry, trunk }, features, last, job, shop);
    } catch (cause) {
      if (shop.signal.aborted || !(cause instanceof CuelabError)) throw cause;
      failures.set(id, cause.message);
    } finally {
      await clock.save();
    }
  }
}

/** Kept beside the layers, so that another method needs no second look at the images. */
async function extracted(trunk: AskedTrunk, job: LayersJob, shop: JobShop): Promise<string> {
  const { of, views, copies } = job;
  const { viewsNamed } = await import("../../training/features/view-parts.ts");
  const out = join(
    shop.folder,
    layersFolder,
    `${digestOf({ trunk: trunk.identity, views, copies })}-features`,
  );
  if ((await readPlainText(join(out, "features.json")).catch(() => undefined)) !== undefined) return out;
  let rows = 0;
  const options = {
    out,
    force: false,
    views: viewsNamed(views),
    copies,
    signal: shop.signal,
    onOpened: (total: number) => {
      rows = total;
    },
    onProgress: (done: number) => shop.onWork?.(`features of ${basename(trunk.place)}`, done, rows, "images"),
  };
  const common = { batchSize: 64, threads: shop.workers };
  if ("models" in of) {
    const { extractFromOnnx } = await import("../../training/features/asked-source.ts");
    await extractFromOnnx({ ...common, model: { model: trunk.place }, data: { path: of.path } }, options);
  } else {
    const { extractFeatures } = await import("../../training/features/extract-features.ts");
    const { extractionFromWords } = await import("../../training/features/extraction-words.ts");
    const words = { ...common, run: trunk.place, modelSet: [], set: [] };
    await extractFeatures(await extractionFromWords(words, shop.signal), options);
  }
  return out;
}

type LastLayer = Awaited<ReturnType<typeof import("../../audits/repair/subject.ts").lastLayerOf>>;

async function fitOne(
  { id, entry, trunk }: AskedLayer,
  features: string,
  { bytes, head: found }: LastLayer,
  { rates, epochs, batchSize, weightDecay }: LayersJob,
  shop: JobShop,
): Promise<void> {
  const { fitHead } = await import("../../audits/repair/fit-head.ts");
  const { fileWith } = await import("../../audits/repair/new-head.ts");
  const { describeFeatures } = await import("../../runs/feature-folder.ts");
  const { dataset, source } = await describeFeatures(features);
  const val = dataset.splits.names.indexOf("val");
  const validating = [...dataset.labels.keys()].filter((i) => dataset.splits.values[i] === val);
  const tried: (number | null)[] = [];
  const failed: string[] = [];
  let best: { accuracy: number; rate: number; fitted: FittedHead; validation: readonly number[] } | undefined;
  await withScratchFolder(async (work) => {
    for (const [number, rate] of rates.entries()) {
      const candidate: HeadCandidate = {
        method: entry.method,
        settings: entry.settings ?? {},
        words: `rate ${rate}`,
        layer: {
          fromHead: true,
          standardise: false,
          optimiser: "sgd",
          schedule: "constant",
          lr: rate,
          weightDecay,
          epochs,
          batchSize,
        },
        ...(entry.augment && { augment: [...entry.augment] }),
      };
      try {
        const fitted = await fitHead(candidate, number, {
          features,
          work,
          layer: { name: source.head, shape: found },
          explicit: [],
          takesGroups: false,
          seed: trunk.seed,
          threads: shop.workers,
          signal: shop.signal,
          onNote: () => {},
        });
        const right = validating.filter((image) => fitted.predicted.get(image) === dataset.labels[image]);
        const accuracy = right.length / validating.length;
        tried.push(accuracy);
        const { validation } = courseOf(join(work, `candidate-${number}`));
        if (best === undefined || accuracy > best.accuracy) best = { accuracy, rate, fitted, validation };
      } catch (cause) {
        // A rate at which it diverges is one that was tried.
        if (!(cause instanceof CuelabError) || cause.kind !== "failure") throw cause;
        tried.push(null);
        failed.push(cause.parts.what);
      }
    }
  });
  if (best === undefined)
    throw new CuelabError({
      kind: "failure",
      what: `no rate of ${entry.label} gave a layer: ${failed.join("; ")}`,
    });
  const { rate, validation, fitted } = best;
  await writeWhole(placeOf(shop, id), fileWith(bytes, found, fitted.head), { overwrite: true });
  await writeWhole(aboutOf(shop, id), `${JSON.stringify({ rate, validation, tried })}\n`, {
    overwrite: true,
  });
}

async function stored(
  shop: JobShop,
  id: string,
): Promise<Pick<FittedLayer, "rate" | "validation" | "tried"> | undefined> {
  const text = await readPlainText(aboutOf(shop, id)).catch(() => undefined);
  return text === undefined ? undefined : JSON.parse(text);
}

async function found(
  job: LayersJob,
  asked: readonly AskedLayer[],
  shop: JobShop,
  failures: ReadonlyMap<string, string>,
): Promise<MadeLayers> {
  const layers: MadeLayers["layers"][number][] = [];
  const things: MadeThing[] = [];
  for (const { id, entry, trunk } of asked) {
    const about = await stored(shop, id);
    const { seed } = trunk;
    if (about !== undefined)
      layers.push({ id, label: entry.label, seed, ...about, place: placeOf(shop, id) });
    const { coreSeconds = 0 } = (await readCoreTime(timeOf(shop, id))) ?? {};
    const label = `${entry.label}, seed ${seed}: ${job.name}`;
    things.push({ id, label, done: about ? 1 : 0, asked: 1, coreSeconds, error: failures.get(id) });
  }
  return { job, layers, things };
}
