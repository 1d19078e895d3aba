/** One stage of a method: which images, how they are drawn, what is trained by which loss, and what is wanted of it. */

import type { Shape, Tensor } from "../engine/expressions.ts";
import type { ViewUse } from "../views/view.ts";
import type { Batch, Known, Made, NetworkExpressions, Own, Part, Weights } from "./method.ts";

/**
 * Which images, and how often: all of a part, those at some places (again where a place is named again), or each as often
 * as its weight says, drawn with replacement.
 */
export type From = Part | { part: Part; places: Uint32Array } | { part: Part; weights: Float32Array };

/**
 * How the images of a batch are drawn. `shuffled`: every image once an epoch. `balanced-groups`: every occupied group
 * equally often, with replacement. `environments`: some groups a batch, equally many images of each.
 */
export type Sampling = "shuffled" | "balanced-groups" | "environments";

export interface StageOptimiser {
  name?: "adam" | "adamw" | "sgd";
  rate?: number;
  weightDecay?: number;
  momentum?: number;
  schedule?: "constant" | "cosine";
}

/**
 * A convex problem over features, solved to the end instead of stepped along: the stage's loss and
 * l1·Σ|w| + l2/2·Σw² over weights, not biases. `over` says whether the loss is a sum over images or their mean.
 */
export interface Solve {
  l1?: number;
  l2?: number;
  over: "sum" | "mean";
  /** Largest slope that is left, of the mean loss; by default 1e-5, or a fiftieth of the l1 beside it where that is less. */
  tolerance?: number;
  /** Steps after which it is an error not to have got there; by default 10,000. */
  most?: number;
}

/** Outputs that a later stage needs, of the network as the stage leaves it and of images as they are. */
export interface Wanted {
  of: From;
  logits?: true;
  features?: true;
  losses?: true;
}

export interface StageContext {
  network: NetworkExpressions;
  own: Own;
  batch: Batch;
  /** A second batch, drawn independently of the first. */
  readonly other: () => Batch;
  classes: number;
  /**
   * A tensor of the method's own that lives from step to step, with its first value: a constant, or numbers and their
   * shape (by default one axis). `next` says what it becomes.
   */
  readonly state: (name: string, initial: Tensor | readonly number[], shape?: Shape) => Tensor;
  /** Numbers drawn anew at every step. */
  readonly random: (name: string, shape: Shape, distribution?: "uniform" | "normal") => Tensor;
}

/** One update of the weights. */
export interface Pass {
  /** What the optimiser lowers: a scalar. */
  loss: Tensor;
  /** `network`, or things of the method's own by name; by default all that the loss has a gradient for. */
  moves?: readonly string[];
  /** Where it is another than the stage's. */
  optimiser?: StageOptimiser;
}

export interface FurtherPass extends Pass {
  /**
   * With the weights that the update before it began with, and in one go with it: what both need is computed once. It must
   * move other things.
   */
  together?: true;
}

/** Adam without decay, as a network beside the run's own is trained. */
export function plainAdam(rate: number): { name: "adam"; rate: number; weightDecay: number } {
  return { name: "adam", rate, weightDecay: 0 };
}

/** What plays against, or beside, the network: it moves at the same time by Adam at a rate of its own. */
export function besideNetwork(loss: Tensor, moves: string, rate: number): FurtherPass {
  return { loss, moves: [moves], optimiser: plainAdam(rate), together: true };
}

export interface Step extends Pass {
  /** Next values of the method's own state, by the names it was declared under. */
  next?: Readonly<Record<string, Tensor>>;
  /**
   * Further updates with the same batch, each with the weights that the one before it has left, unless it is made together
   * with that: an expression has the value that it has then.
   */
  further?: readonly FurtherPass[];
  /** Numbers [batch] or scalars whose mean over an epoch becomes a column of the history. */
  columns?: Readonly<Record<string, Tensor>>;
}

/**
 * What a method takes each image of a part to be: the higher the score, the more it takes the image for one that a shortcut
 * misleads; above the threshold it acts so. An image that it has not looked at has NaN.
 */
export interface Inferred {
  scores: Float32Array;
  threshold: number;
}

/** Values of the stage's `state`, by name, as its last step has left them. */
export type StateLeft = (name: string) => Float32Array;

export interface Stage {
  /** Unlike the names of the method's other stages. */
  name: string;
  /** By default all training images. */
  from?: From;
  /** Images, features of the network as it now is, or nothing but columns. */
  inputs?: "images" | "features" | "none";
  /**
   * Features are brought to mean 0 and deviation 1 over the stage's images, or over all of a part; undone in the weights that
   * come out.
   */
  standardise?: boolean | Part;
  /** Further views of a batch's images, by name: each a change, or several one after the other. */
  views?: Readonly<Record<string, ViewUse | readonly ViewUse[]>>;
  /** A number an image of the part, by name. */
  columns?: Readonly<Record<string, Float32Array>>;
  /** Groups of the part's images that were inferred, instead of those that supervision gives. */
  groups?: { codes: Int32Array; count: number };
  sampling?: Sampling;
  /** With the weights as they are, with the run's first ones, or with these where they are given. */
  begin?: "go-on" | "fresh" | Weights;
  /** Layers of the network that stay as they are, beside those that the run freezes. */
  freeze?: readonly string[];
  /**
   * By default as long as the run is asked for, and then accuracies are measured in its course; `run` is as long, before
   * another stage that is so too.
   */
  length?: { epochs: number } | { steps: number } | "run";
  /** Images a step, where it is not the run's number. */
  batch?: number | "full";
  optimiser?: StageOptimiser;
  solve?: Solve;
  /** Over features its loss is a convex sum over images in all that it trains, so that a run may ask for its end instead of steps. */
  convex?: true;
  /** l1·Σ|w| + l2/2·Σw² over the last layer's weights beside the loss, in a stage on features that is stepped along. */
  penalise?: { l1?: number; l2?: number };
  /**
   * Whether one of its epochs is chosen by the run's rule; else its last weights are kept. Or it is chosen by the least of a
   * number of its own, `loss` or one of its history's columns, over validation images as they are: no labels, no update.
   */
  selected?: boolean | { by: string };
  /** An adversary may drive the loss up without end, and that is a result; elsewhere it ends a run early. */
  unboundedLoss?: true;
  readonly build: (context: StageContext) => Step;
  wants?: readonly Wanted[];
  /** What people should know of how the method meets these data, told when the stage begins. */
  notes?: readonly string[];
  /** Numbers of the method's own that are kept with the run's results when the stage begins, by name. */
  numbers?: Readonly<Record<string, number>>;
  /** Numbers an image of the part that are written to the run, such as inferred groups, by name. */
  reports?: Readonly<Record<string, Float32Array | Int32Array>>;
  /**
   * What the method has inferred of the part's images when the stage ends, by name. The run judges it by the labels of cues,
   * which the method is not told.
   */
  readonly infers?: (state: StateLeft) => Readonly<Record<string, Inferred>>;
}

/** What is known of the training images before the first step. */
export interface TrainingSet {
  /** Class of each image, in the order that `batch.indices` counts. */
  readonly labels: Int32Array;
  /** How many images each group has; all have some. */
  readonly groupSizes: ArrayLike<number>;
  /** How many combinations of the explicit cues occur. */
  readonly biasCount: number;
}

export interface OnceContext<Config> extends StageContext {
  config: Config;
  training: TrainingSet;
}

export interface OnlyStage<Config> extends Pick<Stage, "sampling" | "convex" | "unboundedLoss" | "views"> {
  readonly build: (context: OnceContext<Config>) => Step;
  readonly infers?: (
    state: StateLeft,
    context: Pick<OnceContext<Config>, "config" | "training" | "classes">,
  ) => Readonly<Record<string, Inferred>>;
}

/** The stages of a method that has one. */
export function once<Config>({
  build,
  infers,
  ...stage
}: OnlyStage<Config>): (known: Known<Config>) => Generator<Stage, undefined, Made> {
  return function* (known) {
    const training: TrainingSet = {
      get labels() {
        return known.labels("train");
      },
      get groupSizes() {
        return known.groups("train").sizes;
      },
      get biasCount() {
        return known.bias("train").sizes.length;
      },
    };
    yield {
      ...stage,
      name: "train",
      build: (context) => build({ ...context, config: known.config, training }),
      ...(infers && {
        infers: (state) => infers(state, { config: known.config, classes: known.classes, training }),
      }),
    };
    return undefined;
  };
}
