/** How many training images each combination of class and attributes had: what a table of predictions keeps of training. */

import { combineCodes } from "./combine-codes.ts";
import type { Dataset } from "./dataset.ts";
import { CuelabError } from "./errors.ts";

/** Combinations that occur, in the dataset's order of classes and values; one entry of each array a combination. */
export interface TrainingCounts {
  /** The attributes that tell combinations apart, beside the class. */
  attributes: readonly string[];
  labels: Int32Array;
  /** One an attribute, as codes of its value names. */
  values: readonly Int32Array[];
  images: Int32Array;
}

type CountedColumns = Pick<Dataset, "labels" | "classNames" | "attributes" | "splits">;

/** A table that is kept beside thousands of others stays small; attributes that would make it larger are left out. */
const mostBytes = 4 * 1024 * 1024;

/** Shortcuts first: where there is no room for all, they are what is asked for. */
const order = { cue: 0, core: 1, other: 2 } as const;

/** Of the training split; null where it has no images. */
export function trainingCountsOf(dataset: CountedColumns, most = mostBytes): TrainingCounts | null {
  const { splits, attributes } = dataset;
  const train = splits.names.indexOf("train");
  const rows = Uint32Array.from(splits.values.keys()).filter((i) => splits.values[i] === train);
  if (rows.length === 0) return null;
  const all = Object.keys(attributes);
  const counted = countsBy(dataset, all, rows, most);
  if (counted !== undefined) return counted;
  const byRole = all.toSorted((a, b) => order[attributes[a]!.role] - order[attributes[b]!.role]);
  let kept: string[] = [];
  for (const name of byRole) {
    const more = all.filter((each) => each === name || kept.includes(each));
    if (countsBy(dataset, more, rows, most) !== undefined) kept = more;
  }
  return countsBy(dataset, kept, rows, Number.POSITIVE_INFINITY)!;
}

/** By class and these attributes; undefined where that would take more bytes. */
function countsBy(
  { labels, classNames, attributes }: CountedColumns,
  names: readonly string[],
  rows: Uint32Array,
  most: number,
): TrainingCounts | undefined {
  const columns = [
    { codes: labels, size: classNames.length },
    ...names.map((name) => ({ codes: attributes[name]!.values, size: attributes[name]!.valueNames.length })),
  ];
  const { codes, count } = combineCodes(columns, rows.length, rows);
  const bits = columns.reduce((sum, { size }) => sum + widthOf(size - 1), widthOf(rows.length));
  if ((count * bits) / 8 > most) return undefined;
  const images = new Int32Array(count);
  // An image of each combination, to tell its values by.
  const samples = new Uint32Array(count);
  for (const [place, code] of codes.entries()) {
    images[code]!++;
    samples[code] = rows[place]!;
  }
  const [own, ...values] = columns.map((column) => Int32Array.from(samples, (row) => column.codes[row]!));
  return { attributes: names, labels: own!, values, images };
}

/** As text for a file's metadata: columns of numbers of a few bits each, one column after the other. */
export interface PackedCounts {
  attributes: string[];
  combinations: number;
  /** Bits of each number: of classes, of each attribute's values, of the images. */
  widths: number[];
  base64: string;
}

export function packCounts({ attributes, labels, values, images }: TrainingCounts): PackedCounts {
  const columns = [labels, ...values, images];
  const widths = columns.map((column) => widthOf(column.reduce((a, b) => Math.max(a, b), 0)));
  const bits = widths.reduce((sum, width) => sum + width, 0) * labels.length;
  const bytes = new Uint8Array(Math.ceil(bits / 8));
  let at = 0;
  for (const [c, column] of columns.entries()) {
    for (const number of column) {
      for (let bit = 0; bit < widths[c]!; bit++, at++) {
        if ((number >>> bit) & 1) bytes[at >>> 3]! |= 1 << (at & 7);
      }
    }
  }
  const base64 = Buffer.from(bytes.buffer).toString("base64");
  return { attributes: [...attributes], combinations: labels.length, widths, base64 };
}

export function unpackCounts(packed: PackedCounts, where: string): TrainingCounts {
  const { attributes, combinations, widths, base64 } = packed;
  const bytes = Buffer.from(base64, "base64");
  const bits = widths.reduce((sum, width) => sum + width, 0) * combinations;
  // Every combination has an image, which takes a bit: so the bytes bound how many there can be.
  const countless = (widths.at(-1) ?? 0) === 0 && combinations > 0;
  if (countless || widths.length !== attributes.length + 2 || bytes.length !== Math.ceil(bits / 8)) {
    throw new CuelabError({
      kind: "input",
      what: "the table's own training counts are damaged",
      where,
      expected: `${attributes.length + 2} columns in ${Math.ceil(bits / 8)} bytes`,
      got: `${widths.length} columns in ${bytes.length} bytes`,
    });
  }
  let at = 0;
  const [labels, ...others] = widths.map((width) => {
    const column = new Int32Array(combinations);
    for (let row = 0; row < combinations; row++) {
      let number = 0;
      for (let bit = 0; bit < width; bit++, at++) number |= ((bytes[at >>> 3]! >>> (at & 7)) & 1) << bit;
      column[row] = number;
    }
    return column;
  });
  const images = others.pop()!;
  return { attributes, labels: labels!, values: others, images };
}

/** Bits of the whole numbers up to `largest`. */
function widthOf(largest: number): number {
  return largest <= 0 ? 0 : 32 - Math.clz32(largest);
}
