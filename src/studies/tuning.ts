/** Fig. 6 of Shrestha et al. 2022: how much the test accuracy hangs on what the validation set is weighted by. */

import type { Figure, Table } from "../core/section.ts";
import { seedsCell } from "../core/section.ts";
import type { Selection } from "../training/selection.ts";
import { dotsFigure } from "./figures.ts";
import type { MeasuredCase, MeasuredRun } from "./jobs/runs-job.ts";

/** Powers of the training priors by which the validation set is weighted (section 6.4). */
const tuningAlphas: readonly number[] = [-1, -0.5, 0, 0.5, 1, 1.5, 2];

export function tuningRules(groups: readonly string[]): Selection[] {
  return tuningAlphas.map((alpha) => ({ by: "val-alpha", groups: [...groups], alpha }));
}

interface Tuned {
  case: MeasuredCase;
  run: MeasuredRun;
}

/** The run that each α would choose; undefined where α cannot weigh, such as groups that training does not have. */
function tunedBy(cases: readonly MeasuredCase[], method: string): (Tuned | undefined)[] {
  const runs = cases
    .filter((each) => each.method === method)
    .flatMap((each) => each.runs.map((run) => ({ case: each, run })));
  return tuningAlphas.map((_, rule) => {
    const scored = runs.filter(({ run }) => typeof run.scores[rule] === "number");
    // The first among equals.
    return scored.reduce<Tuned | undefined>(
      (best, each) => (best !== undefined && best.run.scores[rule]! >= each.run.scores[rule]! ? best : each),
      undefined,
    );
  });
}

export function tuningTable(cases: readonly MeasuredCase[], methods: readonly string[]): Table {
  const tuned = methods.map((method) => tunedBy(cases, method));
  return {
    name: "fig-6",
    caption:
      "Unbiased test accuracy of the run that each α chooses, in per cent, with its learning rate and weight decay",
    columns: [{ title: "α" }, ...methods.flatMap((title) => [{ title }, { title: `${title} at` }])],
    rows: tuningAlphas.map((alpha, rule) => ({
      source: "ours",
      cells: [
        String(alpha).replace("-", "−"),
        ...tuned.flatMap((each) => {
          const tuned = each[rule];
          if (tuned === undefined) return [null, "–"];
          const { rate, weightDecay } = tuned.case.at!;
          return [seedsCell([tuned.run.unbiased]), `${rate}, ${weightDecay}`];
        }),
      ],
    })),
  };
}

/** The dot is what unbiased tuning chooses, the bar reaches over all α. */
export function tuningFigure(
  cases: readonly MeasuredCase[],
  methods: readonly string[],
  {
    caption,
    halves,
  }: { caption: string; halves: Readonly<Record<string, (run: MeasuredRun) => number | null>> },
): Figure {
  const unbiasedRule = tuningAlphas.indexOf(0);
  const named = {
    name: "fig-6",
    caption: `${caption}: the dot is what unbiased tuning (α = 0) chooses, the bar reaches over all α`,
  };
  return dotsFigure(named, {
    value: { title: "test accuracy" },
    points: methods.flatMap((method) => {
      const tuned = tunedBy(cases, method);
      const chosen = tuned[unbiasedRule];
      if (chosen === undefined) return [];
      return Object.entries(halves).flatMap(([series, accuracy]) => {
        const value = accuracy(chosen.run);
        if (value === null) return [];
        const values = tuned.flatMap((each) => (each && accuracy(each.run)) ?? []);
        return [{ row: method, series, value, low: Math.min(...values), high: Math.max(...values) }];
      });
    }),
  });
}
