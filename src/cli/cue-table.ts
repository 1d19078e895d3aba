/** Cue statistics as people read them, for `data check` and the demo. */

import type { CueStatistic } from "../core/cue-statistics.ts";
import { textTable } from "./text-table.ts";

export function cueTable(statistics: readonly CueStatistic[]): string {
  const number = (value: number | null) => (value === null ? "–" : value.toFixed(3));
  return textTable(
    ["cue", "slice", "images", "P(agrees)", "Cramér's V", "norm. MI"],
    statistics.map((s) => [
      s.cue,
      s.slice,
      s.count.toLocaleString("en"),
      number(s.agreement),
      number(s.cramersV),
      number(s.normalisedMutualInformation),
    ]),
  );
}
