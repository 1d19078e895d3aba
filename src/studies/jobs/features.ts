/** Extracts features once, each under the id of what they are of, and finds those that are there. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { CuelabError } from "../../core/errors.ts";
import { readPlainText } from "../../disk/plain-file.ts";
import { CoreClock, readCoreTime } from "../../runs/core-time.ts";
import { digestOf } from "../digest.ts";
import type { FeaturesJob, FoundFeatures, MeasuredFeatures, NetworkFeatures } from "./features-job.ts";
import type { Job, JobShop, MadeJob, MadeThing } from "./job.ts";
import type { MadeRuns } from "./runs.ts";
import { labelOf } from "./runs-job.ts";

const featuresFolder = "features";

export interface MadeFeatures extends MadeJob {
  job: FeaturesJob;
  features: readonly (FoundFeatures & { folder: string })[];
}

/** Something to extract. */
interface AskedFeatures {
  id: string;
  label: string;
  run?: { id: string; folder: string };
  network?: NetworkFeatures;
}

export const featuresJob: Job<FeaturesJob, MadeFeatures, MeasuredFeatures> = {
  kind: "features",
  of: "sets of features",
  one: "set of features",
  folder: featuresFolder,
  id: digestOf,
  count: ({ of }) => ("network" in of ? 1 : undefined),
  seeds: ({ of }) =>
    "network" in of && of.network.seed !== undefined
      ? [{ purpose: "reporting", seeds: [of.network.seed] }]
      : [],
  needs: ({ of }) => ("job" in of ? [of.job] : []),
  check: async () => {},
  make: async (job, shop) => {
    const asked = askedOf(job, shop);
    const failures = new Map<string, string>();
    for (const each of asked) {
      shop.signal.throwIfAborted();
      try {
        await extract(each, shop);
      } catch (cause) {
        if (shop.signal.aborted || !(cause instanceof CuelabError)) throw cause;
        failures.set(each.id, cause.message);
      }
    }
    return found(job, asked, shop, failures);
  },
  find: (job, shop) => found(job, askedOf(job, shop), shop, new Map()),
  measure: async ({ job, features }) =>
    features.length === 0
      ? undefined
      : { kind: "features", job, features: features.map(({ folder: _folder, ...each }) => each) },
  data: ({ features }) => ({ features }),
};

function askedOf({ of, name }: FeaturesJob, shop: JobShop): AskedFeatures[] {
  if ("network" in of)
    return [{ id: digestOf({ network: of.network }), label: of.network.model, network: of.network }];
  const { cases = [] } = shop.made(of.job) as Partial<MadeRuns>;
  if (cases.length === 0)
    throw new CuelabError({
      kind: "usage",
      what: `the part "${name}" wants features of "${of.job}", which makes no runs`,
      expected: "the name of a part that makes runs",
    });
  return cases.flatMap((each) =>
    each.runs
      .filter(({ run }) => run.state === "done")
      .map(({ run, seed }) => ({
        id: digestOf({ run: run.id }),
        label: `${labelOf(each.case)}, seed ${seed}`,
        run: { id: run.id, folder: run.folder },
      })),
  );
}

const placeOf = (shop: JobShop, id: string) => join(shop.folder, featuresFolder, id);
const timeOf = (shop: JobShop, id: string) => `${placeOf(shop, id)}.time.json`;
const isThere = (shop: JobShop, id: string) => existsSync(join(placeOf(shop, id), "features.json"));

async function extract({ id, label, run, network }: AskedFeatures, shop: JobShop): Promise<void> {
  if (isThere(shop, id)) return;
  const { extractFeatures } = await import("../../training/features/extract-features.ts");
  const { extractionFromWords } = await import("../../training/features/extraction-words.ts");
  const words = { batchSize: 64, threads: shop.workers, modelSet: [], set: [] };
  const spec = await extractionFromWords(
    run ? { ...words, run: run.folder } : { ...words, ...network },
    shop.signal,
  );
  const clock = await CoreClock.begin(timeOf(shop, id));
  let total = 0;
  try {
    await extractFeatures(spec, {
      out: placeOf(shop, id),
      force: false,
      signal: shop.signal,
      onOpened: (images) => {
        total = images;
      },
      onProgress: (done) => shop.onWork?.(`features of ${label}`, done, total, "images"),
    });
  } finally {
    await clock.save();
  }
}

async function found(
  job: FeaturesJob,
  asked: readonly AskedFeatures[],
  shop: JobShop,
  failures: ReadonlyMap<string, string>,
): Promise<MadeFeatures> {
  const features: MadeFeatures["features"][number][] = [];
  const things: MadeThing[] = [];
  for (const { id, label, run } of asked) {
    const there = isThere(shop, id);
    if (there) {
      const folder = placeOf(shop, id);
      const about = JSON.parse(await readPlainText(join(folder, "features.json"))) as {
        count: number;
        width: number;
      };
      features.push({
        id,
        label,
        ...(run && { run: run.id }),
        images: about.count,
        width: about.width,
        folder,
      });
    }
    const { coreSeconds = 0 } = (await readCoreTime(timeOf(shop, id))) ?? {};
    things.push({ id, label, done: there ? 1 : 0, asked: 1, coreSeconds, error: failures.get(id) });
  }
  return { job, features, things };
}
