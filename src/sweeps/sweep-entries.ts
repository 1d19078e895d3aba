/** The entries of a sweep one by one: what each runs, all layers of the file laid over each other, and how it is searched. */

import { basename } from "node:path";
import { CuelabError } from "../core/errors.ts";
import { merged, type Tree } from "./points.ts";
import type { PartialSearch, Sweep, SweepSearch } from "./sweep-file.ts";

export interface SweepEntry {
  label: string;
  /** Of the file's list of datasets, where it has one. */
  dataset: string | undefined;
  /** In the words of a run's spec. */
  words: Tree;
  /** What its dataset offers to methods that may be told of cues; an entry's own words win. */
  cues: unknown;
  search: SweepSearch | undefined;
}

/** Datasets go through all entries one after the other; an entry's own words lie on top. */
export function sweepEntries({ base, runs, datasets, search }: Sweep): SweepEntry[] {
  const columns = datasets?.map((words) => ({ name: datasetLabel(words), words })) ?? [
    { name: undefined, words: {} },
  ];
  return columns.flatMap(({ name, words }) => {
    const { label: _, search: ofData, ...below } = words as Tree & { search?: PartialSearch };
    const { explicit: cues, ...method } = (below.method ?? {}) as Tree;
    const layer = cues === undefined ? below : { ...below, method };
    return runs.map(({ label, search: own, ...over }): SweepEntry => {
      const where = name === undefined ? `entry "${label}"` : `entry "${label}" on ${name}`;
      return {
        label,
        dataset: name,
        words: merged(merged(base, layer), over),
        cues,
        search: searchOf([search, ofData, own], where),
      };
    });
  });
}

/** `ERM`, or `ERM on urban-cars` where there are several datasets. */
export function entryName({ label, dataset }: Pick<SweepEntry, "label" | "dataset">): string {
  return dataset === undefined ? label : `${label} on ${dataset}`;
}

/** As it is labelled, else by its name, else by its folder's. */
export function datasetLabel({ label, data }: { label?: string | undefined; data: Tree }): string {
  const { name, path } = data as { name?: string; path?: string };
  return label ?? name ?? basename(path ?? "data");
}

/** Each layer replaces whole keys of those below; `false` searches nothing. */
function searchOf(
  layers: readonly (PartialSearch | SweepSearch | false | undefined)[],
  where: string,
): SweepSearch | undefined {
  const all: PartialSearch = {};
  for (const layer of layers) {
    if (layer === false) return undefined;
    Object.assign(all, layer);
  }
  if (Object.keys(all).length === 0) return undefined;
  const { stages, select, seed = 0, alsoSelect } = all;
  if (stages !== undefined && select !== undefined)
    return { stages, select, seed, ...(alsoSelect && { alsoSelect }) };
  throw new CuelabError({
    kind: "usage",
    what: `a search has no ${stages === undefined ? "stages" : "select"}`,
    where,
    expected: "stages and select, both in the sweep's search, its dataset's or the entry's own",
  });
}
