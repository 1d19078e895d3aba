/** What is counted of one variant while images go by: accuracies, flips, probabilities, and the flips worth seeing. */

export interface VariantTally {
  /** Images that were changed, and those that could not be. */
  images: number;
  without: number;
  right: { plain: number; changed: number; control: number };
  /** Right before and wrong after, and the other way; against the plain image, against the control, and of the control itself. */
  flips: Record<Comparison, { won: number; lost: number }>;
  /** Of the probability of the true class. */
  probability: Record<Comparison, DifferenceMoments>;
  /** Other predictions than of the plain image, by what is said instead: of the changed image, and of its control. */
  pushed: Uint32Array;
  pushedByControl: Uint32Array;
  seen: SeenFlip[];
}

export type Comparison = "changed" | "lessControl" | "control";

interface DifferenceMoments {
  n: number;
  mean: number;
  squares: number;
}

export interface SeenFlip {
  /** Place in the dataset. */
  index: number;
  before: { class: number; probability: number };
  after: { class: number; probability: number };
  /** In the probability of what was said before. */
  drop: number;
}

/** Probabilities of all classes for one image, as it is, changed, and by the control. */
export interface AnswersOfImage {
  index: number;
  /** The true class, or the plain prediction. */
  wanted: number;
  plain: Float32Array;
  changed: Float32Array;
  control: Float32Array;
}

const mostSeen = 4;

export function emptyTally(classes: number): VariantTally {
  const flips = () => ({ won: 0, lost: 0 });
  const moments = () => ({ n: 0, mean: 0, squares: 0 });
  return {
    images: 0,
    without: 0,
    right: { plain: 0, changed: 0, control: 0 },
    flips: { changed: flips(), lessControl: flips(), control: flips() },
    probability: { changed: moments(), lessControl: moments(), control: moments() },
    pushed: new Uint32Array(classes),
    pushedByControl: new Uint32Array(classes),
    seen: [],
  };
}

export function addAnswers(
  tally: VariantTally,
  { index, wanted, plain, changed, control }: AnswersOfImage,
): void {
  const said = { plain: likeliest(plain), changed: likeliest(changed), control: likeliest(control) };
  const right = {
    plain: said.plain === wanted,
    changed: said.changed === wanted,
    control: said.control === wanted,
  };
  tally.images++;
  for (const arm of ["plain", "changed", "control"] as const) if (right[arm]) tally.right[arm]++;
  const pairs = {
    changed: [right.plain, right.changed, changed[wanted]! - plain[wanted]!],
    lessControl: [right.control, right.changed, changed[wanted]! - control[wanted]!],
    control: [right.plain, right.control, control[wanted]! - plain[wanted]!],
  } as const;
  for (const comparison of ["changed", "lessControl", "control"] as const) {
    const [before, after, difference] = pairs[comparison];
    if (after && !before) tally.flips[comparison].won++;
    if (before && !after) tally.flips[comparison].lost++;
    addMoment(tally.probability[comparison], difference);
  }
  if (said.control !== said.plain) tally.pushedByControl[said.control]!++;
  if (said.changed === said.plain) return;
  tally.pushed[said.changed]!++;
  // One that its control flips as well shows nothing of the cue.
  if (!right.plain || said.control !== said.plain) return;
  keepFlip(tally.seen, {
    index,
    before: { class: said.plain, probability: plain[said.plain]! },
    after: { class: said.changed, probability: changed[said.changed]! },
    drop: plain[said.plain]! - changed[said.plain]!,
  });
}

/** Those that lose most, and of equals the first. */
function keepFlip(seen: SeenFlip[], flip: SeenFlip): void {
  seen.push(flip);
  seen.sort((a, b) => b.drop - a.drop || a.index - b.index);
  if (seen.length > mostSeen) seen.pop();
}

/** Welford's: the mean and the sum of squares around it. */
function addMoment(moments: DifferenceMoments, value: number): void {
  moments.n++;
  const before = value - moments.mean;
  moments.mean += before / moments.n;
  moments.squares += before * (value - moments.mean);
}

/** The first among equals. */
export function likeliest(probabilities: ArrayLike<number>): number {
  let best = 0;
  for (let k = 1; k < probabilities.length; k++) if (probabilities[k]! > probabilities[best]!) best = k;
  return best;
}

/** Rows of logits to probabilities, in place. */
export function softmaxRows(logits: Float32Array, classes: number): Float32Array {
  for (let row = 0; row < logits.length; row += classes) {
    let most = Number.NEGATIVE_INFINITY;
    for (let k = 0; k < classes; k++) most = Math.max(most, logits[row + k]!);
    let total = 0;
    for (let k = 0; k < classes; k++) total += logits[row + k] = Math.exp(logits[row + k]! - most);
    for (let k = 0; k < classes; k++) logits[row + k]! /= total;
  }
  return logits;
}
