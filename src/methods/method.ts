/** What a mitigation method is: an equation over a batch, and what it is allowed to know. */

import type { z } from "zod";
import type { Shape, Tensor } from "../engine/expressions.ts";
import type { Initialiser } from "../engine/training/initialisers.ts";

/**
 * Which labels beside the class a method may see; what it may not see is not handed to it. `train-groups`: those of the
 * explicit cues, on training images.
 */
export type Supervision = "none" | "known-cues" | "validation-groups" | "train-groups";

/**
 * How the images of a batch are drawn. `shuffled`: every image once an epoch. `balanced-groups`: every occupied group
 * equally often, with replacement. `environments`: some groups a batch, equally many images of each.
 */
export type Sampling = "shuffled" | "balanced-groups" | "environments";

/** A network as methods write it in equations. */
export interface NetworkExpressions {
  /** [batch, …] → [batch, features]. */
  features(images: Tensor): Tensor;
  /** [batch, features] → [batch, classes]. */
  head(features: Tensor): Tensor;
  logits(images: Tensor): Tensor;
}

export interface Batch {
  readonly images: Tensor;
  /** Class of each image: [batch] of integers. */
  readonly labels: Tensor;
  /** Cross entropy of each image: [batch]. Where images are mixed, so is their loss. */
  losses(logits: Tensor): Tensor;
  /** Place of each image among the training images: [batch] of integers. */
  readonly indices: Tensor;
  /** Group of each image, class × explicit cues, among those that occur: [batch] of integers. For `train-groups`. */
  readonly groups: Tensor;
  /** What the explicit cues say together, among what occurs: [batch] of integers. For `train-groups`. */
  readonly bias: Tensor;
  /** How the batch falls into environments, up to `wanted` of them. For the sampling of that name. */
  environments(wanted: number): Environments;
}

/** The batch holds `count` groups one after the other, `size` images of each, which is an even number. */
export interface Environments {
  count: number;
  size: number;
}

/** What is known of the training images before the first step. */
export interface TrainingSet {
  /** Class of each image, in the order that `batch.indices` counts. */
  readonly labels: ArrayLike<number>;
  /** How many images each group has; all have some. For `train-groups`. */
  readonly groupSizes: ArrayLike<number>;
  /** How many combinations of the explicit cues occur. For `train-groups`. */
  readonly biasCount: number;
}

export interface MethodContext<Config> {
  network: NetworkExpressions;
  batch: Batch;
  training: TrainingSet;
  config: Config;
  /**
   * A tensor of the method's own that lives from step to step, with its first value: a constant, or numbers and their
   * shape (by default one axis). `next` says what it becomes.
   */
  state: (name: string, initial: Tensor | readonly number[], shape?: Shape) => Tensor;
  /** A trained tensor of the method's own. It is saved with the run, but is no part of the network that comes out. */
  parameter: (name: string, shape: Shape, initial: Initialiser) => Tensor;
  /** A second network like the first, with weights of its own, which `parameter`'s words hold for too. */
  twin: (name: string) => NetworkExpressions;
}

/** One update of the weights. */
export interface Pass {
  /** What the optimiser lowers: a scalar. */
  loss: Tensor;
}

export interface MethodStep extends Pass {
  /** Next values of the method's own state, by the names it was declared under. */
  next?: Readonly<Record<string, Tensor>>;
  /**
   * Further updates with the same batch, each with the weights that the one before it has left: an expression has the
   * value that it has then. An update moves the weights that its loss has a gradient for.
   */
  further?: readonly Pass[];
}

/** What a paper trained a method with on one dataset. */
export interface Preset<Settings = Readonly<Record<string, unknown>>> {
  /** Where the values are printed. */
  source: string;
  settings: Settings;
  optimiser: { name: "adam" | "sgd"; rate: number; weightDecay: number };
  epochs: number;
  batchSize: number;
}

export interface Method<Schema extends z.ZodObject = z.ZodObject> {
  name: string;
  title: string;
  paper: string;
  supervision: Supervision;
  /** Shuffled unless said otherwise. */
  sampling?: Sampling;
  /** An adversary may drive the loss up without end, and that is a result; elsewhere it ends a run early. */
  unboundedLoss?: true;
  settings: Schema;
  /** Values of settings to choose from. */
  search: Readonly<{ [Name in keyof z.input<Schema>]?: readonly z.input<Schema>[Name][] }>;
  /** By the dataset's name. */
  presets: Readonly<Record<string, Preset<z.input<Schema>>>>;
  build(context: MethodContext<z.output<Schema>>): MethodStep;
}

export function defineMethod<Schema extends z.ZodObject>(method: Method<Schema>): Method {
  return method as unknown as Method;
}
