/** From what was counted to what is answered: names instead of codes, shares instead of counts. */

import type { AskedMark, IntervalOf, MarkedAnswer, VariantAnswer } from "./answer.ts";
import type { findMarkedClasses } from "./find-classes.ts";
import type { JudgedVariant } from "./judge.ts";
import type { MeasuredModel } from "./measure.ts";
import type { InterventionPlan, PlannedVariant } from "./plan.ts";
import type { VariantTally } from "./tally.ts";

const mostPushed = 3;

export function variantAnswer(
  { intervention, variant }: PlannedVariant,
  tally: VariantTally,
  { gaps, reliance, none, verdict }: JudgedVariant,
  classNames: readonly string[],
): VariantAnswer {
  const { images, without, right, flips, probability, pushed, pushedByControl, seen } = tally;
  const some = images > 0;
  const share = (count: number) => count / images;
  const interval = ({
    difference,
    low,
    high,
  }: {
    difference: number;
    low: number;
    high: number;
  }): IntervalOf => ({
    value: difference,
    low,
    high,
  });
  const order = [...pushed.keys()]
    .filter((k) => pushed[k]! > 0)
    .sort((a, b) => pushed[b]! - pushed[a]! || a - b);
  return {
    intervention: intervention.name,
    variant: variant.name,
    images,
    without,
    accuracy: some
      ? { plain: share(right.plain), changed: share(right.changed), control: share(right.control) }
      : null,
    gap: some ? interval(gaps.changed) : null,
    controlGap: some ? interval(gaps.control) : null,
    lessControl: some ? interval(gaps.lessControl) : null,
    flips: { lost: flips.changed.lost, won: flips.changed.won },
    probabilityChange: some ? probability.changed.mean : null,
    probabilityLessControl: some ? probability.lessControl.mean : null,
    pushesTo: order.slice(0, mostPushed).map((k) => ({
      class: classNames[k]!,
      images: pushed[k]!,
      byControl: pushedByControl[k]!,
    })),
    adjusted: { reliance, none },
    verdict,
    shown: seen,
  };
}

export function markedAnswer(
  { classes }: Awaited<ReturnType<typeof findMarkedClasses>>,
  { marks: sums, tallies }: MeasuredModel,
  { variants }: InterventionPlan,
  adjusted: number,
  {
    marks,
    alpha,
    threshold,
    classNames,
    asked,
    labelled,
  }: {
    marks: readonly string[];
    alpha: number;
    threshold: number;
    classNames: readonly string[];
    asked: number | undefined;
    labelled: boolean;
  },
): MarkedAnswer {
  const rows = (k: number): AskedMark[] =>
    marks.map((mark, m) => {
      const one = sums.of(m, k);
      const tally = tallies[variants.findIndex(({ variant }) => variant.marks && variant.name === mark)]!;
      const { plain, changed } = tally.right;
      return {
        mark,
        accuracy: labelled ? plain / tally.images : null,
        probability: one.probability,
        accuracyGap: (changed - plain) / tally.images,
        gain: one.gain,
        accuracyGapInClass: one.accuracyGapInClass,
        gainInClass: one.gainInClass,
      };
    });
  // Where even the largest gain surely stays below what matters, there is none.
  const below = classes.every(({ lessControl }) => lessControl.high < threshold);
  const found = adjusted < alpha;
  return {
    marks,
    classes: classes.map((one) => ({ ...one, found: one.found && found })),
    adjusted,
    verdict: found ? "reliance" : below ? "none" : "cannot be told",
    asked: asked === undefined ? undefined : { class: classNames[asked]!, rows: rows(asked) },
  };
}
