/** Waterbirds' own table: the environments of Salaudeen et al. 2025, which are no column of it. */

import { lookUp } from "../core/look-up.ts";
import { splitName } from "../core/split-names.ts";
import { ReadColumn } from "./columns.ts";
import type { StoredDataset } from "./stored-dataset.ts";

/** By which the table is recognised, of group DRO's release and of WILDS'. */
const columns = ["y", "split", "place", "place_filename"];

function isWaterbirds(names: readonly string[]): boolean {
  return columns.every((name) => names.includes(name));
}

/** With an attribute `environment`: 0 is the training split, 1 validation and test together. Splits stay as they are. */
export function withEnvironments(stored: StoredDataset): StoredDataset {
  const split = stored.columns.get("split");
  if (split === undefined || stored.columns.has("environment") || !isWaterbirds([...stored.columns.keys()]))
    return stored;
  const environment = new ReadColumn("environment");
  const names = new Map(split.values.map((value) => [value, splitName(value) === "train" ? "0" : "1"]));
  for (let row = 0; row < split.length; row++) environment.push(lookUp(names, split.at(row)));
  return {
    ...stored,
    columns: new Map([...stored.columns, [environment.name, environment]]),
    roles: { ...stored.roles, environment: "other" },
    warnings: [
      ...(stored.warnings ?? []),
      "read as Waterbirds: environment 0 is its training split, 1 validation and test",
    ],
  };
}
