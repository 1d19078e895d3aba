/**
 * Images by which of their cues are uncommon: those that do not show the value going with their class. With two cues there
 * are four cells, from both common, as nearly all of training is, to both uncommon.
 */

import { addTally, type CountedCell, emptyTally, type PredictionCounts, type Tally } from "./counts.ts";
import { belongsTo, type MajorityRule } from "./cue-halves.ts";

/** More cues at once leave hardly an image in most cells. */
export const mostAlignedCues = 4;

export interface AlignedCell {
  /** Names of the cues that are uncommon in it; empty where all are common. */
  uncommon: readonly string[];
  /** One a class, empty ones too. */
  classes: readonly Tally[];
  /** Its share of the training images. */
  share: number;
}

export interface Alignment {
  cues: readonly string[];
  /** All common first, then each cue alone, each pair, and so on. */
  cells: readonly AlignedCell[];
  /** Images of classes for which the common value of some cue is not known. */
  unknown: number;
}

interface CueQuestion {
  name: string;
  majority: MajorityRule;
}

/** Columns that must be counted together for it. */
function alignedColumns(cues: readonly CueQuestion[]): string[] {
  return cues.map(({ name, majority }) => (majority.by === "column" ? majority.column : name));
}

/** Null without cues, with too many of them, or where nothing is known of training. */
export function alignmentOf(counts: PredictionCounts, cues: readonly CueQuestion[]): Alignment | null {
  const columns = alignedColumns(cues);
  const margin = counts.margins.find(({ attributes }) => columns.every((name) => attributes.includes(name)));
  if (cues.length === 0 || cues.length > mostAlignedCues || margin === undefined) return null;
  const places = columns.map((name) => margin.attributes.indexOf(name));
  const belongs = cues.map(({ name, majority }) => belongsTo(counts, name, majority));
  const cells = masksOf(cues.length).map((mask) => ({
    mask,
    uncommon: cues.flatMap(({ name }, i) => (mask & (1 << i) ? [name] : [])),
    classes: counts.classNames.map(emptyTally),
    trained: 0,
  }));
  const byMask = cells.toSorted((a, b) => a.mask - b.mask);
  /** Undefined where the common value of some cue is not known. */
  const maskOf = ({ label, values }: CountedCell): number | undefined => {
    let mask = 0;
    for (let i = 0; i < belongs.length; i++) {
      const common = belongs[i]!(label, values[places[i]!]!);
      if (common === undefined) return undefined;
      if (!common) mask |= 1 << i;
    }
    return mask;
  };
  let [unknown, trained] = [0, 0];
  for (const cell of margin.cells) {
    const mask = maskOf(cell);
    if (mask === undefined) {
      unknown += cell.count;
      continue;
    }
    const own = byMask[mask]!;
    addTally(own.classes[cell.label]!, cell);
    own.trained += cell.train ?? 0;
    trained += cell.train ?? 0;
  }
  if (trained === 0) return null;
  return {
    cues: cues.map(({ name }) => name),
    cells: cells.map(({ uncommon, classes, trained: own }) => ({ uncommon, classes, share: own / trained })),
    unknown,
  };
}

/** Every choice of cues: fewer before more, and then in the order of the cues. */
function masksOf(cues: number): number[] {
  const size = (mask: number) =>
    Array.from({ length: cues }, (_, i) => (mask >> i) & 1).reduce((a, b) => a + b);
  return Array.from({ length: 2 ** cues }, (_, mask) => mask).sort((a, b) => size(a) - size(b) || a - b);
}

/** Accuracy of a cell where every class counts the same; null without images. */
export function cellAccuracy({ classes }: AlignedCell): number | null {
  const occupied = classes.filter(({ count }) => count > 0);
  if (occupied.length === 0) return null;
  return occupied.reduce((sum, { correct, count }) => sum + correct / count, 0) / occupied.length;
}

export function cellImages({ classes }: AlignedCell): number {
  return classes.reduce((sum, { count }) => sum + count, 0);
}
