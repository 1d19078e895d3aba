/** How well a score tells two kinds apart, whatever threshold is put into it. */

import { checkValues, type Interval } from "./checks.ts";
import { normalQuantile } from "./distributions.ts";
import { averageRanks } from "./ranks.ts";

export interface RocArea extends Interval {
  /** How often one of the sought kind scores higher than one of the others, ties counted half; scikit-learn's `roc_auc_score`. */
  area: number;
}

/**
 * With the 95% interval of DeLong, DeLong & Clarke-Pearson 1988 on the logit's scale, which keeps it between 0 and 1. Null unless
 * there are two of each kind. A score that errs nowhere has no spread to tell how sure that is: the interval is then as
 * wide as one pair in error would make it.
 */
export function rocArea(scores: ArrayLike<number>, sought: ArrayLike<number | boolean>): RocArea | null {
  checkValues("scores", scores, 0);
  const parts: [others: number[], ours: number[]] = [[], []];
  for (let i = 0; i < scores.length; i++) parts[sought[i] ? 1 : 0].push(scores[i]!);
  const [others, ours] = parts;
  if (ours.length < 2 || others.length < 2) return null;
  const together = averageRanks([...ours, ...others]);
  const within = [averageRanks(ours), averageRanks(others)] as const;
  // How many of the other kind each is above, as shares: by midranks (Sun & Xu 2014).
  const above = ours.map((_, i) => (together[i]! - within[0][i]!) / others.length);
  const below = others.map((_, i) => 1 - (together[ours.length + i]! - within[1][i]!) / ours.length);
  const area = above.reduce((sum, share) => sum + share, 0) / ours.length;
  const error = Math.sqrt(spread(above, area) / ours.length + spread(below, area) / others.length);
  return { area, ...intervalOf(area, error, ours.length * others.length) };
}

/** Sample variance around a mean that is known to be theirs. */
function spread(values: readonly number[], mean: number): number {
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
}

function intervalOf(area: number, error: number, pairs: number): Interval {
  const z = normalQuantile(0.975);
  const inner = Math.min(1 - 0.5 / pairs, Math.max(0.5 / pairs, area));
  const slope = 1 / (inner * (1 - inner));
  const middle = Math.log(inner / (1 - inner));
  const half = z * Math.max(error, Math.abs(area - inner)) * slope;
  const share = (logit: number) => 1 / (1 + Math.exp(-logit));
  return { low: Math.min(area, share(middle - half)), high: Math.max(area, share(middle + half)) };
}
