/** Easy, medium and hard groups of a run, and the twelve cells: what tables and findings read. */

import { mean } from "../../core/statistics/index.ts";
import { all, categories, meanOf, type PlacedCell, placedShares } from "../hard-spurious-pretrained/cells.ts";
import type { MeasuredRun } from "../jobs/runs-job.ts";

export const categoryNames = ["easy", "medium", "hard"] as const;
export type CategoryName = (typeof categoryNames)[number];

/** Of counts, as ready-made networks are asked. */
function answered({ by = [] }: Pick<MeasuredRun, "by">) {
  return {
    groups: by.flatMap(({ values, count, accuracy }) =>
      accuracy === null ? [] : [{ values, images: count, correct: accuracy * count }],
    ),
  };
}

/** The mean of the four groups of a category, or of all twelve; null where a group is missing. */
export function categoryOf(run: Pick<MeasuredRun, "by">, name: CategoryName | "all"): number | null {
  return meanOf(answered(run), name === "all" ? all : categories[name])?.value ?? null;
}

/** One of the twelve, by the rank of its size. */
export function cellOf(run: Pick<MeasuredRun, "by">, cell: PlacedCell, rank: number): number | null {
  const share = placedShares(answered(run))?.[cell][rank];
  return share === undefined ? null : share.correct / share.images;
}

/** How much less often objects are told on another class's background. */
export function backgroundCost(run: Pick<MeasuredRun, "by">): number | null {
  const of = (letter: "O" | "R") =>
    meanOf(answered(run), (cell: PlacedCell) => cell.endsWith(letter))?.value ?? null;
  const [random, original] = [of("R"), of("O")];
  return random === null || original === null ? null : random - original;
}

export function meanOfSeeds(runs: readonly MeasuredRun[], name: CategoryName | "all"): number | undefined {
  const values = runs.flatMap((run) => categoryOf(run, name) ?? []);
  return values.length === 0 ? undefined : mean(values);
}
