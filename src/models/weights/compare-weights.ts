/** All that a file of weights holds otherwise than a network wants it, whatever data the network is for. */

import type { ImageShape } from "../../core/dataset.ts";
import { CuelabError } from "../../core/errors.ts";
import { type Model, type ModelOptions, resolveOptions } from "../model.ts";
import { fitsWholly, matchWeights, type Shaped, type WeightMatch } from "./match-weights.ts";
import { classesOfFile, gridFor, imageOfFile, wantedTensors } from "./network-shape.ts";

export interface WeightComparison extends Omit<WeightMatch, "sources"> {
  model: string;
  options: ModelOptions;
  /** Classes and images are the file's own: those of data decide nothing here. */
  classes: number | null;
  image: ImageShape;
  fits: boolean;
}

export function compareWeights(
  model: Model,
  given: ModelOptions,
  tensors: ReadonlyMap<string, Shaped>,
  /** That the file says it is of. */
  said?: ImageShape,
): WeightComparison {
  const options = resolveOptions(model, given);
  const classes = classesOfFile(model, tensors) ?? null;
  const wantedFor = (image: ImageShape) => ({
    image,
    wanted: wantedTensors(model, { options, classes: classes ?? 1, image }),
  });
  const { image, wanted } = firstTaken(wantedFor, said, imageOfFile(model, options, tensors));
  const grid = said && gridFor(model, options, said);
  const match = matchWeights(model, wanted, tensors, { grid });
  const { sources: _, ...told } = match;
  const fits = fitsWholly(match);
  return { model: model.name, options, classes, image, fits, ...told };
}

/** The file's own images can be too small for another form of the network, or no multiple of its patches. */
function firstTaken<Result>(
  of: (image: ImageShape) => Result,
  said: ImageShape | undefined,
  usual: ImageShape,
): Result {
  if (said === undefined) return of(usual);
  try {
    return of(said);
  } catch (cause) {
    if (cause instanceof CuelabError) return of(usual);
    throw cause;
  }
}
