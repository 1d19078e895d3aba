/** Counts of predictions by class and attribute values: what is left of a table once it has been read. */

/** Images, and how many of them were got right. */
export interface Tally {
  count: number;
  correct: number;
  /** Right by the baseline on the same images; null without one. */
  baselineCorrect: number | null;
  /** Right by both; null where the two were not compared image by image. */
  bothCorrect: number | null;
}

/** One combination of class and the values of a margin's attributes. */
export interface CountedCell extends Tally {
  label: number;
  /** One an attribute of the margin, as an index into its value names. */
  values: readonly number[];
  /** Training images of this combination; null where nothing is known of training. */
  train: number | null;
}

/** All rows, counted by class and some of the attributes. */
interface Margin {
  attributes: readonly string[];
  /** Combinations with images to evaluate, or with training images. */
  cells: readonly CountedCell[];
}

export interface PredictionCounts {
  classNames: readonly string[];
  valueNames: ReadonlyMap<string, readonly string[]>;
  /** One for the groups and one for each cue: counted by all attributes together, hardly two rows would be alike. */
  margins: readonly Margin[];
  /** By confidence, in steps of equal width from 0 to 1; null where no confidences are known. */
  calibration: readonly CalibrationBin[] | null;
}

export interface CalibrationBin {
  count: number;
  correct: number;
  /** Sum of the probabilities given to the predicted class. */
  confidence: number;
}

export function emptyTally(): Tally {
  return { count: 0, correct: 0, baselineCorrect: null, bothCorrect: null };
}

export function addTally(sum: Tally, part: Tally): void {
  sum.count += part.count;
  sum.correct += part.correct;
  sum.baselineCorrect = added(sum.baselineCorrect, part.baselineCorrect);
  sum.bothCorrect = added(sum.bothCorrect, part.bothCorrect);
}

export function sumTallies(parts: Iterable<Tally>): Tally {
  const sum = emptyTally();
  for (const part of parts) addTally(sum, part);
  return sum;
}

function added(a: number | null, b: number | null): number | null {
  return b === null ? a : (a ?? 0) + b;
}

/** The cells that were counted by class and exactly these attributes. */
export function cellsOf(
  { margins }: PredictionCounts,
  attributes: readonly string[],
): readonly CountedCell[] {
  const margin = margins.find((each) => sameNames(each.attributes, attributes));
  if (margin === undefined) throw new RangeError(`class × ${attributes.join(" × ")} was not counted`);
  return margin.cells;
}

export function sameNames(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name, i) => name === b[i]);
}
