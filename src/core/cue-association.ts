/** Does a cue go with the class by more than chance would, how far, and which value with which class? */

import { type CueColumns, crossTabulate, type Slice } from "./cue-statistics.ts";
import type { Attribute } from "./dataset.ts";
import { randomStream } from "./random.ts";
import { associationOf, shareDifferenceInterval } from "./statistics/index.ts";
import { isMissing } from "./words.ts";

export interface CueAssociation {
  /** Bias-corrected Cramér's V with its 95% interval over images; null where the slice has one class or one value. */
  v: number | null;
  low: number | null;
  high: number | null;
  /** What the uncorrected V would be about if nothing went with anything. */
  expectedByChance: number | null;
  /** Of no association: by permutation, or by χ² where that is as good. */
  pValue: number | null;
  /** Into how many parts of about equal size numbers were put; null where values are taken as they are. */
  bins: number | null;
  /** The value that tells most about a class. */
  leading: LeadingValue | null;
}

interface LeadingValue {
  class: string;
  value: string;
  /** Share of the class's images that have the value, and of all other images. */
  share: number;
  elsewhere: number;
}

/** So few images are always shuffled; up to the second number where some cell is too rare for χ² (Cochran 1954). */
const alwaysShuffled = 1000;
const mostShuffled = 5000;
const rareCell = 5;
const permutations = 999;

/** Numbers of more values than this are put into bins: each by itself is too rare to tell anything. */
const mostNumbers = 10;
const mostBins = 4;

export function cueAssociation(
  dataset: CueColumns,
  cue: string,
  attribute: Attribute,
  slice: Slice,
): CueAssociation {
  const binned = inBins(attribute, dataset, slice);
  const used = binned ?? attribute;
  const places = [...dataset.labels.keys()].filter((i) => slice.has(i));
  const labels = renumbered(places.map((i) => dataset.labels[i]!));
  const values = renumbered(places.map((i) => used.values[i]!));
  const bins = binned === undefined ? null : binned.valueNames.filter((name) => !isMissing(name)).length;
  // As many images as classes or values leave nothing that chance could be told from.
  if (Math.min(labels.count, values.count) < 2 || places.length <= Math.max(labels.count, values.count)) {
    return { v: null, low: null, high: null, expectedByChance: null, pValue: null, bins, leading: null };
  }
  const found = associationOf(labels.codes, values.codes, {
    random: randomStream(0, `cue-association/${cue}/${slice.name}`).at(0),
    permutations: isShuffled(labels, values) ? permutations : 0,
  });
  return {
    v: found.v,
    low: found.interval?.low ?? null,
    high: found.interval?.high ?? null,
    expectedByChance: found.expectedByChance,
    pValue: found.pValue,
    bins,
    leading: leadingValue(crossTabulate(dataset, used, slice), dataset.classNames, used.valueNames),
  };
}

/** χ² is as good as shuffling, and costs nothing, once every cell would have some images by chance. */
function isShuffled(labels: Renumbered, values: Renumbered): boolean {
  const images = labels.codes.length;
  if (images <= alwaysShuffled || images > mostShuffled) return images <= alwaysShuffled;
  return (rarest(labels) * rarest(values)) / images < rareCell;
}

function rarest({ codes, count }: Renumbered): number {
  const counts = new Uint32Array(count);
  for (const code of codes) counts[code]!++;
  return counts.reduce((least, each) => Math.min(least, each));
}

/**
 * Undefined unless all values are numbers, and many. Bins have about equally many of the slice's images; those without a
 * number stay a value of their own.
 */
export function inBins(
  attribute: Attribute,
  { labels }: Pick<CueColumns, "labels">,
  slice: Pick<Slice, "has">,
): Attribute | undefined {
  const { valueNames, values } = attribute;
  const missing = [...valueNames.keys()].filter((code) => isMissing(valueNames[code]!));
  const order = [...valueNames.keys()]
    .filter((code) => !isMissing(valueNames[code]!))
    .sort((a, b) => Number(valueNames[a]) - Number(valueNames[b]));
  if (order.length <= mostNumbers || !order.every((code) => isDecimal(valueNames[code]!))) return undefined;
  const counts = new Uint32Array(valueNames.length);
  let all = 0;
  for (let i = 0; i < labels.length; i++) {
    if (!slice.has(i) || isMissing(valueNames[values[i]!]!)) continue;
    counts[values[i]!]!++;
    all++;
  }
  const binOf = new Uint16Array(valueNames.length);
  let before = 0;
  for (const code of order) {
    // Equal numbers stay together: a bin is that of the middle of their images.
    binOf[code] = Math.min(
      mostBins - 1,
      Math.floor((mostBins * (before + counts[code]! / 2)) / Math.max(1, all)),
    );
    before += counts[code]!;
  }
  // One number may have the images of several bins: those stay without any.
  const used = [...new Set(order.map((code) => binOf[code]!))];
  const names = used.map((bin) => {
    const own = order.filter((code) => binOf[code] === bin);
    const [first, last] = [valueNames[own[0]!]!, valueNames[own.at(-1)!]!];
    return first === last ? first : `${first} to ${last}`;
  });
  const { classValues: _, ...rest } = attribute;
  return {
    ...rest,
    valueNames: [...names, ...missing.map((code) => valueNames[code]!)],
    values: Uint16Array.from(values, (code) => {
      const without = missing.indexOf(code);
      return without === -1 ? used.indexOf(binOf[code]!) : names.length + without;
    }),
  };
}

function isDecimal(text: string): boolean {
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text.trim());
}

interface Renumbered {
  codes: Uint32Array;
  count: number;
}

/** Codes from 0 on of those that occur. */
function renumbered(codes: readonly number[]): Renumbered {
  const numbers = new Map<number, number>();
  const found = Uint32Array.from(codes, (code) => {
    const known = numbers.get(code) ?? numbers.size;
    numbers.set(code, known);
    return known;
  });
  return { codes: found, count: numbers.size };
}

/**
 * By the least that the value's share of a class may lie above its share of all others, at 95%: of a class of one
 * image all have some value.
 */
function leadingValue(
  table: readonly (readonly number[])[],
  classNames: readonly string[],
  valueNames: readonly string[],
): LeadingValue | null {
  const sum = (numbers: readonly number[]) => numbers.reduce((total, n) => total + n, 0);
  const totals = table.map(sum);
  const ofValue = valueNames.map((_, value) => sum(table.map((row) => row[value]!)));
  const all = sum(totals);
  let best: (LeadingValue & { low: number }) | null = null;
  for (const [label, row] of table.entries()) {
    const others = all - totals[label]!;
    if (totals[label] === 0 || others === 0) continue;
    for (const [value, count] of row.entries()) {
      const [own, other] = [
        { successes: count, n: totals[label]! },
        { successes: ofValue[value]! - count, n: others },
      ];
      const [share, elsewhere] = [count / own.n, other.successes / other.n];
      const low = shareDifferenceInterval(own, other).low;
      if (
        best !== null &&
        (low < best.low || (low === best.low && share - elsewhere <= best.share - best.elsewhere))
      )
        continue;
      best = { class: classNames[label]!, value: valueNames[value]!, share, elsewhere, low };
    }
  }
  if (best === null) return null;
  const { low: _, ...leading } = best;
  return leading;
}
