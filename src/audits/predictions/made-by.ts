/** Which runs made the predictions, and with what settings: at the end of a page, for those who want to repeat it. */

import type { PredictionsOrigin } from "../../core/predictions-about.ts";
import type { Section } from "../../core/section.ts";
import { decidingLeaves, leavesOf } from "../../core/spec-differences.ts";
import { openPredictions } from "../../predictions/open-predictions.ts";

/** In the order of the tables; those that no run has made are left out. */
export async function originsOf(tables: readonly string[]): Promise<PredictionsOrigin[]> {
  const opened = await Promise.all(tables.map((path) => openPredictions(path, {})));
  return opened.flatMap(({ origin }) => origin ?? []);
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
