/** Every dataset that the lab can make. Adding one is a file beside this and a line here. */

import { CuelabError } from "../core/errors.ts";
import { Registry } from "../core/registry.ts";
import { biasedMnist } from "./biased-mnist.ts";
import { celeba } from "./celeba.ts";
import { coloredMnist } from "./colored-mnist.ts";
import { type DatasetDefinition, withRecipe } from "./definition.ts";
import { diagvib } from "./diagvib.ts";
import { diagvibStudy } from "./diagvib-study.ts";
import { hardSpurious } from "./hard-spurious.ts";
import { urbanCars } from "./urban-cars.ts";

export const datasets = new Registry(
  "dataset",
  [coloredMnist, biasedMnist, diagvib, diagvibStudy, celeba, hardSpurious, urbanCars].map(withRecipe),
  { plugins: "datasets", adopt: withRecipe },
);

export type { DatasetDefinition } from "./definition.ts";
export { biasedMnist, celeba, coloredMnist, diagvib, diagvibStudy, hardSpurious, urbanCars };

export interface NamedDataset {
  definition: DatasetDefinition;
  /** What a name such as `diagvib-study:shape-hue-ZGO-0` sets, as `key=value`. */
  assignments: readonly string[];
}

/** Finds `name`, or `name:variant`. */
export function findDataset(text: string): NamedDataset {
  const [name, ...rest] = text.split(":");
  const definition = datasets.get(name!);
  if (rest.length === 0) return { definition, assignments: [] };
  const assignments = definition.variants?.assignments(rest.join(":"));
  if (assignments !== undefined) return { definition, assignments };
  throw new CuelabError({
    kind: "usage",
    what: `${name} has no variant "${rest.join(":")}"`,
    ...(definition.variants === undefined
      ? { todo: `set it with --set; its settings: cuelab data show ${name}` }
      : {
          expected: `${name}:${definition.variants.pattern}, such as ${name}:${definition.variants.names()[0]}`,
          todo: `cuelab data list ${name}`,
        }),
  });
}

/** Whether this names a dataset that can be made, rather than a path. */
export function isDatasetName(text: string): boolean {
  return datasets.has(text.split(":")[0]!);
}
