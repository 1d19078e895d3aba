/** What decides the shapes of a network's parameters, and what they then are. */

import type { ImageShape } from "../../core/dataset.ts";
import { input } from "../../engine/expressions.ts";
import { type Model, type ModelOptions, Network, resolveOptions } from "../model.ts";
import { type Shaped, shapeInFile, type WantedTensor } from "./match-weights.ts";
import { type Grid, patchGrid, positions, squareGrid } from "./position-embedding.ts";

/** A network as it will be used: what decides the shapes of its parameters. */
export interface NetworkShape {
  options: ModelOptions;
  classes: number;
  image: ImageShape;
}

/** The parameters and running statistics of a network, without their values. */
export function wantedTensors(model: Model, { options, classes, image }: NetworkShape): WantedTensor[] {
  const network = new Network(model, { classes, mode: "evaluate", options });
  network.logits(input("images", [1, image.channels, image.height, image.width]));
  return network.parameters.all.map(({ name, tensor }) => ({ name, shape: tensor.shape }));
}

/** Into which patches a network cuts images; undefined for one that does not. */
export function gridFor(model: Model, options: ModelOptions, image: ImageShape): Grid | undefined {
  const patch = patchOf(model, options);
  return patch === undefined ? undefined : patchGrid(image, patch);
}

function patchOf(model: Model, options: ModelOptions): number | undefined {
  const { patch } = resolveOptions(model, options);
  return patch === undefined ? undefined : Number(patch);
}

/** Images such as a file was made for, as far as its tensors tell: most networks take them of any size. */
export function imageOfFile(
  model: Model,
  options: ModelOptions,
  file: ReadonlyMap<string, Shaped>,
): ImageShape {
  const patch = patchOf(model, options);
  const places = shapeInFile(model, file, positions)?.[1];
  if (patch === undefined || places === undefined || places < 2)
    return { height: 224, width: 224, channels: 3 };
  // Of a grid that is no square the file tells the patches and not the rows: one row has as many, too.
  const { rows, columns } = squareGrid(places - 1) ?? { rows: 1, columns: places - 1 };
  return { height: rows * patch, width: columns * patch, channels: 3 };
}

/** Undefined where the file holds no head of the usual form. */
export function classesOfFile(model: Model, file: ReadonlyMap<string, Shaped>): number | undefined {
  return shapeInFile(model, file, `${model.head}.bias`)?.[0];
}
