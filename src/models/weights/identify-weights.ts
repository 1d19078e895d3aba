/** Which networks a file of weights could belong to. */

import { models } from "../index.ts";
import type { Model, ModelOptions } from "../model.ts";
import { fitsWholly, matchWeights, type Shaped } from "./match-weights.ts";
import { classesOfFile, imageOfFile, wantedTensors } from "./network-shape.ts";

export interface Candidate {
  model: string;
  /** Other than the network's own. */
  options: ModelOptions;
  names: string;
  /** What stands before them in the file. */
  prefix: string;
  /** Null where it holds no head of the usual form. */
  classes: number | null;
}

/** Tried as published, and with the small stem; a file without a head fits too. */
export function identifyWeights(file: ReadonlyMap<string, Shaped>): Candidate[] {
  return models.entries
    .filter(({ small }) => small !== undefined)
    .flatMap((model) => candidates(model, file));
}

function candidates(model: Model, file: ReadonlyMap<string, Shaped>): Candidate[] {
  const variants: ModelOptions[] = "stem" in model.defaults ? [{}, { stem: "small" }] : [{}];
  return variants.flatMap((options) => {
    const image = imageOfFile(model, options, file);
    const match = matchWeights(model, wantedTensors(model, { options, classes: 1, image }), file, {
      freshHead: true,
    });
    if (!fitsWholly(match)) return [];
    const { names, prefix } = match;
    return [{ model: model.name, options, names, prefix, classes: classesOfFile(model, file) ?? null }];
  });
}
