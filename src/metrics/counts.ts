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

/** One combination of class and attribute values. */
export interface Cell extends Tally {
  label: number;
  /** One an attribute, as an index into its value names. */
  values: ArrayLike<number>;
  /** Training images of this combination; null where nothing is known of training. */
  train: number | null;
}

export interface PredictionCounts {
  classNames: readonly string[];
  attributes: readonly { name: string; valueNames: readonly string[] }[];
  /** Combinations with images to evaluate, or with training images. */
  cells: readonly Cell[];
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

/** The position of an attribute among a cell's values. */
export function positionOf({ attributes }: PredictionCounts, name: string): number {
  const position = attributes.findIndex((attribute) => attribute.name === name);
  if (position < 0) throw new RangeError(`attribute "${name}" was not counted`);
  return position;
}
