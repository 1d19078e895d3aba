/** Which runs made the predictions, and with what settings: at the end of a page, for those who want to repeat it. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import type { PredictionsOrigin } from "../../core/predictions-about.ts";
import type { Section } from "../../core/section.ts";
import { decidingLeaves, leavesOf } from "../../core/spec-differences.ts";
import { openPredictions } from "../../predictions/open-predictions.ts";
import { learningCurves } from "../../runs/learning-curves.ts";
import { runFiles } from "../../runs/run-folder.ts";

/** In the order of the tables; those that no run has made are left out. */
export async function originsOf(tables: readonly string[]): Promise<PredictionsOrigin[]> {
  const opened = await Promise.all(tables.map((path) => openPredictions(path, {})));
  return opened.flatMap(({ origin }) => origin ?? []);
}

/** How the runs among the tables came to what they found. */
export function showCurves(tables: readonly string[]): Section[] {
  const folders = tables.filter((path) => existsSync(join(path, runFiles.history)));
  const figures = folders.length === 0 ? [] : learningCurves([{ label: "run", folders }]);
  return figures.length === 0 ? [] : [{ name: "curves", heading: "Learning curves", figures }];
}

/** Runs that are averaged differ in their seeds alone. */
export function showOrigins(origins: readonly PredictionsOrigin[]): Section[] {
  const [first] = origins;
  if (first === undefined) return [];
  const seeds = origins.map(({ run, spec }) => `${run}, seed ${leavesOf(spec).get("seed") ?? "unknown"}`);
  return [
    {
      name: "settings",
      heading: "Settings of the runs",
      facts: [[origins.length === 1 ? "run" : "runs", seeds.join("; ")], ...decidingLeaves(first.spec)],
    },
  ];
}
