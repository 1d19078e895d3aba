/** Cue statistics as people read them, for `data check` and the demo. */

import { type CueStatistic, cueCells } from "../core/cue-statistics.ts";
import { textTable } from "../reports/as-text.ts";

export function cueTable(statistics: readonly CueStatistic[]): string {
  return textTable(["cue", "slice", "images", "P(agrees)", "Cramér's V", "norm. MI"], cueCells(statistics));
}
