/** Fig. 6 of Shrestha et al. 2022: how much the test accuracy hangs on what the validation set is weighted by. */

import type { Figure, Table } from "../core/section.ts";
import { seedsCell } from "../core/section.ts";
import { optimiserSearch } from "../methods/presets.ts";
import type { Selection } from "../training/selection.ts";
import { violinsFigure } from "./figures.ts";
import type { MeasuredCase, MeasuredRun, RunsJob } from "./jobs/runs-job.ts";
import { trainedCell } from "./plateau.ts";

/** Powers of the training priors by which the validation set is weighted (section 6.4). */
const tuningAlphas: readonly number[] = [-1, -0.5, 0, 0.5, 1, 1.5, 2];

export function tuningRules(groups: readonly string[]): Selection[] {
  return tuningAlphas.map((alpha) => ({ by: "val-alpha", groups: [...groups], alpha }));
}

/**
 * The two-stage search that led the authors to Table A6 (Appendix A.2): rates and weight decays, then each method's own settings,
 * by unbiased validation accuracy over groups of the class and a cue.
 */
export function settingsSearch(cue: string, seed: number): NonNullable<RunsJob["search"]> {
  const { rate, weightDecay } = optimiserSearch;
  return {
    stages: [
      { grid: { "optimiser.rate": [...rate], "optimiser.weightDecay": [...weightDecay] } },
      { own: true },
    ],
    select: { by: "val-unbiased", groups: [cue] },
    seed,
  };
}

interface Tuned {
  case: MeasuredCase;
  run: MeasuredRun;
}

/** Of one seed, the run that each α would choose; undefined where α cannot weigh, such as groups that training does not have. */
function tunedBy(cases: readonly MeasuredCase[], method: string, seed: number): (Tuned | undefined)[] {
  const runs = cases
    .filter((each) => each.method === method)
    .flatMap((each) => each.runs.map((run) => ({ case: each, run })))
    .filter(({ run }) => run.seed === seed);
  return tuningAlphas.map((_, rule) => {
    const scored = runs.filter(({ run }) => typeof run.scores[rule] === "number");
    // The first among equals.
    return scored.reduce<Tuned | undefined>(
      (best, each) => (best !== undefined && best.run.scores[rule]! >= each.run.scores[rule]! ? best : each),
      undefined,
    );
  });
}

function seedsOf(cases: readonly MeasuredCase[]): number[] {
  return [...new Set(cases.flatMap(({ runs }) => runs.map(({ seed }) => seed)))].sort((a, b) => a - b);
}

/** Seed by seed, how far apart the best and the worst accuracy are that some α leads to; null where fewer than two are known. */
export function rangesOverAlpha(
  cases: readonly MeasuredCase[],
  method: string,
  accuracy: (run: MeasuredRun) => number | null,
): { seed: number; value: number }[] {
  return seedsOf(cases).flatMap((seed) => {
    const values = tunedBy(cases, method, seed).flatMap((each) => (each && accuracy(each.run)) ?? []);
    return values.length < 2 ? [] : [{ seed, value: Math.max(...values) - Math.min(...values) }];
  });
}

export function tuningTable(cases: readonly MeasuredCase[], methods: readonly string[]): Table {
  const seeds = seedsOf(cases);
  const tuned = methods.map((method) => seeds.map((seed) => tunedBy(cases, method, seed)));
  return {
    name: "fig-6",
    caption:
      "Unbiased test accuracy of the run that each α chooses, in per cent, with its learning rate and weight decay, seed by seed",
    columns: [{ title: "α" }, ...methods.flatMap((title) => [{ title }, { title: `${title} at` }])],
    rows: tuningAlphas.map((alpha, rule) => ({
      source: "ours",
      cells: [
        String(alpha).replace("-", "−"),
        ...tuned.flatMap((ofSeeds) => {
          const chosen = ofSeeds.flatMap((each) => each[rule] ?? []);
          const images = chosen[0]?.run.count;
          const pairs = chosen.map(({ case: { at } }) => `${at!.rate}, ${at!.weightDecay}`);
          return [
            seedsCell(
              chosen.map(({ run }) => run.unbiased),
              images,
            ),
            [...new Set(pairs)].join("; ") || "–",
          ];
        }),
      ],
    })),
  };
}

/** A violin a method and half over the seven α of every seed; the filled dot is what unbiased tuning chooses. */
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
    caption: `${caption}: violins over the seven α, a dot each; what unbiased tuning (α = 0) chooses is filled`,
  };
  return violinsFigure(named, {
    value: { title: "test accuracy" },
    values: methods.flatMap((category) =>
      Object.entries(halves).flatMap(([kind, accuracy]) =>
        seedsOf(cases).flatMap((seed) =>
          tunedBy(cases, category, seed).flatMap((each, rule) => {
            const value = each === undefined ? null : accuracy(each.run);
            return value === null ? [] : [{ category, kind, value, marked: rule === unbiasedRule }];
          }),
        ),
      ),
    ),
  });
}

/** What a search chose. */
export function chosenTable(cases: readonly MeasuredCase[]): Table {
  return {
    name: "table-a6",
    caption: "What the search chose, and its unbiased test accuracy in per cent",
    columns: [{ title: "Method" }, { title: "Chosen" }, { title: "Ours", better: "higher" }],
    rows: cases.map((each) => ({
      source: "ours",
      cells: [
        each.method,
        Object.entries(each.chosen)
          .map(([path, value]) => `${path.split(".").at(-1)} ${String(value)}`)
          .join(", "),
        trainedCell(each),
      ],
    })),
  };
}
