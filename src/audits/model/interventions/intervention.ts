/** What an intervention on a model's inputs is: a change that takes a cue away or adds one, and a control that only changes as much. */

import type { ImageShape, Pixels } from "../../../core/dataset.ts";
import type { Random } from "../../../core/random.ts";
import type { Severity } from "../../../images/corruptions/severity.ts";
import type { ContentName } from "../../../images/watermark/contents.ts";

/** One kind of change. Each of its variants is judged by itself. */
export interface Intervention {
  name: string;
  /** What is changed, and what stays. */
  description: string;
  /** What its controls change instead. */
  control: string;
  needs: readonly ImageNeed[];
  /** It takes no cue away that a model could rely on, but damages the image: what it costs is called fragile. */
  damages?: true;
  readonly variants: (settings: InterventionSettings) => readonly Variant[];
}

/** What an image must bring for it. */
export type ImageNeed =
  /** Where the main thing is: its mask, or its box. */
  | "thing"
  /** Its mask: a box has no shape. */
  | "mask"
  | "stylised"
  | "colour"
  /** At least 25 pixels on each side, room for text. */
  | "room";

export interface InterventionSettings {
  contents: readonly ContentName[];
  places: readonly MarkPlace[];
  qualities: readonly number[];
  severities: readonly Severity[];
  patches: readonly number[];
  sizes: readonly number[];
  shape: ImageShape;
  /** Colour of the images on average, by channel. */
  mean: readonly number[];
}

export const markPlaces = ["middle", "top", "bottom"] as const;

export type MarkPlace = (typeof markPlaces)[number];

/**
 * Both give a new image, or undefined where an image cannot be changed so, such as one without a thing: it then counts in neither.
 * A control whose `shared` is equal is one and the same change, and is made once for all variants that have it.
 */
export interface Variant {
  name: string;
  /** Marks, whose classes are looked for. */
  marks?: true;
  readonly change: (image: Pixels, at: ChangeContext) => Changed;
  readonly control: (image: Pixels, at: ChangeContext, changed: Pixels) => Changed;
  shared?: string;
}

type Changed = Pixels | undefined | Promise<Pixels | undefined>;

export interface ChangeContext {
  random: Random;
  /** One channel, white where the main thing is; undefined where it is nowhere. */
  readonly thing: () => Promise<Pixels | undefined>;
  /** The image without it, where somebody has filled the hole; else the background is tiled over it. */
  readonly behind?: (() => Promise<Pixels>) | undefined;
  readonly side: (name: string) => Promise<Pixels>;
  /** Another image, of the same class or of any other; undefined where there is none. Equal at every call of one variant. */
  readonly partner: (kind: PartnerClass) => Promise<ChangePartner | undefined>;
}

export type PartnerClass = "same" | "other";

export interface ChangePartner extends Pick<ChangeContext, "thing" | "behind"> {
  readonly pixels: () => Promise<Pixels>;
}
