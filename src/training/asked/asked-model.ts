/** A model that can be asked about images: whoever predicts, audits or looks at features meets models of every kind as this. */

import type { Dataset, ImageShape } from "../../core/dataset.ts";
import type { PredictionsAbout, PredictionsOrigin } from "../../core/predictions-about.ts";
import type { OnnxNetwork } from "../../models/onnx/network.ts";
import type { OwnHead } from "../../runs/feature-writer.ts";
import type { RunSpec } from "../run-spec.ts";
import type { ModelPreparation } from "./preparation.ts";

export interface AskedModel {
  /** In words, for messages. */
  name: string;
  /** The ONNX file that it is, where there is one. */
  file?: string;
  /** Undefined where nobody says: then they are the data's, or numbers. */
  classNames: readonly string[] | undefined;
  /** Whatever else each class is called: folders of data may have those names. */
  classAliases?: readonly (readonly string[])[];
  /** Which of its file's outputs is taken. */
  output?: string;
  /** How many it tells apart, where that is known before it is asked. */
  classes?: number;
  /** Images of this shape, as bytes; or features of this width. */
  takes: { image: ImageShape } | { features: number };
  /** What is done to pictures before and to their bytes within; without it they are to be of the shape that it takes. */
  preparation?: ModelPreparation;
  /** Changes when the model does: for what is kept of its answers. */
  digest: string;
  /** The run that it is of, and what that was trained on. */
  run?: { spec: RunSpec; origin: PredictionsOrigin; about: PredictionsAbout | undefined };
  /** Further things that people should know of how it was opened. */
  remarks?: readonly string[];
  /** Of a model whose classes are words: those may be named when the data is known. Until then it cannot be asked. */
  forClasses?: (names: readonly string[], aliases?: readonly (readonly string[])[]) => Promise<AskedModel>;
  /** Whoever opens it closes it. */
  open(options?: SessionChoice): Promise<ModelSession>;
  /** What its last layer takes, or another value of its file by name; undefined where nobody can look into it. */
  features?: (layer?: string) => Promise<FeaturesOfModel>;
  /**
   * As expressions, for gradients and what lies within. `images` are floats [batch, channels, rows, columns]: bytes as
   * `networkInput` changes them. Throws, with the node's name, where the graph has what is not read.
   */
  network?: () => Promise<OnnxNetwork>;
}

/** The model up to one of its inner values. */
export interface FeaturesOfModel {
  /** The value's name in the file. */
  layer: string;
  width: number;
  /** The last layer, for the classes as the model numbers them, where this is what it takes. */
  head: OwnHead | undefined;
  /** Its `logits` are features [count, width]. */
  open(options?: SessionChoice): Promise<ModelSession>;
}

export interface SessionChoice {
  threads?: number | undefined;
}

export interface ModelSession {
  /** Bytes [count, rows, columns, channels] of the shape that the model takes → [count, classes]. */
  logits(images: Uint8Array, count: number): Promise<Float32Array>;
  close(): Promise<void>;
}

/** With the data's classes, where it is told its classes in words and nobody has named them. */
export async function withDataClasses(
  model: AskedModel,
  { classNames }: Pick<Dataset, "classNames">,
  labelled: boolean,
): Promise<AskedModel> {
  if (model.forClasses === undefined || !labelled) return model;
  const named = await model.forClasses(classNames);
  return { ...named, remarks: [...(named.remarks ?? []), `classes: the data's ${classNames.length}`] };
}

/** What people should know of how it is asked: how pictures are made ready and who says so, and further remarks. */
export function howItIsAsked({ preparation, remarks = [] }: AskedModel): string[] {
  const said = preparation?.said ?? [];
  return [...said.map(({ part, how, from }) => `${part}: ${how} (${from})`), ...remarks];
}
