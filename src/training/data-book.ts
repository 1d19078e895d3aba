/** The data of a command: opened once to learn what it is, then remembered without its pixels. */

import { createHash } from "node:crypto";
import { resolve } from "node:path";
import { z } from "zod";
import type { DataColumns, Dataset } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import { findDataset } from "../datasets/index.ts";
import { type ColumnWords, columnWords } from "../layouts/column-mapping.ts";
import { type Preparation, preparationOf, preparationShape } from "../layouts/preparation.ts";
import { identityOnDisk } from "./data-identity.ts";
import { heldOutChoiceSchema, heldOutColumns, namedHeldOut } from "./held-out-data.ts";
import type { RunSpec } from "./run-spec.ts";
import { openData } from "./training-data.ts";

/** Data as people say it: by name, also a variant's, or by path. */
export const dataWordsSchema = z.strictObject({
  name: z.string().optional(),
  path: z.string().optional(),
  settings: z.record(z.string(), z.unknown()).optional(),
  places: z.record(z.string(), z.unknown()).optional(),
  seed: z.number().int().min(0).optional(),
  environments: heldOutChoiceSchema.optional(),
  features: z.literal(true).optional(),
  /** Of a path: whether images need labels, where they do. */
  labels: z.enum(["none", "if-any"]).optional(),
  /** Of a path: what its columns or folders mean, where the usual names do not apply. */
  columns: columnWords.optional(),
  /** Of a path: how images are made ready. */
  ...preparationShape,
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
}

export class DataBook {
  readonly #described = new Map<string, Promise<SpecData>>();
  readonly #columns = new Map<string, Promise<DataColumns>>();
  readonly #remarks = new Set<string>();

  /** What people would want to know of how their own data was read. */
  get remarks(): string[] {
    return [...this.#remarks];
  }

  async describe({ environments, ...words }: DataWords, signal?: AbortSignal): Promise<DataHandle> {
    const whole = await remembered(this.#described, JSON.stringify(words), async () => {
      const { data, dataset } = await this.#learn(words, signal);
      await dataset.images.close?.();
      return data;
    });
    if (environments === undefined) return new DataHandle(whole, this);
    const chosen = namedHeldOut(await this.wholeColumns(whole), environments);
    return new DataHandle({ ...whole, environments: chosen }, this);
  }

  /** For a command that needs the images as well: opened with what it learns, and closed by whoever asked. */
  async open(words: Omit<DataWords, "environments">, signal?: AbortSignal): Promise<Opened> {
    const { data, dataset } = await this.#learn(words, signal);
    this.#described.set(JSON.stringify(words), Promise.resolve(data));
    return { handle: new DataHandle(data, this), dataset };
  }

  /** Of data that a spec describes already. */
  handle(data: SpecData): DataHandle {
    return new DataHandle(data, this);
  }

  /** In the splits that the data itself has. */
  wholeColumns(whole: SpecData): Promise<DataColumns> {
    return remembered(this.#columns, keyOf(whole), async () => {
      const { dataset } = await openData(whole);
      await dataset.images.close?.();
      return columnsOf(dataset);
    });
  }

  /** Keeps what data is, and forgets what it holds: it is opened once more where that is asked for again. */
  release(): void {
    this.#columns.clear();
  }

  async #learn(words: Omit<DataWords, "environments">, signal: AbortSignal | undefined): Promise<Learned> {
    checkPath(words);
    const { path } = words;
    const place = path === undefined ? {} : { path: resolve(path) };
    const preparation = preparationOf(words);
    const opened = await openData({ ...words, ...preparation, ...place });
    const { dataset, warnings = [] } = opened;
    for (const warning of warnings) this.#remarks.add(warning);
    try {
      const data =
        path === undefined
          ? dataMade(words, dataset)
          : {
              path: resolve(path),
              settings: {},
              seed: 0,
              ...(words.features && { features: true as const }),
              ...(words.labels && { labels: words.labels }),
              ...(words.columns && { columns: words.columns }),
              ...preparation,
              identity: await identityOnDisk(opened, preparation, signal),
            };
      this.#columns.set(keyOf(data), Promise.resolve(columnsOf(dataset)));
      return { data, dataset };
    } catch (cause) {
      await dataset.images.close?.();
      throw cause;
    }
  }
}

export interface Opened {
  handle: DataHandle;
  dataset: Dataset;
}

/** What data is, for a spec of one's own. */
export async function describeTrainingData(words: DataWords, signal?: AbortSignal): Promise<SpecData> {
  return (await new DataBook().describe(words, signal)).data;
}

interface Learned {
  data: SpecData;
  dataset: Dataset;
}

/** Of a dataset by name: its generator, with its version and its sources' digests. */
function dataMade({ name = "", seed = 0 }: DataWords, { provenance }: Dataset): SpecData {
  const { definition } = findDataset(name);
  const { generator, sources, settings } = provenance;
  const digests = sources.flatMap(({ sha256 }) => Object.values(sha256));
  const identity = `${generator.name}@${generator.version} ${createHash("sha256").update(digests.join()).digest("hex")}`;
  const { places, ...what } = placesApart(settings, definition.places ?? []);
  return { name: definition.name, ...what, seed, ...(places && { places }), identity };
}

/** What a path leaves no choice of. */
function checkPath(words: DataWords): void {
  const { path, name, settings = {}, places = {}, seed = 0 } = words;
  if (path === undefined) {
    refusePrepared({ ...preparationOf(words), columns: words.columns }, name ?? "");
    return;
  }
  const given = {
    name: name !== undefined,
    settings: isFilled(settings),
    places: isFilled(places),
    seed: seed > 0,
  };
  const idle = Object.entries(given).find(([, isGiven]) => isGiven);
  if (idle === undefined) return;
  throw new CuelabError({
    kind: "usage",
    what: `${idle[0]} is for datasets by name; this one is made already`,
    where: path,
    todo: `leave data.${idle[0]} or data.path away`,
  });
}

/** Datasets by name are made in the size and the splits that their settings say. */
export function refusePrepared(
  { columns = {}, ...preparation }: Preparation & { columns?: ColumnWords | undefined },
  name: string,
): void {
  const [idle] = [...Object.keys(preparation), ...(isFilled(columns) ? ["columns"] : [])];
  if (idle === undefined) return;
  throw new CuelabError({
    kind: "usage",
    what: `"${idle}" is for images of your own, by path; a dataset by name has settings of its own`,
    where: name,
    todo: `cuelab data show ${name.split(":")[0]} lists them`,
  });
}

const isFilled = (values: object) => Object.keys(values).length > 0;

/** Two choices of one dataset hold the same. */
function keyOf(data: SpecData): string {
  const { identity, name, path, settings, places, seed, columns } = data;
  return JSON.stringify([identity, name, path, settings, places, seed, columns, preparationOf(data)]);
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
