/** What a mitigation method is: an equation over a batch, and what it is allowed to know. */

import type { z } from "zod";
import type { Shape, Tensor } from "../engine/expressions.ts";

/** Which labels beside the class a method may see; what it may not see is not handed to it. */
export type Supervision = "none" | "known-cues" | "validation-groups" | "train-groups";

/** A network as methods write it in equations. */
export interface NetworkExpressions {
  /** [batch, …] → [batch, features]. */
  features(images: Tensor): Tensor;
  /** [batch, features] → [batch, classes]. */
  head(features: Tensor): Tensor;
  logits(images: Tensor): Tensor;
}

export interface Batch {
  images: Tensor;
  /** Class of each image: [batch] of integers. */
  labels: Tensor;
  /** Cross entropy of each image: [batch]. Where images are mixed, so is their loss. */
  losses(logits: Tensor): Tensor;
}

export interface MethodContext<Config> {
  network: NetworkExpressions;
  batch: Batch;
  config: Config;
  /**
   * A tensor of the method's own that lives from step to step, with its first value: a constant, or numbers and their
   * shape (by default one axis). `next` says what it becomes.
   */
  state: (name: string, initial: Tensor | readonly number[], shape?: Shape) => Tensor;
}

export interface MethodStep {
  /** What the optimiser lowers: a scalar. */
  loss: Tensor;
  /** Next values of the method's own state, by the names it was declared under. */
  next?: Readonly<Record<string, Tensor>>;
}

export interface Method<Schema extends z.ZodObject = z.ZodObject> {
  name: string;
  title: string;
  paper: string;
  supervision: Supervision;
  settings: Schema;
  build(context: MethodContext<z.output<Schema>>): MethodStep;
}

export function defineMethod<Schema extends z.ZodObject>(method: Method<Schema>): Method {
  return method as unknown as Method;
}
