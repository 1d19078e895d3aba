/** What each storage format provides: a streaming writer, a reader, and how people load it elsewhere. */

import type { Dataset } from "../core/dataset.ts";
import { CuelabError, type ErrorParts } from "../core/errors.ts";
import type { FileNotes } from "../images/codec.ts";
import type { StoredDataset } from "../layouts/stored-dataset.ts";
import type { Manifest, WrittenFile } from "./manifest.ts";

/** How images are stored: as PNG or JPEG, as bare pixels, or as the files they already are. */
export type StoredEncoding = Manifest["encoding"];

/** Some images, processed: digests of their pixels and, unless workers wrote them to files, their bytes. */
export interface ImageChunk {
  start: number;
  count: number;
  /** 32 bytes an image; zeros for a broken one. */
  digests: Uint8Array;
  /** The images one after the other. */
  bytes: Uint8Array;
  /** Where each image ends in `bytes`. */
  ends: number[];
  /** Extension of each image's file. */
  extensions: string[];
  /** Height, width and channels of each image. */
  shapes: Uint32Array;
  /** In how many images each was done while they were read. */
  notes: Record<keyof FileNotes, number>;
  /** What cannot be read; or cannot be made or changed as asked, with the error that says so. */
  broken: { index: number; reason: string; refused?: ErrorParts }[];
  /** By name: digests of the pictures that go with the images, as those of the images themselves. */
  sideDigests: Readonly<Record<string, Uint8Array>>;
  /** By name: left, top, width and height in each image; all zero where there is none. */
  boxes: Readonly<Record<string, Uint16Array>>;
}

/** Everything about a dataset that a writer needs beforehand. */
export interface WritePlan {
  dataset: Dataset;
  encoding: StoredEncoding;
  /** First index and number of images of each split, by name. */
  ranges: readonly SplitRange[];
}

export interface SplitRange {
  name: string;
  start: number;
  count: number;
}

interface FormatWriter {
  write(chunk: ImageChunk): Promise<void>;
  /** Completes the files and returns those that carry the table or several images. */
  finish(): Promise<string[]>;
  /** Lets go of open files after a failure. */
  abort(): Promise<void>;
}

export interface Format {
  name: string;
  description: string;
  encodings: readonly StoredEncoding[];
  /** Throws for a dataset that cannot be stored in this format, where it is not for all. */
  accept?: (dataset: Dataset) => void;
  /** Where each image has a file of its own: its path in the dataset's folder, without extension. Workers write it. */
  imagePaths?: (plan: WritePlan) => (index: number) => string;
  /** The path of a side image, by that of its image without extension, where the format has a place of its own for it. */
  sidePath?: (imagePath: string, side: string) => string;
  createWriter(folder: string, plan: WritePlan): Promise<FormatWriter>;
  /** Reads a dataset of ours, or without a manifest what others have written in this format. */
  open(path: string, manifest?: Manifest): Promise<StoredDataset>;
  /** Markdown for the data card: how to load it in Python. */
  loading(manifest: Manifest): string;
  /** Where Hugging Face finds each split, for the data card's header; absent where it has no loader. */
  dataFiles?: (split: string) => string;
  /** Croissant's description of the files and of how records come out of them. */
  croissant(manifest: Omit<Manifest, "files">, files: readonly WrittenFile[]): CroissantParts;
}

interface CroissantParts {
  distribution: object[];
  recordSet: object[];
}

/** How many images each split has, by name. */
export function splitSizes({ names, values }: Dataset["splits"]): Record<string, number> {
  const counts = names.map(() => 0);
  for (const split of values) counts[split]!++;
  return Object.fromEntries(names.map((name, i) => [name, counts[i]!]));
}

/** Ranges of the splits of a dataset whose images are ordered by split; others have none. */
export function splitRanges(splits: Dataset["splits"]): SplitRange[] {
  const unordered = splits.values.findIndex((split, i) => i > 0 && split < splits.values[i - 1]!);
  if (unordered >= 0) {
    throw new CuelabError({
      kind: "input",
      what: "the images are not ordered by split",
      got: `image ${unordered}, of ${splits.names[splits.values[unordered]!]}, after images of a later split`,
      todo: "bring them into that order with inSplitOrder",
    });
  }
  const sizes = splitSizes(splits);
  let start = 0;
  return splits.names.map((name) => {
    const range = { name, start, count: sizes[name]! };
    start += range.count;
    return range;
  });
}

/** The range that an index lies in. */
export function rangeAt(ranges: readonly SplitRange[], index: number): SplitRange {
  return ranges.find(({ start, count }) => index >= start && index < start + count)!;
}

/** The bytes of the i-th image of a chunk. */
export function imageBytes({ bytes, ends }: ImageChunk, i: number): Uint8Array {
  return bytes.subarray(i === 0 ? 0 : ends[i - 1]!, ends[i]!);
}

/** Zero-padded position of an image in its split. */
export function positionName(range: SplitRange, index: number): string {
  return String(index - range.start).padStart(Math.max(6, String(range.count - 1).length), "0");
}

/** Path of an image's own file in the dataset's folder, without its extension: `train/000012`. */
export function imageName(ranges: readonly SplitRange[], index: number): string {
  const range = rangeAt(ranges, index);
  return `${range.name}/${positionName(range, index)}`;
}

/** Columns, arrays and keys that some format writes itself. */
const ownNames = ["img_filename", "file_name", "y", "split", "label", "labels", "image", "images"];

/** Attributes become columns, arrays and files in archives: their names must be free and lead nowhere. */
export function checkAttributeNames({ attributes }: Pick<Dataset, "attributes">): void {
  const bad = Object.keys(attributes).find((name) => {
    const hidden = name === "" || name === "__proto__" || name.includes("..");
    return hidden || ownNames.includes(name) || /[/\\\p{Cc}]/u.test(name);
  });
  if (bad === undefined) return;
  throw new CuelabError({
    kind: "input",
    what: `an attribute cannot be named ${JSON.stringify(bad)}`,
    expected: `names without /, \\, .. and control characters, other than ${[...ownNames, "__proto__"].join(", ")}`,
    got: `attributes ${Object.keys(attributes).join(", ")}`,
    todo: "leave it out with --cue-columns, or rename the column",
  });
}
