/** What a head asks of features: how far class and cues move it, and what becomes of its gaps when a cue's direction is gone. */

import type { Random } from "../../core/random.ts";
import { solverOf } from "../../training/heads/curvature.ts";
import { type CellEstimate, sumOfMeans, together } from "./cells.ts";

/** [images, width], standardised, and what is known of each. */
export interface KnownRows {
  features: Float64Array;
  width: number;
  labels: Int32Array;
  classes: number;
}

export interface KnownCue {
  name: string;
  codes: Int32Array;
  values: number;
  /** The value that goes with each class. */
  goesWith: readonly (number | undefined)[];
}

export interface CueUse {
  /** How far the cue moves the logit of the class that it goes with, within classes, in units of logits. */
  moves: CellEstimate;
  /** Accuracy where the cue goes with the class, less where it does not. */
  gap: CellEstimate;
  /** The same when the cue's direction is taken out of the features, and what that changes. */
  without: CellEstimate;
  change: CellEstimate;
  /** Accuracy, each combination counting the same, as it is and without the direction. */
  accuracy: CellEstimate;
  accuracyWithout: CellEstimate;
  /** Changes of the gap by directions of shuffled values. */
  controls: { mean: number; least: number; most: number; count: number };
}

export interface HeadOver {
  /** [classes, width], over the standardised features. */
  weight: Float64Array;
  bias: Float64Array;
}

/** z less the mean of the image's logits: [images, classes]. */
function centredLogits({ features, width, classes }: KnownRows, { weight, bias }: HeadOver): Float64Array {
  const count = features.length / width;
  const logits = new Float64Array(count * classes);
  for (let i = 0; i < count; i++) {
    let mean = 0;
    for (let c = 0; c < classes; c++) {
      let sum = bias[c]!;
      for (let k = 0; k < width; k++) sum += weight[c * width + k]! * features[i * width + k]!;
      logits[i * classes + c] = sum;
      mean += sum / classes;
    }
    for (let c = 0; c < classes; c++) logits[i * classes + c]! -= mean;
  }
  return logits;
}

/** How far the class itself moves its logit, within combinations of cues: mean over classes. */
export function classMoves(rows: KnownRows, head: HeadOver, cues: ArrayLike<number>): CellEstimate {
  const { labels, classes } = rows;
  const logits = centredLogits(rows, head);
  const cells = together(labels, cues);
  const [own, others] = [
    cellsPer(labels, cells, (label, c) => label === c, classes),
    cellsPer(labels, cells, (label, c) => label !== c, classes),
  ];
  const numbers = Float64Array.from(labels, (label, i) => {
    let sum = 0;
    for (let c = 0; c < classes; c++)
      sum += ((label === c ? 1 / own[c]! : -1 / others[c]!) * logits[i * classes + c]!) / classes;
    return sum;
  });
  return sumOfMeans(numbers, cells);
}

/** In how many cells the condition holds of a class. */
function cellsPer(
  labels: Int32Array,
  cells: Int32Array,
  holds: (label: number, c: number) => boolean,
  classes: number,
): number[] {
  return Array.from({ length: classes }, (_, c) => {
    const found = new Set<number>();
    for (const [i, cell] of cells.entries()) if (holds(labels[i]!, c)) found.add(cell);
    return Math.max(1, found.size);
  });
}

/** Within class y, over classes c that a value goes with: the logit of c where the image has that value, less where it has not. */
function cueMoves(
  rows: KnownRows,
  logits: Float64Array,
  { codes, goesWith }: KnownCue,
  others: ArrayLike<number>,
): CellEstimate {
  const { labels, classes } = rows;
  const cells = together(labels, codes, others);
  const pairs = new Map<string, { with: Set<number>; without: Set<number> }>();
  for (const [i, cell] of cells.entries())
    for (const [c, value] of goesWith.entries()) {
      if (value === undefined) continue;
      const key = `${labels[i]},${c}`;
      const pair = pairs.get(key) ?? { with: new Set(), without: new Set() };
      (codes[i] === value ? pair.with : pair.without).add(cell);
      pairs.set(key, pair);
    }
  const whole = [...pairs.values()].filter((pair) => pair.with.size > 0 && pair.without.size > 0).length;
  const numbers = Float64Array.from(labels, (label, i) => {
    let sum = 0;
    for (const [c, value] of goesWith.entries()) {
      const pair = pairs.get(`${label},${c}`);
      if (value === undefined || pair === undefined || pair.with.size === 0 || pair.without.size === 0)
        continue;
      const share = codes[i] === value ? 1 / pair.with.size : -1 / pair.without.size;
      sum += (share * logits[i * classes + c]!) / whole;
    }
    return sum;
  });
  return sumOfMeans(numbers, cells);
}

/** Numbers whose sum of means over cells is the accuracy, and the gap between cells that the cue goes with and others. */
function contrasts(labels: Int32Array, { codes, goesWith }: KnownCue, others: ArrayLike<number>) {
  const cells = together(labels, codes, others);
  const all = new Set(cells).size;
  const aligned = new Map<number, Set<number>>();
  const apart = new Map<number, Set<number>>();
  const isAligned = Uint8Array.from(labels, (label, i) => Number(goesWith[label] === codes[i]));
  for (const [i, cell] of cells.entries()) {
    if (goesWith[labels[i]!] === undefined) continue;
    const into = isAligned[i] === 1 ? aligned : apart;
    into.set(labels[i]!, (into.get(labels[i]!) ?? new Set()).add(cell));
  }
  const told = [...aligned.keys()].filter((label) => apart.has(label));
  const gap = Float64Array.from(labels, (label, i) => {
    if (!told.includes(label)) return 0;
    const own = isAligned[i] === 1 ? aligned.get(label)! : apart.get(label)!;
    return (isAligned[i] === 1 ? 1 : -1) / own.size / told.length;
  });
  return { cells, gap, share: 1 / all };
}

function rightBy({ labels, classes }: KnownRows, logits: Float64Array): Float64Array {
  return Float64Array.from(labels, (label, i) => {
    let best = 0;
    for (let c = 1; c < classes; c++) if (logits[i * classes + c]! > logits[i * classes + best]!) best = c;
    return Number(best === label);
  });
}

/** Mean of the features in each cell, each cell as often as the other. */
function meansOf({ features, width }: KnownRows, cells: ArrayLike<number>): Map<number, Float64Array> {
  const sums = new Map<number, { sum: Float64Array; count: number }>();
  for (let i = 0; i < cells.length; i++) {
    const own = sums.get(cells[i]!) ?? { sum: new Float64Array(width), count: 0 };
    for (let k = 0; k < width; k++) own.sum[k]! += features[i * width + k]!;
    own.count++;
    sums.set(cells[i]!, own);
  }
  return new Map([...sums].map(([cell, { sum, count }]) => [cell, sum.map((value) => value / count)]));
}

/** Takes the directions in which a cue moves features, within classes, out of them. */
type Eraser = (features: Float64Array) => Float64Array;

/** How features vary within cells, solved with; some of it as if they varied alike and alone, so that few images will do. */
function withinCells(rows: KnownRows, cells: Int32Array): { solve: (vector: Float64Array) => void } {
  const { features, width } = rows;
  const means = meansOf(rows, cells);
  const product = new Float64Array(width * width);
  const count = features.length / width;
  const row = new Float64Array(width);
  // More would cost more than they tell.
  const step = Math.max(1, Math.floor(count / 4000));
  let used = 0;
  for (let i = 0; i < count; i += step) {
    used++;
    const mean = means.get(cells[i]!)!;
    for (let k = 0; k < width; k++) row[k] = features[i * width + k]! - mean[k]!;
    for (let a = 0; a < width; a++) {
      const value = row[a]!;
      if (value === 0) continue;
      for (let b = 0; b <= a; b++) product[a * width + b]! += value * row[b]!;
    }
  }
  let trace = 0;
  for (let k = 0; k < width; k++) trace += product[k * width + k]! / used / width;
  return { solve: solverOf(product, width, { share: (1 - shrinkage) / used, ridge: shrinkage * trace }) };
}

const shrinkage = 0.1;

/**
 * x − d·(dᵀS⁻¹(x − μ))/(dᵀS⁻¹d) for the direction d of a cue of two values, and the same for several directions: what is left has
 * equal means for all values, and of all ways to that the one that changes features least, as they vary (Belrose et al. 2023).
 */
function eraserOf(
  rows: KnownRows,
  { codes, values }: Pick<KnownCue, "codes" | "values">,
  { solve }: ReturnType<typeof withinCells>,
): Eraser {
  const { width, labels } = rows;
  const means = meansOf(rows, together(labels, codes));
  const cellOf = new Map<string, number>();
  for (const [i, cell] of together(labels, codes).entries()) cellOf.set(`${labels[i]},${codes[i]}`, cell);
  const centre = new Float64Array(width);
  for (const mean of means.values()) for (let k = 0; k < width; k++) centre[k]! += mean[k]! / means.size;
  const directions: Float64Array[] = [];
  for (let value = 1; value < values; value++) {
    const direction = new Float64Array(width);
    const within = [...new Set(labels)].filter(
      (label) => cellOf.has(`${label},0`) && cellOf.has(`${label},${value}`),
    );
    for (const label of within) {
      const [to, from] = [
        means.get(cellOf.get(`${label},${value}`)!)!,
        means.get(cellOf.get(`${label},0`)!)!,
      ];
      for (let k = 0; k < width; k++) direction[k]! += (to[k]! - from[k]!) / within.length;
    }
    if (direction.some((x) => x !== 0)) directions.push(direction);
  }
  // Made orthogonal as S measures, one after the other.
  const basis: { direction: Float64Array; reader: Float64Array }[] = [];
  for (const direction of directions) {
    const left = Float64Array.from(direction);
    for (const { direction: known, reader } of basis) {
      const along = dot(reader, left);
      for (let k = 0; k < width; k++) left[k]! -= along * known[k]!;
    }
    const reader = Float64Array.from(left);
    solve(reader);
    const length = dot(reader, left);
    if (length <= 1e-12) continue;
    basis.push({ direction: left, reader: reader.map((x) => x / length) });
  }
  return (features) => {
    const made = Float64Array.from(features);
    for (let at = 0; at < made.length; at += width)
      for (const { direction, reader } of basis) {
        let along = 0;
        for (let k = 0; k < width; k++) along += reader[k]! * (made[at + k]! - centre[k]!);
        for (let k = 0; k < width; k++) made[at + k]! -= along * direction[k]!;
      }
    return made;
  };
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < a.length; k++) sum += a[k]! * b[k]!;
  return sum;
}

export interface UseOptions {
  /** Images that directions are estimated on, and those that are told of. */
  known: KnownRows;
  told: KnownRows;
  head: HeadOver;
  controls: number;
  random: Random;
}

/** `cue` of the images that directions are estimated on and of those that are told of; `others` what else they have. */
export function useOf(
  cue: { known: KnownCue; told: KnownCue },
  others: { known: ArrayLike<number>; told: ArrayLike<number> },
  { known, told, head, controls, random }: UseOptions,
): CueUse {
  const ofKnown = together(known.labels, cue.known.codes, others.known);
  const within = withinCells(known, ofKnown);
  const before = centredLogits(told, head);
  const right = rightBy(told, before);
  const { cells, gap, share } = contrasts(told.labels, cue.told, others.told);
  const without = (erase: Eraser) =>
    rightBy(told, centredLogits({ ...told, features: erase(told.features) }, head));
  const after = without(eraserOf(known, cue.known, within));
  const of = (numbers: (i: number) => number) =>
    sumOfMeans(
      Float64Array.from(cells, (_, i) => numbers(i)),
      cells,
    );
  const changes = Array.from({ length: controls }, () => {
    // Drawn anew, and not shuffled: a cue that moves features far would be in every mean of shuffled values.
    const codes = drawnWithin(ofKnown, cue.known.values, random);
    const other = without(eraserOf(known, { codes, values: cue.known.values }, within));
    return of((i) => gap[i]! * (other[i]! - right[i]!)).value;
  });
  return {
    moves: cueMoves(told, before, cue.told, others.told),
    gap: of((i) => gap[i]! * right[i]!),
    without: of((i) => gap[i]! * after[i]!),
    change: of((i) => gap[i]! * (after[i]! - right[i]!)),
    accuracy: of((i) => share * right[i]!),
    accuracyWithout: of((i) => share * after[i]!),
    controls: {
      mean: changes.reduce((a, b) => a + b, 0) / Math.max(1, controls),
      least: Math.min(0, ...changes),
      most: Math.max(0, ...changes),
      count: controls,
    },
  };
}

/** Values that mean nothing, as many of each in every cell as can be. */
function drawnWithin(cells: Int32Array, values: number, random: Random): Int32Array {
  const members = new Map<number, number[]>();
  for (const [i, cell] of cells.entries()) {
    const own = members.get(cell);
    if (own === undefined) members.set(cell, [i]);
    else own.push(i);
  }
  const made = new Int32Array(cells.length);
  for (const own of members.values())
    for (const [k, place] of random.shuffle(own).entries()) made[place] = k % values;
  return made;
}
