/** What a view is: a change of training images, done on bytes by the thread that makes batches. */

import type { z } from "zod";
import type { ImageShape, Pixels } from "../core/dataset.ts";
import type { Box } from "../core/images/compose.ts";
import type { Random } from "../core/random.ts";

/** A view as plain data, so that another thread can look it up, also one that came with a plugin. */
export interface ViewUse {
  view: string;
  with?: Readonly<Record<string, unknown>>;
}

interface AboutView<Schema extends z.ZodObject> {
  name: string;
  /** One sentence, for help pages. */
  description: string;
  settings: Schema;
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

/** Changes one image at a time. */
export interface ImageView<Schema extends z.ZodObject = z.ZodObject> extends AboutView<Schema> {
  /** Side images that it needs, by the names that the settings give them; what is not named is not handed over. */
  sides?(settings: z.output<Schema>): readonly string[];
  boxes?(settings: z.output<Schema>): readonly string[];
  /** A second image of the same part, with its own sides: any, or one of another class. */
  partner?: "any" | "other-class";
  /** Where it chooses among several changes: their names; a batch tells which one each image got. */
  codes?(settings: z.output<Schema>): readonly string[];
  /** The image is the view's own to change in place. */
  make(image: Pixels, at: ViewContext<z.output<Schema>>): Pixels | Viewed | Promise<Pixels | Viewed>;
}

/** Mixes the images of a batch with each other, when each has been changed by itself. */
export interface MixingView<Schema extends z.ZodObject = z.ZodObject> extends AboutView<Schema> {
  mix(batch: MixedBatch, settings: z.output<Schema>, random: Random): void;
}

export type View<Schema extends z.ZodObject = z.ZodObject> = ImageView<Schema> | MixingView<Schema>;

export interface ViewContext<Settings> {
  settings: Settings;
  /** Class of the image. */
  label: number;
  random: Random;
  /** Mean of each channel over the training images, in bytes. */
  mean: readonly number[];
  side(name: string): Promise<Pixels>;
  /** Undefined where the thing is not in the image. */
  box(name: string): Promise<Box | undefined>;
  /** The same one at every call. */
  partner(): Promise<ViewPartner>;
  /** Another view of this image, in the middle of this one. */
  apply(use: ViewUse, image: Pixels): Promise<Viewed>;
}

export interface ViewPartner {
  label: number;
  pixels(): Promise<Pixels>;
  side(name: string): Promise<Pixels>;
  box(name: string): Promise<Box | undefined>;
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

export function defineView<Schema extends z.ZodObject>(view: ImageView<Schema>): ImageView;
export function defineView<Schema extends z.ZodObject>(view: MixingView<Schema>): MixingView;
export function defineView(view: View): View {
  return view;
}
