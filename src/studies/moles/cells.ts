/** Cells of boards: how far a gap moved, and how many times the baseline's reliance that is. */

import { type Cell, pointsCell } from "../../core/section.ts";
import type { CueVerdict } from "../../metrics/moles/index.ts";
import { points } from "../summaries.ts";

/** Method less baseline, with the interval over seeds. */
export function changeCell(cue: CueVerdict | undefined): Cell {
  if (cue === undefined) return null;
  const { value, interval } = cue.gap;
  const words = interval === null ? "" : ` (${points(interval.low)} to ${points(interval.high)})`;
  return { value, text: `${pointsCell(value).text}${words}` };
}

export function ratioCell(cue: CueVerdict | undefined): Cell {
  if (!cue?.ratio) return null;
  return { value: cue.ratio.value, text: `× ${cue.ratio.value.toFixed(2)}` };
}
