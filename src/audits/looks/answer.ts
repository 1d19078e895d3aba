/** What comes out of asking where a model looks. */

import type { Dataset } from "../../core/dataset.ts";
import { meanOverSeeds, type Outcome } from "../../core/statistics/index.ts";
import type { Region } from "../../saliency/regions.ts";
import type { SeenNetwork } from "../../saliency/saliency-method.ts";

/** Over images alone, of one model. Null where there is nothing to average; the interval wants two. */
export interface ImageMean {
  mean: number | null;
  low: number | null;
  high: number | null;
  images: number;
}

export function imageMean(values: readonly number[]): ImageMean {
  if (values.length === 0) return { mean: null, low: null, high: null, images: 0 };
  const { mean, low = null, high = null, n } = meanOverSeeds(values);
  return { mean, low, high, images: n };
}

export interface MethodInRegion {
  method: string;
  /** Of what of the map is above 0. */
  share: ImageMean;
  area: ImageMean;
  /** Share less area, image by image. */
  above: ImageMean;
  /** Images whose map has nothing above 0. */
  blank: number;
}

export interface RegionLook {
  /** Which version of the images. */
  version: string;
  region: string;
  /** `all images`, or the name of a group. */
  group: string;
  methods: MethodInRegion[];
  /** What the class's probability loses when the region is hidden, and when as much is elsewhere. */
  fall: ImageMean;
  fallElsewhere: ImageMean;
  /** The first less the second, image by image. */
  effect: ImageMean;
  logitEffect: ImageMean;
  /** Images where as much does not fit elsewhere. */
  withoutControl: number;
  /** Of all images, Holm over regions and versions; null for groups. */
  verdict: RegionVerdict | null;
}

interface RegionVerdict {
  outcome: Outcome;
  /** Adjusted. */
  pValue: number | null;
  smallestSeen: number | null;
}

export interface RandomisedLook {
  method: string;
  /** Mean ρ of maps of two images by the network as it is: what maps of anything have in common. */
  otherImages: ImageMean;
  parts: (ImageMean & { part: string })[];
}

export interface MarkFlips {
  images: number;
  flipped: number;
  /** What the marked images are taken for, where that changed. */
  to: { class: string; count: number }[];
}

export interface ModelLook {
  model: string;
  methods: string[];
  regions: RegionLook[];
  randomised: RandomisedLook[];
  /** How far integrated gradients fail to add up to the logit's rise, as a share of it. */
  open: { method: string; median: number; largest: number; points: number }[];
  /** Where every image was also marked. */
  flips: MarkFlips | null;
  remarks: string[];
}

/** One version of all images: as they are, or marked. */
export interface LookedVersion {
  name: string;
  bytes: Uint8Array;
  regions: ReadonlyMap<string, readonly (Region | undefined)[]>;
}

/** Of one image in one version, for a picture. */
export interface SeenImage {
  predicted: string;
  probability: number;
  /** By method. */
  maps: Map<string, Float32Array>;
}

export interface LookedModel {
  look: ModelLook;
  network: SeenNetwork;
  /** By version, then by the image's place. */
  seen: ReadonlyMap<string, ReadonlyMap<number, SeenImage>>;
  seconds: { method: string; seconds: number }[];
}

export interface LooksAnswer {
  dataset: Dataset;
  split: string;
  class: string;
  images: number;
  indices: Uint32Array;
  labels: Uint16Array;
  groups: readonly string[];
  /** In the order of the gallery. */
  shown: readonly number[];
  versions: readonly LookedVersion[];
  fill: readonly number[];
  models: readonly LookedModel[];
}
