/**
 * Which properties go with which classes. What to say of a class is chosen on one half of the images; how far it holds, and whether
 * chance would do as much, is judged on the other. An image is a unit here: of images that belong together there is one.
 */

import { setImmediate } from "node:timers/promises";
import {
  benjaminiYekutieli,
  fisherGreater,
  shareDifferenceInterval,
} from "../../../core/statistics/index.ts";
import { explain } from "./explain.ts";
import type { CutProperty } from "./parts.ts";
import { countParts, holds, type Statement, statementWords, strongestStatement } from "./statement.ts";

export interface Thresholds {
  /** Least difference between the share of a class and that of all others. */
  effect: number;
  /** Most expected share of false findings among all. */
  rate: number;
}

/** How far something goes with a class, in the held-out half. */
export interface ShortcutEffect {
  /** Share of the class's images of which it is true, less that of all others. */
  effect: number;
  low: number;
  high: number;
  /** Of Fisher's exact test, one-sided: the other half has said which share is the larger. */
  pValue: number;
  /** By Benjamini and Yekutieli, over all properties and classes. */
  adjusted: number;
  share: number;
  elsewhere: number;
  /** Held-out images of the class, and others, one of each cluster. */
  images: number;
  others: number;
}

export interface FoundShortcut {
  /** Places in the lists of properties that were cut, and of classes. */
  cut: number;
  label: number;
  statement: Statement;
  words: string;
  measured: ShortcutEffect;
  /** Place, in this list, of a stronger finding beside which little of this one is left. */
  explainedBy: number | undefined;
}

export interface ShortcutSearch {
  cuts: readonly CutProperty[];
  /** Of each unit. */
  labels: ArrayLike<number>;
  /** Of each unit: 1 where it decides what to say, 0 where it judges. */
  chosen: Uint8Array;
  classes: number;
  thresholds: Thresholds;
}

export interface ShortcutsFound {
  /** Strongest first. */
  found: FoundShortcut[];
  /** Properties × classes that could be judged. */
  tests: number;
  /** Classes with too few held-out units to judge anything. */
  untested: number[];
  /** Held-out units of each class. */
  heldOut: Float64Array;
  /** The least difference that could have been found for a class of middling size, of what no other image has. */
  visible: number | undefined;
}

/** Of fewer held-out units of a class nothing can be told. */
const fewestUnits = 3;
/** So many counted values before others get their turn: some hundredths of a second. */
const valuesAtOnce = 4e6;

export async function findShortcuts(search: ShortcutSearch): Promise<ShortcutsFound> {
  const { cuts, labels, chosen, classes, thresholds } = search;
  const heldOut = new Float64Array(classes);
  for (let unit = 0; unit < chosen.length; unit++) if (chosen[unit] === 0) heldOut[labels[unit]!]!++;
  const all = heldOut.reduce((sum, count) => sum + count, 0);
  const testable = [...heldOut.keys()].filter(
    (label) => heldOut[label]! >= fewestUnits && all - heldOut[label]! >= fewestUnits,
  );
  const judged: FoundShortcut[] = [];
  let counted = 0;
  for (const [place, cut] of cuts.entries()) {
    const [before, after] = [1, 0].map((half) =>
      countParts(cut, labels, classes, (unit) => chosen[unit] === half),
    );
    const [totalsBefore, totalsAfter] = [before!, after!].map((counts) => totalsOf(counts, cut.parts.length));
    for (const label of testable) {
      const statement = strongestStatement(cut, before!, totalsBefore!, label);
      if (statement === undefined) continue;
      judged.push(
        judge({ place, label, statement, cut, counts: after!, totals: totalsAfter!, heldOut, all }),
      );
    }
    counted += cut.codes.length;
    if (counted < valuesAtOnce) continue;
    counted = 0;
    await setImmediate();
  }
  const adjusted = benjaminiYekutieli(judged.map(({ measured }) => measured.pValue));
  for (const [i, each] of judged.entries()) each.measured.adjusted = adjusted[i]!;
  const found = judged
    .filter(({ measured }) => measured.effect >= thresholds.effect && measured.adjusted <= thresholds.rate)
    .sort(
      (a, b) =>
        b.measured.effect - a.measured.effect ||
        nearness(cuts, a) - nearness(cuts, b) ||
        plainness(cuts, a) - plainness(cuts, b) ||
        a.cut - b.cut ||
        a.label - b.label,
    );
  await explain(search, found);
  return {
    found,
    tests: judged.length,
    untested: [...heldOut.keys()].filter((label) => !testable.includes(label)),
    heldOut,
    visible: leastVisible(
      testable.map((label) => heldOut[label]!).sort((a, b) => a - b),
      all,
      judged.length,
      thresholds,
    ),
  };
}

/** Of equally strong findings those that a model can see come first, then what files say, then their names. */
function nearness(cuts: readonly CutProperty[], { cut }: FoundShortcut): number {
  return (["pixels", "file", "name", "features"] as const).indexOf(cuts[cut]!.property.of);
}

interface Judgement {
  place: number;
  label: number;
  statement: Statement;
  cut: CutProperty;
  counts: Float64Array;
  totals: Float64Array;
  heldOut: Float64Array;
  all: number;
}

function judge({ place, label, statement, cut, counts, totals, heldOut, all }: Judgement): FoundShortcut {
  const width = cut.parts.length;
  let [own, everywhere] = [0, 0];
  for (let part = 0; part < width; part++) {
    if (!holds(statement, part)) continue;
    // Having none is a part of its own, and no range's.
    if (cut.order !== "none" && part === width - 1 && statement.first !== part) continue;
    own += counts[label * width + part]!;
    everywhere += totals[part]!;
  }
  const [n, others] = [heldOut[label]!, all - heldOut[label]!];
  const [one, other] = [
    { successes: own, n },
    { successes: everywhere - own, n: others },
  ];
  return {
    cut: place,
    label,
    statement,
    words: statementWords(cut, statement),
    measured: {
      effect: own / n - (everywhere - own) / others,
      ...shareDifferenceInterval(one, other),
      pValue: fisherGreater(one, other),
      adjusted: 1,
      share: own / n,
      elsewhere: (everywhere - own) / others,
      images: n,
      others,
    },
    explainedBy: undefined,
  };
}

function totalsOf(counts: Float64Array, width: number): Float64Array {
  const totals = new Float64Array(width);
  for (let i = 0; i < counts.length; i++) totals[i % width]! += counts[i]!;
  return totals;
}

/** The rate that a single finding among all tests would be held against decides. */
function leastVisible(
  sizes: readonly number[],
  all: number,
  tests: number,
  { effect, rate }: Thresholds,
): number | undefined {
  const n = sizes[sizes.length >> 1];
  if (n === undefined || tests === 0) return undefined;
  let factor = 0;
  for (let i = 1; i <= tests; i++) factor += 1 / i;
  for (let successes = 1; successes <= n; successes++)
    if (fisherGreater({ successes, n }, { successes: 0, n: all - n }) <= rate / (tests * factor))
      return Math.max(effect, successes / n);
  return undefined;
}

/** Then those that name what is there, such as a border's colour: a range has to be read twice, and "none" names nothing. */
function plainness(cuts: readonly CutProperty[], { cut, statement: { first } }: FoundShortcut): number {
  return (["value", "range", "others", "none"] as const).indexOf(cuts[cut]!.parts[first]!.kind);
}
