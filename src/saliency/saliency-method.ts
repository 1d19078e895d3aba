/** What a way to see where a network looks is: a map an image, of how far each place speaks for a class. */

import type { ImageShape } from "../core/dataset.ts";
import type { Tensor } from "../engine/expressions.ts";
import type { State } from "../engine/state.ts";
import type { FeatureMap } from "../models/onnx/network.ts";

/** A network as far as maps need it. */
export interface SeenNetwork {
  /** In words, for messages. */
  name: string;
  image: ImageShape;
  classes: number;
  /** A row an image, of images as bytes, one after the other. */
  readonly logits: (images: Uint8Array, count: number) => Promise<Float32Array>;
  /** Undefined where the network cannot be differentiated: then logits are all there is. */
  gradients: DifferentiableNetwork | undefined;
}

export interface DifferentiableNetwork {
  /** Over floats [batch, rows, columns, channels] from 0 to 255. */
  readonly build: (images: Tensor) => SeenExpressions;
  /** Numbers that it gives an image. */
  classes: number;
  /** The weights as they are, which others may stand in for. */
  weights: State;
  /** Names of weights from the images to the logits. */
  order: readonly string[];
}

export interface SeenExpressions {
  logits: Tensor;
  features: Tensor | undefined;
  map: FeatureMap | undefined;
}

/** What a map explains: the logit of a class, or the features' part along a direction. */
export type SeenTarget = "logits" | "features";

interface MapOptions {
  /** Images that are computed at once. */
  batch: number;
  threads: number;
  seed: number;
  /** A colour for what is hidden, and where integrated gradients begin; one number a channel. */
  fill: readonly number[];
  /** By default logits; features only where `explains` has them. */
  of?: SeenTarget;
}

export interface Maps {
  /** [images, rows, columns], of the images' own size; above 0 speaks for the class. */
  values: Float32Array;
  /** What the method says of itself, an image. */
  notes: Readonly<Record<string, Float32Array>>;
}

export interface MapMaker {
  /** `rows` has a number a class (or feature) for each image: 1 for the class that is asked about, else 0. */
  readonly maps: (images: Uint8Array, rows: Float32Array, weights?: State) => Promise<Maps>;
  readonly close: () => Promise<void>;
}

export interface SaliencyMethod {
  name: string;
  title: string;
  /** What its map shows, in a sentence. */
  description: string;
  paper: string;
  needs: "gradients" | "logits";
  /** What of a network it can explain. */
  explains: readonly SeenTarget[];
  readonly open: (network: SeenNetwork, options: MapOptions) => Promise<MapMaker>;
}

/** One row an image with 1 at its class. */
export function rowsOfClasses(chosen: ArrayLike<number>, classes: number): Float32Array {
  const rows = new Float32Array(chosen.length * classes);
  for (let i = 0; i < chosen.length; i++) rows[i * classes + chosen[i]!] = 1;
  return rows;
}

/** Numbers an image has. */
export function imageSize({ height, width, channels }: ImageShape): number {
  return height * width * channels;
}
