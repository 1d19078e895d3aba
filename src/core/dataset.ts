/** A labelled image set with every known cue written down: the type that datasets make and formats carry. */

import type { Box } from "./box.ts";

/** Eight-bit pixels, rows first, channels innermost (height × width × channels). */
export interface Pixels extends ImageShape {
  data: Uint8Array;
}

export interface ImageShape {
  height: number;
  width: number;
  /** 1 grey, 2 red and green (ColoredMNIST's original form), 3 RGB. */
  channels: number;
}

/** An image as it lies in a file. */
export interface EncodedImage {
  bytes: Uint8Array;
  /** Without a dot: `png`, `jpg`, `webp`, … */
  extension: string;
}

/**
 * Images by index. They stay bytes, and are made or read only when asked for: `pixels` decides what they are, and
 * `recipeOf` tells how to have equal ones elsewhere.
 */
export interface ImageSet {
  readonly count: number;
  /** The shape all images share, or null where a user's folder mixes sizes. */
  readonly shape: ImageShape | null;
  pixels(index: number): Pixels | Promise<Pixels>;
  /** Whether making an image anew takes so long that those which fit are better kept, as for files. */
  readonly costly?: boolean;
  /** What to call image `index` in messages: its path, or its number in a shard. */
  describe(index: number): string;
  /** The image's own file as the dataset names it, where it has one: within its folder, wherever that lies. */
  file?(index: number): string;
  /** What its owner called the image's file, wherever copies of it have other names. */
  source?(index: number): string;
  close?(): Promise<void>;
}

/** Images as a reader of files has them, with the quicker ways to what `pixels` gives. */
export interface StoredImages extends ImageSet {
  /** The stored file's bytes. */
  encoded?(index: number): Promise<EncodedImage>;
  /** The path of the image's own file, where it has one: workers then read it themselves. */
  path?(index: number): string;
  /** The pixels of consecutive images, where they are stored bare and one after the other. */
  rawPixels?(start: number, count: number): Promise<Uint8Array>;
}

/** One known property of every image. Groups are chosen later, from any subset of attributes. */
export interface Attribute {
  /** Index into `valueNames`, one an image. */
  values: Uint16Array;
  valueNames: readonly string[];
  /** `cue`: a possible shortcut. `core`: what the label is really about. `other`: bookkeeping. */
  role: AttributeRole;
  description?: string;
  /** For a cue: the value that goes with each class, which is what "agrees with the class" means. */
  classValues?: readonly number[];
}

export type AttributeRole = "cue" | "core" | "other";

/** Which part of the data each image belongs to, in any order; `inSplitOrder` brings images into that of the names. */
export interface Splits {
  names: readonly string[];
  values: Uint8Array;
}

/** The splits that every dataset uses, in the order that Waterbirds-style tables number them. */
export const standardSplits = ["train", "val", "test"] as const;

export interface Dataset {
  name: string;
  images: ImageSet;
  /** Class of each image, an index into `classNames`. */
  labels: Uint16Array;
  classNames: readonly string[];
  attributes: Readonly<Record<string, Attribute>>;
  splits: Splits;
  provenance: Provenance;
  /** Pictures that go with each image, by name: masks of its parts, its background alone. */
  sideImages?: Readonly<Record<string, SideImages>>;
  /** Where things are in each image, by the thing's name. */
  boxes?: Readonly<Record<string, Boxes>>;
}

/** What is known of a dataset without opening its images: small enough to be remembered where pixels are not. */
export type DataColumns = Omit<Dataset, "images" | "sideImages" | "boxes">;

/** One picture an image, made or read when asked for, as the images are. */
export interface SideImages {
  shape: ImageShape;
  description: string;
  pixels(index: number): Pixels | Promise<Pixels>;
}

/** One box an image. Where the thing lies may be known only once it is drawn, so boxes too are asked for by index. */
export interface Boxes {
  description: string;
  /** Undefined where the thing is not in the image. */
  at(index: number): Box | undefined | Promise<Box | undefined>;
  /** Where an image may show several such things: all of them, of which `at` has one. */
  readonly all?: (index: number) => Promise<readonly Box[]>;
}

/** Where a dataset comes from, for people: how to have equal images elsewhere is what its recipe tells. */
export interface Provenance {
  title: string;
  description: string;
  /** Maker and its version: equal generators, settings and seeds give equal images. */
  generator: { name: string; version: number };
  settings: Readonly<Record<string, unknown>>;
  seed: number;
  sources: readonly SourceRecord[];
  citation?: string;
  license: string;
  /** Images that were left out because they could not be read. */
  skipped: readonly SkippedImage[];
  /** Attribute by which cue statistics are told apart, such as an environment. */
  statisticsBy?: string;
  /** Splits that differ from the training split by design: accuracy on them is out of distribution. */
  shiftedSplits?: readonly string[];
}

export interface SourceRecord {
  name: string;
  license: string;
  /** Digest of each file that was read, by file name. */
  sha256: Readonly<Record<string, string>>;
  /** How many things were left out because they are not of the kind that was asked for, by reason. */
  filteredOut?: Readonly<Record<string, number>> | undefined;
}

export interface SkippedImage {
  image: string;
  reason: string;
}
