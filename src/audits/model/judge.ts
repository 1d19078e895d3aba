/**
 * What an audit says of each variant. Reliance is what a change costs beyond both the plain image and its control; a cost is counted
 * from the margin on, so that what does not matter is no reliance, however many images show it.
 */

import { holm, type PairedShares, pairedShares } from "../../core/statistics/index.ts";
import type { Comparison, VariantTally } from "./tally.ts";

export type RelianceVerdict = "reliance" | "none" | "cannot be told";

export interface JudgedVariant {
  /** Of accuracy: less plain, less the control, and the control's own less plain; with 95% intervals, not adjusted. */
  gaps: Record<Comparison, PairedShares>;
  /** Holm's, for all variants of the audit and the search for classes. */
  reliance: number;
  none: number;
  verdict: RelianceVerdict;
}

export interface JudgeOptions {
  margin: number;
  alpha: number;
}

/** Hypotheses that stand beside the variants in the family, such as that a mark speaks for a class. */
export function judgeVariants(
  tallies: readonly VariantTally[],
  { margin, alpha }: JudgeOptions,
  others: readonly number[] = [],
): { variants: JudgedVariant[]; others: number[] } {
  const measured = tallies.map(({ flips, images }) => {
    if (images === 0) return undefined;
    const of = (comparison: Comparison) => pairedShares({ ...flips[comparison], n: images });
    const gaps = { changed: of("changed"), lessControl: of("lessControl"), control: of("control") };
    const both = [gaps.changed, gaps.lessControl];
    return {
      gaps,
      // It must cost more than the margin in both comparisons, so that the weaker evidence counts.
      reliance: Math.max(...both.map((gap) => gap.fallsMore(margin))),
      // It is none where either says so; that either may say it is paid for.
      none: Math.min(1, 2 * Math.min(...both.map((gap) => gap.fallsLess(margin)))),
    };
  });
  const reliances = holm([...measured.map((each) => each?.reliance ?? 1), ...others]);
  const nones = holm(measured.map((each) => each?.none ?? 1));
  const nothing = pairedShares({ won: 0, lost: 0, n: 1 });
  return {
    variants: measured.map((each, i) => {
      const [reliance, none] = [reliances[i]!, nones[i]!];
      const verdict = reliance < alpha ? "reliance" : none < alpha ? "none" : "cannot be told";
      const gaps = each?.gaps ?? { changed: nothing, lessControl: nothing, control: nothing };
      return { gaps, reliance, none, verdict };
    }),
    others: [...reliances.subarray(tallies.length)],
  };
}
