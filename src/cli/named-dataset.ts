/** A dataset as people name it: made by name with its settings, or opened by path. */

import { existsSync } from "node:fs";
import type { Dataset } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import { nearest } from "../core/nearest.ts";
import { parseAssignments } from "../core/settings.ts";
import { datasets, findDataset, isDatasetName } from "../datasets/index.ts";
import { type ColumnMapping, openDataset } from "../formats/open-dataset.ts";

/** A name wins over a folder of the same name; a path has a slash or exists. */
export async function namedDataset(
  name: string,
  { set, seed }: { set: readonly string[]; seed: number },
  mapping: ColumnMapping,
): Promise<Dataset> {
  if (!isDatasetName(name) && (existsSync(name) || name.includes("/"))) {
    if (set.length > 0) {
      throw new CuelabError({
        kind: "usage",
        what: "--set is for datasets by name; this one is made already",
        where: name,
      });
    }
    return (await openDataset(name, mapping)).dataset;
  }
  if (!isDatasetName(name)) throw neither(name);
  const { definition, assignments } = findDataset(name);
  return definition.build(parseAssignments(definition.settings, [...assignments, ...set]), seed);
}

function neither(name: string): CuelabError {
  const close = nearest(name.split(":")[0]!, datasets.names);
  return new CuelabError({
    kind: "usage",
    what: `there is neither a dataset "${name}" nor such a file or folder`,
    expected: `a path, or one of: ${datasets.names.join(", ")}`,
    ...(close === undefined ? {} : { todo: `did you mean "${close}"?` }),
  });
}
