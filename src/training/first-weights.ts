/** What a file of weights gives to the network of a run. */

import type { ImageShape } from "../core/dataset.ts";
import { models } from "../models/index.ts";
import { checkImageSize } from "../models/model.ts";
import { identifyWeights } from "../models/weights/identify-weights.ts";
import { type TakeOptions, takeWeights, type WeightFile } from "../models/weights/take-weights.ts";
import type { RunSpec } from "./run-spec.ts";
import { readWeights } from "./weights.ts";

/** Values by parameter, or undefined where a run begins with random ones. */
export async function firstWeights(
  { weights, model: { name, options } }: Pick<RunSpec, "weights" | "model">,
  { classes, image }: { classes: number; image: ImageShape },
  { freshHead = weights?.freshHead ?? false, onGuess }: TakeOptions = {},
): Promise<ReadonlyMap<string, Float32Array> | undefined> {
  if (weights === undefined) return undefined;
  const { path = "" } = weights;
  const model = models.get(name);
  const file = await readWeights(weights);
  checkImageSize(model, options, image, { stemIsGiven: () => stemOf(file, name) !== "small" });
  return takeWeights(model, { options, classes, image }, file, path, { freshHead, onGuess });
}

/** As the file says itself, or as its tensors look. */
function stemOf({ of, tensors }: WeightFile, model: string): number | string | undefined {
  const options = of?.options ?? identifyWeights(tensors).find((likely) => likely.model === model)?.options;
  return options?.stem;
}
