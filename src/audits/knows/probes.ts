/** What a linear layer can read of features: the class, and each cue within classes, beside labels that mean nothing. */

import { randomStream } from "../../core/random.ts";
import { blockRows, type ScaledRows } from "../../training/heads/head-rows.ts";
import { type HeadProblem, type SolvedHead, solveHeads } from "../../training/heads/solve-heads.ts";
import { type CellEstimate, evenWeights, shuffledWithin, sumOfMeans, together } from "./cells.ts";

/** Places among the images: fitted on, tuned on, told of. */
export interface ProbeParts {
  fit: Uint32Array;
  tune: Uint32Array;
  report: Uint32Array;
}

/** Something to read: its values, and within which combinations of all else they count the same. */
export interface ProbeTarget {
  name: string;
  codes: Int32Array;
  values: number;
  within: Int32Array;
}

export interface ProbeAnswer {
  name: string;
  /** Mean over combinations, of images that it was neither fitted nor tuned on. */
  accuracy: CellEstimate;
  chance: number;
  /** Of probes of shuffled labels. */
  controls: { mean: number; most: number; count: number };
  /** Share of probes, it and the controls, that read as much. */
  p: number;
  l2: number;
}

export interface ProbeOptions {
  parts: ProbeParts;
  rows: { fit: ScaledRows; tune: ScaledRows; report: ScaledRows };
  penalties: readonly number[];
  controls: number;
  seed: number;
  threads: number;
  shouldStop?: (() => boolean) | undefined;
}

/** Undefined where it was asked to stop. */
export async function probe(
  targets: readonly ProbeTarget[],
  options: ProbeOptions,
): Promise<ProbeAnswer[] | undefined> {
  const { parts, rows, penalties, controls, seed, threads, shouldStop } = options;
  const solving = { threads, ...(shouldStop && { shouldStop }) };
  const tuned = await solveHeads(
    rows.fit,
    targets.flatMap((target) => penalties.map((l2) => problemOf(target, target.codes, parts.fit, l2))),
    solving,
  );
  if (tuned === undefined) return undefined;
  const chosen: { l2: number; head: SolvedHead }[] = [];
  for (const [t, target] of targets.entries()) {
    let best = { l2: penalties[0]!, accuracy: -1, head: tuned[0]! };
    for (const [k, l2] of penalties.entries()) {
      const head = tuned[t * penalties.length + k]!;
      const { value } = await accuracyOf(head, target, target.codes, rows.tune, parts.tune);
      // Of equals the one that penalises most, whose weights are least.
      if (value >= best.accuracy) best = { l2, accuracy: value, head };
    }
    chosen.push(best);
  }
  const shuffles = targets.map((target, t) =>
    Array.from({ length: controls }, (_, k) =>
      shuffledWithin(target.codes, target.within, randomStream(seed, `knows/${t}`).at(k)),
    ),
  );
  const meaningless = await solveHeads(
    rows.fit,
    targets.flatMap((target, t) =>
      shuffles[t]!.map((codes) => problemOf(target, codes, parts.fit, chosen[t]!.l2)),
    ),
    solving,
  );
  if (meaningless === undefined) return undefined;
  const answers: ProbeAnswer[] = [];
  for (const [t, target] of targets.entries()) {
    const { l2, head } = chosen[t]!;
    const accuracy = await accuracyOf(head, target, target.codes, rows.report, parts.report);
    const others: number[] = [];
    for (const [k, codes] of shuffles[t]!.entries()) {
      const control = meaningless[t * controls + k]!;
      others.push((await accuracyOf(control, target, codes, rows.report, parts.report)).value);
    }
    const asGood = others.filter((value) => value >= accuracy.value).length;
    answers.push({
      name: target.name,
      accuracy,
      chance: 1 / target.values,
      controls: {
        mean: others.reduce((a, b) => a + b, 0) / controls,
        most: Math.max(...others),
        count: controls,
      },
      p: (1 + asGood) / (1 + controls),
      l2,
    });
  }
  return answers;
}

/** Every combination counts the same, so that nothing but the value itself tells it. */
function problemOf(
  { values, within }: ProbeTarget,
  codes: Int32Array,
  places: Uint32Array,
  l2: number,
): HeadProblem {
  const labels = Int32Array.from(places, (place) => codes[place]!);
  const cells = together(
    labels,
    Int32Array.from(places, (place) => within[place]!),
  );
  return { labels, classes: values, l2, weights: evenWeights(cells) };
}

/** Mean over combinations of value and all else. */
async function accuracyOf(
  head: SolvedHead,
  { within }: ProbeTarget,
  codes: Int32Array,
  rows: ScaledRows,
  places: Uint32Array,
): Promise<CellEstimate> {
  const said = await logitsOver(head, rows);
  const classes = head.bias.length;
  const truth = Int32Array.from(places, (place) => codes[place]!);
  const cells = together(
    truth,
    Int32Array.from(places, (place) => within[place]!),
  );
  const count = new Set(cells).size;
  const right = Float64Array.from(truth, (label, i) => {
    let best = 0;
    for (let c = 1; c < classes; c++) if (said[i * classes + c]! > said[i * classes + best]!) best = c;
    return Number(best === label) / count;
  });
  return sumOfMeans(right, cells);
}

/** [rows, classes] */
async function logitsOver(
  { weight, bias }: Pick<SolvedHead, "weight" | "bias">,
  rows: ScaledRows,
): Promise<Float64Array> {
  const classes = bias.length;
  const { count, width } = rows;
  const logits = new Float64Array(count * classes);
  let block: Float32Array = new Float32Array(0);
  for (let row = 0; row < count; row++) {
    const inBlock = row % blockRows;
    if (inBlock === 0) block = await rows.block(row / blockRows);
    for (let c = 0; c < classes; c++) {
      let sum = bias[c]!;
      for (let k = 0; k < width; k++) sum += block[inBlock * width + k]! * weight[c * width + k]!;
      logits[row * classes + c] = sum;
    }
  }
  return logits;
}
