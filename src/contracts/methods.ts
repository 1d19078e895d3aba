/**
 * What every method must keep, seen from outside by whole runs in processes of their own, with whatever stages it has: same
 * seed same bytes, also after an interruption; only the labels that it is allowed; a model that says what the run said.
 */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { subset } from "../core/change-dataset.ts";
import type { Dataset } from "../core/dataset.ts";
import { parseAssignments, resolveSettings } from "../core/settings.ts";
import { datasets } from "../datasets/index.ts";
import { Session, toValue } from "../engine/runtime.ts";
import { formats } from "../formats/index.ts";
import { writeDataset } from "../formats/write-dataset.ts";
import { type Method, supervisionOf } from "../methods/method.ts";
import { DataBook } from "../protocol/data-book.ts";
import { type RunOutcome, runInProcess } from "../protocol/run-process.ts";
import { type RunWords, specFromWords } from "../protocol/spec-words.ts";
import { readPredictions } from "../store/predictions.ts";
import { runFiles } from "../store/run-folder.ts";
import { type Check, must, mustBeClose } from "./check.ts";

export interface MethodCheckOptions {
  /** For data and runs, which nobody needs afterwards. */
  folder: string;
  /** Settings that must be given. */
  settings?: Readonly<Record<string, unknown>>;
  signal?: AbortSignal;
}

/** Images that are learnt by heart, in one batch. */
const handful = 16;

export function methodChecks(method: Method, options: MethodCheckOptions): Check[] {
  const runs = new Runs(method, options);
  return [
    { name: "its presets and search ranges are settings that it takes", run: () => checkWords(method) },
    {
      name: "two runs of one seed give the same bytes",
      run: async () => {
        const [first, second] = [await runs.bytes("calm"), await runs.bytes("again")];
        must(first.equals(second), "two runs of one seed give other weights", {
          todo: "draw random numbers from known.random(…) and random(…) alone, and read nothing but what is handed over",
        });
      },
    },
    {
      name: "interrupted and gone on with, it ends with the same bytes",
      run: async () => {
        await runs.interrupted("resumed");
        must(
          (await runs.bytes("resumed")).equals(await runs.bytes("calm")),
          "a run that was interrupted ends elsewhere",
          {
            todo: "keep what lives from step to step in state(…); stages may depend on nothing but what they are handed",
          },
        );
      },
    },
    {
      name: "it sees no labels of cues that its supervision does not name",
      run: async () => {
        must(
          (await runs.bytes("other-cues")).equals(await runs.bytes("calm")),
          "other labels of cues give other weights",
        );
      },
    },
    {
      name: "the exported model says of each image what the run said",
      run: async () => checkExport(await runs.done("calm"), await runs.data("calm")),
    },
    {
      name: "it learns a handful of images by heart",
      run: async () => {
        const out = await runs.done("handful");
        const { accuracy } = JSON.parse(await readFile(join(out, runFiles.results), "utf8")) as {
          accuracy: { slice: string; accuracy: number }[];
        };
        const reached = accuracy.find(({ slice }) => slice === "test")?.accuracy;
        must(reached === 1, `it does not tell ${handful} images that it was trained on`, {
          expected: "all of them",
          got: String(reached),
        });
      },
    },
  ];
}

function checkWords({ settings, search, presets }: Method): void {
  for (const preset of Object.values(presets)) resolveSettings(settings, preset.settings);
  for (const [setting, values] of Object.entries(search))
    for (const value of values!) resolveSettings(settings, { [setting]: value });
}

type RunName = "calm" | "again" | "resumed" | "other-cues" | "handful";

/** Runs of a method, each made when it is asked for first. */
class Runs {
  readonly supervision: ReturnType<typeof supervisionOf>;
  readonly #method: Method;
  readonly #options: MethodCheckOptions;
  readonly #made = new Map<RunName, Promise<string>>();
  readonly #data = new Map<string, Promise<{ path: string; dataset: Dataset }>>();

  constructor(method: Method, options: MethodCheckOptions) {
    this.#method = method;
    this.#options = options;
    this.supervision = supervisionOf(method, resolveSettings(method.settings, options.settings ?? {}));
  }

  /** The folder of a finished run. */
  done(name: RunName): Promise<string> {
    return remembered(this.#made, name, async () => {
      await this.#run(name, this.#options.signal);
      return join(this.#options.folder, name);
    });
  }

  async bytes(name: RunName): Promise<Buffer> {
    const out = await this.done(name);
    return Buffer.concat(
      await Promise.all([runFiles.weights, runFiles.history].map((file) => readFile(join(out, file)))),
    );
  }

  /** Stops it once it has begun to learn; whoever asks for it then goes on with it. */
  async interrupted(name: RunName): Promise<void> {
    const stop = new AbortController();
    await this.#run(name, stop.signal, () => stop.abort());
  }

  async data(name: RunName): Promise<Dataset> {
    return (await this.#stored(name)).dataset;
  }

  async #run(name: RunName, signal?: AbortSignal, onEpoch?: () => void): Promise<RunOutcome> {
    const spec = await specFromWords(await this.#words(name), new DataBook());
    return runInProcess(spec, {
      out: join(this.#options.folder, name),
      force: false,
      resources: { checkpointSeconds: 60 },
      ...(signal && { signal }),
      ...(onEpoch && { onEpoch }),
    });
  }

  async #words(name: RunName): Promise<RunWords> {
    const { path, dataset } = await this.#stored(name);
    const [cue] = Object.entries(dataset.attributes).flatMap(([key, { role }]) =>
      role === "cue" ? [key] : [],
    );
    const { groups, trainsOnVal } = this.supervision;
    const heart = name === "handful";
    return {
      data: { path },
      model: { name: "mlp" },
      method: {
        name: this.#method.name,
        ...(this.#options.settings && { settings: { ...this.#options.settings } }),
        ...(groups && { explicit: [cue!] }),
      },
      optimiser: { rate: 0.01 },
      epochs: heart ? 120 : 20,
      batchSize: handful,
      seed: 3,
      threads: 1,
      ...(trainsOnVal && { select: { by: "last" } }),
    };
  }

  #stored(name: RunName): Promise<{ path: string; dataset: Dataset }> {
    const kind = name === "handful" || name === "other-cues" ? name : "some";
    return remembered(this.#data, kind, async () => {
      const some = await smallData(this.supervision);
      const dataset =
        kind === "handful"
          ? learntByHeart(some)
          : kind === "other-cues"
            ? withOtherCues(some, this.supervision)
            : some;
      const path = join(this.#options.folder, `data-${kind}`);
      await writeDataset(dataset, {
        out: path,
        format: formats.get("npz"),
        encoding: "raw",
        force: false,
        workers: 0,
      });
      return { path, dataset };
    });
  }
}

/** With pictures and boxes beside the images where a method asks for any. */
async function smallData({ sides, boxes }: Runs["supervision"]): Promise<Dataset> {
  const name = sides || boxes ? "urban-cars" : "colored-mnist";
  const definition = datasets.get(name);
  const further = name === "colored-mnist" ? ["size=14"] : [];
  return definition.build(parseAssignments(definition.settings, [...definition.small, ...further]), 0);
}

/** The first training images, which are validated and tested on too. */
function learntByHeart(dataset: Dataset): Dataset {
  const first = [...dataset.splits.values.keys()]
    .filter((i) => dataset.splits.values[i] === 0)
    .slice(0, handful);
  const thrice = subset(dataset, [...first, ...first, ...first]);
  const values = thrice.splits.values.map((_, i) => Math.floor(i / first.length));
  return { ...thrice, splits: { names: ["train", "val", "test"], values } };
}

/** The same images with other labels of their cues, wherever the method is not told them. */
function withOtherCues(dataset: Dataset, { groups = [] }: Runs["supervision"]): Dataset {
  const { names, values: splits } = dataset.splits;
  const isTold = names.map((name) => (groups as readonly string[]).includes(name));
  const turned = Object.entries(dataset.attributes).map(([name, attribute]) => [
    name,
    attribute.role === "cue"
      ? {
          ...attribute,
          values: attribute.values.map((value, i) => (isTold[splits[i]!] || i % 3 === 0 ? value : 0)),
        }
      : attribute,
  ]);
  return { ...dataset, attributes: Object.fromEntries(turned) as Dataset["attributes"] };
}

async function checkExport(out: string, { images, classNames }: Dataset): Promise<void> {
  const { indices, logits } = await readPredictions(
    join(out, runFiles.predictions),
    classNames.length,
    (index) => index % 7 === 0,
  );
  const pixels = [];
  for (const index of indices) pixels.push((await images.pixels(index)).data);
  const { height, width, channels } = images.shape!;
  const fed = toValue(
    Uint8Array.from(Buffer.concat(pixels)),
    [indices.length, height, width, channels],
    "byte",
  );
  const session = await Session.open(await readFile(join(out, runFiles.model)));
  try {
    const { data } = await session.result({ images: fed }, "logits");
    // Sums of float32 in another order.
    mustBeClose(data as Float32Array, logits, 1e-4, "the exported model gives other logits than the run");
  } finally {
    await session.close();
  }
}

function remembered<Key, Value>(known: Map<Key, Promise<Value>>, key: Key, make: () => Promise<Value>) {
  const found = known.get(key) ?? make();
  known.set(key, found);
  return found;
}
