/** What a view is: a change of training images, done on bytes by the thread that makes batches. */

import type { z } from "zod";
import type { Box } from "../core/box.ts";
import type { ImageShape, Pixels } from "../core/dataset.ts";
import type { Random } from "../core/random.ts";

/** A view as plain data, so that another thread can look it up, also one that came with a plugin. */
export interface ViewUse {
  view: string;
  with?: Readonly<Record<string, unknown>>;
  /** Of the view when this was written down: one of another version would give other pixels, and is refused. */
  version?: number;
}

/** With every setting written out. */
export type ResolvedUse = Required<ViewUse>;

interface AboutView<Schema extends z.ZodObject> {
  name: string;
  /** One sentence, for help pages. */
  description: string;
  settings: Schema;
  /** Settings as people type them, for help pages and tests; enough of them where some must be given. */
  examples: readonly string[];
  /** Raised whenever equal settings and random numbers would give other pixels: part of a run's id. */
  version: number;
}

/** What a view makes of one image: its pixels, and what the method may want to know of how they were made. */
export interface Viewed {
  pixels: Pixels;
  /** Which of the view's `codes` it was. */
  code?: number;
  /** How much of the image is still its own, where another of another class was mixed in. */
  share?: number;
}

export type PartnerKind = "any" | "other-class";

/** Changes one image at a time. */
export interface ImageView<Schema extends z.ZodObject = z.ZodObject> extends AboutView<Schema> {
  /** Side images that it needs, by the names that the settings give them; what is not named is not handed over. */
  sides?(settings: z.output<Schema>): readonly string[];
  boxes?(settings: z.output<Schema>): readonly string[];
  /** A second image of the same part, with its own sides: any, which may be the image itself, or one of another class. */
  partner?: PartnerKind;
  /** Where it chooses among several changes: their names; a batch tells which one each image got. */
  codes?(settings: z.output<Schema>): readonly string[];
  /** The setting that lists other views which it applies: they are resolved with it, and what they need, it needs. */
  uses?: keyof z.output<Schema> & string;
  /** Whether it reads the mean of the training images, which takes a look at them. */
  mean?(settings: z.output<Schema>): boolean;
  /** Moves pixels: masks and boxes no longer fit what it leaves, so no view that reads any may follow. */
  moves?: true;
  /** The image is the view's own to change in place. */
  make(image: Pixels, at: ViewContext<z.output<Schema>>): Pixels | Viewed | Promise<Pixels | Viewed>;
}

/** Mixes the images of a batch with each other, when each has been changed by itself. */
export interface MixingView<Schema extends z.ZodObject = z.ZodObject> extends AboutView<Schema> {
  mix(batch: MixedBatch, settings: z.output<Schema>, random: Random): void;
}

export type View<Schema extends z.ZodObject = z.ZodObject> = ImageView<Schema> | MixingView<Schema>;

export interface ViewContext<Settings> {
  readonly settings: Settings;
  /** Class of the image. */
  readonly label: number;
  readonly random: Random;
  /** Mean of each channel over the training images, in bytes; for views that say so by `mean`. */
  readonly mean: readonly number[];
  readonly side: (name: string) => Promise<Pixels>;
  /** Undefined where the thing is not in the image. */
  readonly box: (name: string) => Promise<Box | undefined>;
  /** The same one at every call. */
  readonly partner: () => Promise<ViewPartner>;
  /** Another view of this image, in the middle of this one: one of those that the setting named by `uses` holds. */
  readonly apply: (use: ViewUse, image: Pixels) => Promise<Viewed>;
}

export interface ViewPartner {
  readonly label: number;
  readonly pixels: () => Promise<Pixels>;
  readonly side: (name: string) => Promise<Pixels>;
  readonly box: (name: string) => Promise<Box | undefined>;
}

/** Images one after the other, and whose label the rest of a loss goes to; all are changed in place. */
export interface MixedBatch {
  /** [batch, height, width, channels] */
  images: Uint8Array;
  shape: ImageShape;
  /** A place in the batch. */
  partners: Int32Array;
  /** How much of an image's loss is its own. */
  shares: Float32Array;
}

export function isMixing(view: View): view is MixingView {
  return "mix" in view;
}

export function defineView<Schema extends z.ZodObject>(view: ImageView<Schema>): ImageView;
export function defineView<Schema extends z.ZodObject>(view: MixingView<Schema>): MixingView;
export function defineView(view: View): View {
  return view;
}
