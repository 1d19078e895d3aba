/** What comes out of asking what a class's logit is made of. */

import type { Dataset } from "../../core/dataset.ts";
import type { ImageMean } from "../looks/answer.ts";
import type { JudgedCandidate } from "./choose.ts";

export interface ComponentAnswer {
  class: string;
  /** From 1: `class:number` is what --set remove= says. */
  component: number;
  /** Of the variance of the class's weighed features. */
  share: number;
  /** Images that activate it most, whatever they are of. */
  top: number[];
  /** How many of these are of the class, and how many are taken for it. */
  ofClass: number;
  takenFor: number;
  /** The value of a known cue that is more frequent in them than in all images, by the most; null where none is. */
  cue: { name: string; value: string; top: number; all: number } | null;
  /** The class's probability in them: as it is, without the component, and with nothing but it beside the mean image. */
  before: ImageMean;
  without: ImageMean;
  alone: ImageMean;
  /** Share of its map off the object, less the share of the area that is; null without masks. */
  offObject: ImageMean | null;
  /** What taking it away does to the mean accuracy over classes, on images for choosing; null where nothing was chosen. */
  chosen: Omit<JudgedCandidate, "class" | "k"> | null;
}

interface GroupChange {
  group: string;
  images: number;
  before: number;
  after: number;
}

export interface RepairAnswer {
  removed: string[];
  images: number;
  accuracy: { before: number; after: number; change: ImageMean };
  groups: GroupChange[];
}

export interface ComponentsAnswer {
  model: string;
  splits: { fit: string; choose: string; report: string };
  images: { fit: number; choose: number; report: number };
  region: string | null;
  components: ComponentAnswer[];
  repair: RepairAnswer | null;
  remarks: string[];
}

/** With what pictures and files are made of. */
export interface ComponentsFound extends ComponentsAnswer {
  dataset: Dataset;
  /** Of each component the pictures of its top images: image and map. */
  pictures: readonly (readonly { label: string; png: Uint8Array; width: number; height: number }[])[];
  /** The whole file of the repaired network. */
  repaired: Uint8Array | undefined;
}
