/** Cells of boards: how far a gap moved, and how many times the baseline's reliance that is. */

import type { Cell } from "../../core/section.ts";
import type { CueVerdict } from "../../metrics/moles/index.ts";
import { differenceCell } from "../summaries.ts";

/** Method less baseline, with the interval over seeds. */
export function changeCell(cue: CueVerdict | undefined): Cell {
  return cue === undefined ? null : differenceCell(cue.gap.value, cue.gap.interval);
}

export function ratioCell(cue: CueVerdict | undefined): Cell {
  if (!cue?.ratio) return null;
  return { value: cue.ratio.value, text: `× ${cue.ratio.value.toFixed(2)}` };
}
