/** How many training images each combination of class and attributes had: what a table of predictions keeps of training. */

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

type Columns = Pick<Dataset, "labels" | "classNames" | "attributes" | "splits">;

/** A table that is kept beside thousands of others stays small; attributes that would make it larger are left out. */
const mostBytes = 4 * 1024 * 1024;

/** Shortcuts first: where there is no room for all, they are what is asked for. */
const order = { cue: 0, core: 1, other: 2 } as const;

/** Of the training split; null where it has no images. */
export function trainingCountsOf(dataset: Columns, most = mostBytes): TrainingCounts | null {
  const { labels, classNames, splits, attributes } = dataset;
  const train = splits.names.indexOf("train");
  const rows = Uint32Array.from(splits.values.keys()).filter((i) => splits.values[i] === train);
  if (rows.length === 0) return null;
  const byRole = Object.entries(attributes).toSorted(([, a], [, b]) => order[a.role] - order[b.role]);
  const kept = new Set<string>();
  let numbered = refined({ numbers: new Int32Array(rows.length), firsts: [0] }, labels, rows);
  let bits = widthOf(classNames.length - 1) + widthOf(rows.length);
  for (const [name, { values, valueNames }] of byRole) {
    const finer = refined(numbered, values, rows);
    const wider = bits + widthOf(valueNames.length - 1);
    if ((finer.firsts.length * wider) / 8 > most) continue;
    [numbered, bits] = [finer, wider];
    kept.add(name);
  }
  const names = Object.keys(attributes).filter((name) => kept.has(name));
  const columns = [labels, ...names.map((name) => attributes[name]!.values)];
  // Each combination by an image that has it, in the order of classes and then of values.
  const place = numbered.firsts.map((_, number) => number);
  const at = (number: number) => rows[numbered.firsts[number]!]!;
  place.sort((a, b) => {
    for (const column of columns) {
      const difference = column[at(a)]! - column[at(b)]!;
      if (difference !== 0) return difference;
    }
    return 0;
  });
  const sizes = new Int32Array(place.length);
  for (const number of numbered.numbers) sizes[number]!++;
  const [own, ...values] = columns.map((column) => Int32Array.from(place, (number) => column[at(number)]!));
  return { attributes: names, labels: own!, values, images: Int32Array.from(place, (n) => sizes[n]!) };
}

interface Numbered {
  /** The number of each row's combination, and the first row of each. */
  numbers: Int32Array;
  firsts: number[];
}

/** Combinations told further apart by one more column. */
function refined({ numbers }: Numbered, values: Uint16Array, rows: Uint32Array): Numbered {
  const known = new Map<number, number>();
  const firsts: number[] = [];
  const finer = numbers.map((number, i) => {
    const key = number * 2 ** 16 + values[rows[i]!]!;
    const found = known.get(key) ?? firsts.length;
    if (found === firsts.length) {
      known.set(key, found);
      firsts.push(i);
    }
    return found;
  });
  return { numbers: finer, firsts };
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
  if (widths.length !== attributes.length + 2 || bytes.length !== Math.ceil(bits / 8)) {
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
