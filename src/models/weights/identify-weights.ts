/** Which networks a file of weights could belong to. */

import { models } from "../index.ts";
import { aliasesOf, type Model, type ModelOptions } from "../model.ts";
import { fitsWholly, matchWeights, type Shaped } from "./match-weights.ts";
import { wantedTensors } from "./network-shape.ts";

export interface Candidate {
  model: string;
  /** Other than the network's own. */
  options: ModelOptions;
  names: string;
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
  const image = { height: 224, width: 224, channels: 3 };
  return variants.flatMap((options) => {
    const wanted = wantedTensors(model, { options, classes: 1, image });
    const { names } = matchWeights(model, wanted, file);
    const match = matchWeights(model, wanted, file, { freshHead: true });
    if (!fitsWholly(match)) return [];
    const head = aliasesOf(model)[names]!(`${model.head}.bias`);
    const source = [...file].find(([name]) => name.endsWith(head));
    return [{ model: model.name, options, names, classes: source?.[1].shape[0] ?? null }];
  });
}
