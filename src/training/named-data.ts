/** Data as people name it, by name with its settings or by path: in the words of a spec, or opened. */

import { existsSync } from "node:fs";
import type { Dataset } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import { didYouMean } from "../core/nearest.ts";
import { parseAssignments } from "../core/settings.ts";
import { datasets, findDataset, isDatasetName } from "../datasets/index.ts";
import type { ColumnMapping, ColumnWords } from "../layouts/column-mapping.ts";
import { type Preparation, preparationOf } from "../layouts/preparation.ts";
import { type DataWords, refusePrepared } from "./data-book.ts";
import { openData } from "./training-data.ts";

/** How data by path is read: made ready, and with columns or folders that mean so and so. */
export interface DataReading extends Preparation {
  columns?: ColumnWords | undefined;
}

export interface NamedDataOptions extends DataReading {
  set: readonly string[];
  /** Of a dataset by name. */
  dataSeed?: number | undefined;
}

/** A name wins over a folder of the same name; a path has a slash or exists. */
export function dataWordsOf(
  data: string,
  { set, dataSeed, columns, ...rest }: NamedDataOptions,
): Omit<DataWords, "environments"> {
  const byPath = !isDatasetName(data) && (existsSync(data) || data.includes("/"));
  if (!byPath && !isDatasetName(data)) throw neither(data);
  if (byPath && (set.length > 0 || dataSeed !== undefined)) {
    throw new CuelabError({
      kind: "usage",
      what: `${set.length > 0 ? "--set" : "--data-seed"} is for datasets by name; this one is made already`,
      where: data,
    });
  }
  const prepared = preparationOf(rest);
  if (byPath) return { path: data, ...(columns && { columns }), ...prepared };
  refusePrepared({ ...prepared, columns }, data);
  const { definition, assignments } = findDataset(data);
  return {
    name: definition.name,
    settings: parseAssignments(definition.settings, [...assignments, ...set]),
    seed: dataSeed ?? 0,
  };
}

/** For commands that need no labels: images of one's own that nobody has labelled will do. */
export function unlabelledToo<Words extends DataWords>(words: Words): Words {
  return words.path === undefined || words.labels !== undefined ? words : { ...words, labels: "if-any" };
}

/** Images of one's own in the size that those had which a run was trained on, unless another is said. */
export function asTrained<Words extends DataWords>(words: Words, { size, fit }: Preparation): Words {
  if (words.path === undefined || words.size !== undefined || size === undefined) return words;
  return { ...words, ...preparationOf({ size, fit }) };
}

/** For commands with one seed for everything: data that is made already has its own. */
export function seedOfData(data: string, seed: number): Pick<NamedDataOptions, "dataSeed"> {
  return isDatasetName(data) ? { dataSeed: seed } : {};
}

export async function namedDataset(
  data: string,
  options: NamedDataOptions,
  mapping?: Pick<ColumnMapping, "labels" | "together">,
): Promise<Dataset> {
  return (await openData(dataWordsOf(data, options), mapping)).dataset;
}

function neither(name: string): CuelabError {
  return new CuelabError({
    kind: "usage",
    what: `there is neither a dataset "${name}" nor such a file or folder`,
    expected: `a path, or one of: ${datasets.names.join(", ")}`,
    ...didYouMean(name.split(":")[0]!, datasets.names),
  });
}
