/** What decides the shapes of a network's parameters, and what they then are. */

import type { ImageShape } from "../../core/dataset.ts";
import { input } from "../../engine/expressions.ts";
import { type Model, type ModelOptions, Network } from "../model.ts";
import type { WantedTensor } from "./match-weights.ts";

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
