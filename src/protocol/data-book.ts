/** The data of a command: opened once to learn what it is, then remembered without its pixels. */

import { createHash } from "node:crypto";
import { resolve } from "node:path";
import { z } from "zod";
import type { DataColumns, Dataset } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import { parseAssignments } from "../core/settings.ts";
import { datasets, findDataset } from "../datasets/index.ts";
import { heldOutChoiceSchema, heldOutColumns, namedHeldOut } from "./held-out-data.ts";
import type { RunSpec } from "./run-spec.ts";
import { openTrainingData, openWholeData } from "./training-data.ts";

/** Data as people say it: by name, also a variant's, or by path. */
export const dataWordsSchema = z.strictObject({
  name: z.string().optional(),
  path: z.string().optional(),
  settings: z.record(z.string(), z.unknown()).optional(),
  places: z.record(z.string(), z.unknown()).optional(),
  seed: z.number().int().min(0).optional(),
  environments: heldOutChoiceSchema.optional(),
});

export type DataWords = z.input<typeof dataWordsSchema>;

type SpecData = RunSpec["data"];

/** What one choice of data is, and what it holds. */
export class DataHandle {
  /** As a run's spec has it: equal identities mean equal images, labels, splits and attributes. */
  readonly data: SpecData;
  readonly #book: DataBook;

  constructor(data: SpecData, book: DataBook) {
    this.data = data;
    this.#book = book;
  }

  /** Everything but images, in the splits that its environments make. */
  async columns(): Promise<DataColumns> {
    const { environments, ...whole } = this.data;
    const columns = await this.#book.wholeColumns(whole);
    return environments === undefined ? columns : { ...columns, ...heldOutColumns(columns, environments) };
  }

  /** With images, which whoever asks for them closes. */
  open(): Promise<Dataset> {
    return openTrainingData(this.data);
  }
}

export class DataBook {
  readonly #described = new Map<string, Promise<SpecData>>();
  readonly #columns = new Map<string, Promise<DataColumns>>();

  async describe({ environments, ...words }: DataWords, signal?: AbortSignal): Promise<DataHandle> {
    const whole = await remembered(this.#described, JSON.stringify(words), () => this.#learn(words, signal));
    if (environments === undefined) return new DataHandle(whole, this);
    const chosen = namedHeldOut(await this.wholeColumns(whole), environments);
    return new DataHandle({ ...whole, environments: chosen }, this);
  }

  /** Of data that a spec describes already. */
  handle(data: SpecData): DataHandle {
    return new DataHandle(data, this);
  }

  /** In the splits that the data itself has. */
  wholeColumns(whole: SpecData): Promise<DataColumns> {
    return remembered(this.#columns, keyOf(whole), async () => {
      const dataset = await openWholeData(whole);
      await dataset.images.close?.();
      return columnsOf(dataset);
    });
  }

  /** Keeps what data is, and forgets what it holds: it is opened once more where that is asked for again. */
  release(): void {
    this.#columns.clear();
  }

  async #learn(words: Omit<DataWords, "environments">, signal: AbortSignal | undefined): Promise<SpecData> {
    const { data, dataset } =
      words.path === undefined ? await learnNamed(words) : await learnStored(words, signal);
    this.#columns.set(keyOf(data), Promise.resolve(columnsOf(dataset)));
    return data;
  }
}

/** What data is, for a spec of one's own. */
export async function describeTrainingData(words: DataWords, signal?: AbortSignal): Promise<SpecData> {
  return (await new DataBook().describe(words, signal)).data;
}

interface Learned {
  data: SpecData;
  dataset: Dataset;
}

async function learnNamed({ name = "", settings, places, seed = 0 }: DataWords): Promise<Learned> {
  const { definition, assignments } = findDataset(name);
  const named = parseAssignments(definition.settings, assignments);
  const dataset = await datasets.get(definition.name).build({ ...named, ...settings, ...places }, seed);
  const { generator, sources, settings: resolved } = dataset.provenance;
  const digests = sources.flatMap(({ sha256 }) => Object.values(sha256));
  const identity = `${generator.name}@${generator.version} ${createHash("sha256").update(digests.join()).digest("hex")}`;
  const { places: told, ...what } = placesApart(resolved, definition.places ?? []);
  return {
    data: { name: definition.name, ...what, seed, ...(told && { places: told }), identity },
    dataset,
  };
}

async function learnStored(
  { path, name, settings = {}, places = {}, seed = 0 }: DataWords,
  signal: AbortSignal | undefined,
): Promise<Learned> {
  const given = {
    name: name !== undefined,
    settings: isFilled(settings),
    places: isFilled(places),
    seed: seed > 0,
  };
  const idle = Object.entries(given).find(([, isGiven]) => isGiven);
  if (idle !== undefined) {
    throw new CuelabError({
      kind: "usage",
      what: `${idle[0]} is for datasets by name; this one is made already`,
      where: path!,
      todo: `leave data.${idle[0]} or data.path away`,
    });
  }
  // Most runs need no reader of files.
  const { openDataset } = await import("../formats/open-dataset.ts");
  const found = resolve(path!);
  const { dataset, manifest } = await openDataset(found);
  try {
    const identity = manifest?.hash ?? (await foreignIdentity(dataset, signal));
    return { data: { path: found, settings: {}, seed: 0, identity }, dataset };
  } finally {
    await dataset.images.close?.();
  }
}

const isFilled = (values: object) => Object.keys(values).length > 0;

/** Two choices of one dataset hold the same. */
function keyOf({ identity, name, path, settings, places, seed }: SpecData): string {
  return JSON.stringify([identity, name, path, settings, places, seed]);
}

/** Only what is named, so that nothing keeps the images in memory. */
function columnsOf({ name, labels, classNames, attributes, splits, provenance }: Dataset): DataColumns {
  return { name, labels, classNames, attributes, splits, provenance };
}

/** What failed is not remembered: it may be mended meanwhile. */
function remembered<Value>(
  known: Map<string, Promise<Value>>,
  key: string,
  find: () => Promise<Value>,
): Promise<Value> {
  let found = known.get(key);
  if (found === undefined) {
    found = find();
    known.set(key, found);
    found.catch(() => known.delete(key));
  }
  return found;
}

function placesApart(
  settings: Readonly<Record<string, unknown>>,
  names: readonly string[],
): Pick<RunSpec["data"], "settings" | "places"> {
  const part = (isPlace: boolean) =>
    Object.fromEntries(Object.entries(settings).filter(([name]) => names.includes(name) === isPlace));
  return { settings: part(false), ...(names.length > 0 && { places: part(true) }) };
}

/** For people's own data: the table with all its columns, and each image's bytes as they are stored. */
async function foreignIdentity(
  { images, classNames, labels, splits, attributes }: Dataset,
  signal: AbortSignal | undefined,
): Promise<string> {
  const columns = Object.entries(attributes).map(([name, { valueNames, values }]) => [
    name,
    valueNames,
    [...values],
  ]);
  const table = [classNames, [...labels], splits.names, [...splits.values], columns];
  const hash = createHash("sha256").update(JSON.stringify(table));
  for (let i = 0; i < images.count; i++) {
    signal?.throwIfAborted();
    const bytes = images.encoded ? (await images.encoded(i)).bytes : (await images.pixels(i)).data;
    // With its length, so that bytes cannot move from one image to the next unnoticed.
    hash.update(`${bytes.length} `).update(bytes);
  }
  return `own sha256:${hash.digest("hex")}`;
}
