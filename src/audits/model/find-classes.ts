/** All classes ranked by what marks add to their probability, and whether the first is more than chance. */

import { randomStream } from "../../core/random.ts";
import { normalCdf } from "../../core/statistics/index.ts";
import type { MarkedClass } from "./answer.ts";
import { type MarkSums, type SwapHooks, swapTest } from "./marks.ts";

export interface FindOptions extends SwapHooks {
  classNames: readonly string[];
  marks: readonly string[];
  threshold: number;
  alpha: number;
  flips: number;
  seed: number;
}

/** Of a 95% interval. */
const half = 1.96;

/** By the mark that each gains most by, the largest gain first; `pValue` is of the whole search. */
export async function findMarkedClasses(
  sums: MarkSums,
  { classNames, marks, threshold, alpha, flips, seed, ...hooks }: FindOptions,
): Promise<{ classes: MarkedClass[]; pValue: number }> {
  const random = randomStream(seed, "audit/swaps").at(0);
  const { gains, adjusted } = await swapTest(sums.gains, sums.images, { random, flips, ...hooks });
  const columns = classNames.length * marks.length;
  let pValue = 1;
  const classes = classNames.map((name, k): MarkedClass => {
    const own = marks.map((_, mark) => {
      const one = sums.of(mark, k);
      // Chance alone gives no such gain, and it is one that matters, beyond what as much ink without letters gives.
      const p = Math.max(
        adjusted[mark * classNames.length + k]!,
        Math.min(1, columns * above(one, threshold)),
      );
      return { mark, one, p };
    });
    for (const { p } of own) pValue = Math.min(pValue, p);
    const most = own.reduce((a, b) =>
      gains[b.mark * classNames.length + k]! > gains[a.mark * classNames.length + k]! ? b : a,
    );
    const { probability, gain, lessControl, error, gainInClass, accuracyGapInClass } = most.one;
    return {
      class: name,
      mark: marks[most.mark]!,
      probability,
      gain,
      lessControl: { value: lessControl, low: lessControl - half * error, high: lessControl + half * error },
      gainInClass,
      accuracyGapInClass,
      adjusted: adjusted[most.mark * classNames.length + k]!,
      found: own.some(({ p }) => p < alpha),
    };
  });
  return { classes: classes.sort((a, b) => b.gain - a.gain), pValue };
}

/** One-sided: that the mean gain beyond the control is more than the threshold. */
function above({ lessControl, error }: { lessControl: number; error: number }, threshold: number): number {
  if (error === 0) return lessControl > threshold ? 0 : 1;
  return normalCdf(-(lessControl - threshold) / error);
}
