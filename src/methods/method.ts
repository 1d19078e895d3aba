/** What a mitigation method is: stages of training, an equation for each, and what it is allowed to know. */

import type { z } from "zod";
import type { Random } from "../core/random.ts";
import type { Shape, Tensor } from "../engine/expressions.ts";
import type { Initialiser } from "../engine/training/initialisers.ts";
import type { Layers } from "../models/layers.ts";
import type { ViewUse } from "../views/view.ts";
import type { Stage } from "./stage.ts";

/** Images that a method can be handed: those of training, or of validation. */
export type Part = "train" | "val";

/**
 * Everything that a method is handed beside training images and their classes. What is not named here is not handed over,
 * in any stage.
 */
export interface Supervision {
  /** Labels of the explicit cues, on the images of these parts. */
  groups?: readonly Part[];
  /** Validation images and their classes are trained on, and not only chosen by. */
  trainsOnVal?: true;
  /** Pictures that go with an image, such as masks, by name. */
  sides?: readonly string[];
  /** Where things are in an image, by the thing's name. */
  boxes?: readonly string[];
}

/** A network as methods write it in equations. */
export interface NetworkExpressions {
  /** Pixels from 0 to 1 [batch, channels, rows, columns], as the network takes them: what `features` takes beside bytes. */
  prepared(pixels: Tensor): Tensor;
  /** [batch, …] → [batch, features]. */
  features(images: Tensor): Tensor;
  /** [batch, features] → [batch, classes]. */
  head(features: Tensor): Tensor;
  logits(images: Tensor): Tensor;
  /** The mean over rows and columns of an earlier layer's map, by the layer's name: [batch, channels]. */
  layer(images: Tensor, name: string): Tensor;
}

/**
 * What a method trains beside the network, saved with the run; what its `predict` uses is part of the model that comes
 * out. One name, one thing, in every stage.
 */
export interface Own {
  readonly parameter: (name: string, shape: Shape, initial: Initialiser) => Tensor;
  /** A linear layer that begins as PyTorch's do: [batch, inputs] → [batch, width]. */
  readonly linear: (name: string, width: number) => (inputs: Tensor) => Tensor;
  /** A second network like the first, with weights of its own. */
  readonly twin: (name: string) => NetworkExpressions;
  /** Layers of any network: an encoder, a decoder, a lens. */
  readonly layers: (name: string) => Layers;
  /**
   * Says that `name.weight` and `name.bias`, once or several times over, stand in the place of the network's last layer: a run on
   * features that begins from that layer begins them with it, too.
   */
  readonly asHead: (name: string) => void;
}

export interface Batch {
  /** How many images it has. */
  readonly size: number;
  /**
   * What the stage's network takes: bytes [batch, rows, columns, channels], changed by the run's own augmentations, or
   * [batch, features], as the network gave them when the stage began.
   */
  readonly inputs: Tensor;
  /** The same images by one of the stage's views, and then by the run's own augmentations. */
  readonly view: (name: string) => Tensor;
  /** Which of its changes the view made of each image: [batch] of integers. */
  readonly code: (view: string) => Tensor;
  /** How much of each image the view has left its own: [batch]. */
  readonly share: (view: string) => Tensor;
  /** Class of each image: [batch] of integers. */
  readonly labels: Tensor;
  /** Cross entropy of each image: [batch], with other labels where they are given. Where images are mixed, so is their loss. */
  readonly losses: (logits: Tensor, labels?: Tensor) => Tensor;
  /** Place of each image in the stage's part: [batch] of integers. */
  readonly indices: Tensor;
  /** A number of each image that the stage brought along: [batch]. */
  readonly column: (name: string) => Tensor;
  /** Group of each image among those that occur, class × explicit cues or as the stage says: [batch] of integers. */
  readonly groups: Tensor;
  /** What the explicit cues say together, among what occurs: [batch] of integers. */
  readonly bias: Tensor;
  /** How the batch falls into environments, up to `wanted` of them. For the sampling of that name. */
  readonly environments: (wanted: number) => Environments;
}

/** The batch holds `count` groups one after the other, `size` images of each, which is an even number. */
export interface Environments {
  count: number;
  size: number;
}

/** Some way of numbering images: codes from 0, and how many images each has; all have some. */
export interface Numbered {
  codes: Int32Array;
  sizes: ArrayLike<number>;
}

/** What a method knows before anything is trained. */
export interface Known<Config> {
  config: Config;
  classes: number;
  /** How many epochs the run is asked for; stages with a length of their own do not count. */
  epochs: number;
  /** Class of each image of a part, in the part's order, which all that follows has too. */
  readonly labels: (part: Part) => Int32Array;
  /** By class × explicit cues, numbered as they occur. */
  readonly groups: (part: Part) => Numbered;
  /** By the explicit cues alone. */
  readonly bias: (part: Part) => Numbered;
  /** Random numbers of the run's seed and this purpose. */
  readonly random: (purpose: string) => Random;
}

/** Values by parameter: the network's under its names, a method's own under `branch/` and its name. */
export type Weights = ReadonlyMap<string, Float32Array>;

/** What a finished stage has left. */
export interface Made {
  /** Of the network and of what is the method's own. */
  weights: Weights;
  /** One of the method's own parameters. */
  readonly parameter: (name: string) => Float32Array;
  /** In the order of the stage's `wants`. */
  outputs: readonly Outputs[];
}

/** Row by row, in the order of the images that were asked for. */
export interface Outputs {
  /** [images, classes] */
  logits: Float32Array;
  /** [images, features] */
  features: Float32Array;
  /** Cross entropy of each. */
  losses: Float32Array;
}

export interface PredictContext<Config> {
  network: NetworkExpressions;
  own: Own;
  /** As a batch's. */
  inputs: Tensor;
  classes: number;
  known: Pick<Known<Config>, "config" | "bias">;
}

/** What a paper trained a method with on one dataset. */
export interface Preset<Settings = Readonly<Record<string, unknown>>> {
  /** Where the values are printed. */
  source: string;
  settings: Settings;
  optimiser: { name: "adam" | "sgd"; rate: number; weightDecay: number };
  epochs: number;
  batchSize: number;
  /** Changes of training images. */
  augment?: readonly ViewUse[];
  /** Which epoch is kept. */
  select?: { by: string; groups?: readonly string[] };
}

export interface Method<Schema extends z.ZodObject = z.ZodObject> {
  name: string;
  /** Raised whenever equal settings and seed would give other weights: part of a run's id. */
  version: number;
  title: string;
  paper: string;
  /** Fixed, or as the settings say. */
  supervision: Supervision | ((config: z.output<Schema>) => Supervision);
  settings: Schema;
  /** Values of settings to choose from. */
  search: Readonly<{ [Name in keyof z.input<Schema>]?: readonly z.input<Schema>[Name][] }>;
  /** By the dataset's name. */
  presets: Readonly<Record<string, Preset<z.input<Schema>>>>;
  /**
   * Yields stage after stage, and is handed what each has left; what it returns are the values that the run keeps, where
   * they are not those of its last stage. It is pure and replayed: a run that goes on calls it again and answers the
   * stages that are done from disk. So it may read nothing but what it is handed.
   */
  stages(known: Known<z.output<Schema>>): Generator<Stage, Weights | undefined, Made>;
  /** Logits [batch, classes], where they are not the network's own. */
  predict?(context: PredictContext<z.output<Schema>>): Tensor;
  /** Further outputs of the exported model, by name: a decoder's image, a lens, the last map. None of inputs that are no images. */
  shows?: Readonly<Record<string, (context: PredictContext<z.output<Schema>>) => Tensor>>;
  /**
   * Pictures of what it has learnt, drawn of a few images when the run ends, by name: values from 0 to 1,
   * [rows, columns of the picture, channels, rows, columns of an image].
   */
  draws?: Readonly<Record<string, (context: PredictContext<z.output<Schema>>) => Tensor>>;
}

/** A method among others, that still tells the type of its settings. */
export type TypedMethod<Schema extends z.ZodObject> = Method & { readonly typed?: Schema };

export function defineMethod<Schema extends z.ZodObject>(method: Method<Schema>): TypedMethod<Schema> {
  return method as unknown as TypedMethod<Schema>;
}

/** What a method may see with these settings. */
export function supervisionOf(
  { supervision }: Pick<Method, "supervision">,
  config: Readonly<Record<string, unknown>>,
): Supervision {
  return typeof supervision === "function" ? supervision(config) : supervision;
}

/** In one line, for lists and tables. */
export function supervisionInWords({
  groups = [],
  trainsOnVal,
  sides = [],
  boxes = [],
}: Supervision): string {
  const parts = { train: "training", val: "validation" };
  const words = [
    ...groups.map((part) => `cues on ${parts[part]}`),
    ...(trainsOnVal ? ["trains on validation"] : []),
    ...(sides.length > 0 ? [`pictures: ${sides.join(", ")}`] : []),
    ...(boxes.length > 0 ? [`boxes: ${boxes.join(", ")}`] : []),
  ];
  return words.join("; ") || "none";
}
