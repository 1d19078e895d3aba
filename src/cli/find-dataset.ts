/** A dataset that a command was given: one of ours by name, made on the fly, or a path. */

import { existsSync } from "node:fs";
import type { Dataset } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import { parseAssignments } from "../core/settings.ts";
import { findDataset, isDatasetName } from "../datasets/index.ts";
import { openDataset } from "../formats/open-dataset.ts";
import { type MappingOptions, mappingOf } from "./options.ts";

/** A name wins over a folder of the same name; a path has a slash or exists. */
export async function findByNameOrPath(
  name: string,
  options: MappingOptions & { set: string[]; seed: number },
): Promise<Dataset> {
  if (!isDatasetName(name) && (existsSync(name) || name.includes("/"))) {
    if (options.set.length > 0) {
      throw new CuelabError({
        kind: "usage",
        what: "--set is for datasets by name; this one is made already",
        where: name,
      });
    }
    return (await openDataset(name, mappingOf(options))).dataset;
  }
  const { definition, assignments } = findDataset(name);
  return definition.build(
    parseAssignments(definition.settings, [...assignments, ...options.set]),
    options.seed,
  );
}
