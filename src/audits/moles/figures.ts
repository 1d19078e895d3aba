/** Pictures of what became of each cue: differences and ratios beside the baseline, and many methods as a matrix. */

import { dotChart } from "../../charts/dot-chart.ts";
import { type VerdictCell, verdictMatrix } from "../../charts/verdict-matrix.ts";
import { type Figure, pointsCell } from "../../core/section.ts";
import { comparisonName, type JudgedComparison } from "../../metrics/moles/index.ts";

export function changeFigures({ cues, over }: JudgedComparison): Figure[] {
  const named = cues.map((cue) => `${comparisonName(cue)} ${pointsCell(cue.gap.value).text}`).join(", ");
  const caption =
    `Gap less the baseline's gap, in points, with 95% intervals over ${over}, not adjusted; ` +
    `left of the line the method leans on the cue more than the baseline: ${named}`;
  const change: Figure = {
    name: "gap-changes",
    caption,
    draw: () =>
      dotChart({
        description: caption,
        value: { title: "gap less the baseline's" },
        reference: { value: 0, label: "baseline" },
        points: cues.map((cue) => ({
          row: comparisonName(cue),
          series: "change",
          value: cue.gap.value,
          low: cue.gap.interval?.low,
          high: cue.gap.interval?.high,
        })),
      }),
  };
  return [change, ...ratioFigure(cues)];
}

/** Only of cues that the baseline is known to lean on. */
function ratioFigure(cues: JudgedComparison["cues"]): Figure[] {
  const known = cues.flatMap((cue) =>
    cue.ratio === null ? [] : [{ row: comparisonName(cue), ...cue.ratio }],
  );
  if (known.length === 0) return [];
  const named = known.map(({ row, value }) => `${row} × ${value.toFixed(2)}`).join(", ");
  const caption = `Reliance as a multiple of the baseline's, with 95% intervals, not adjusted: ${named}`;
  return [
    {
      name: "amplification",
      caption,
      draw: () =>
        dotChart({
          description: caption,
          value: { title: "× the baseline's reliance", format: ".1~f" },
          reference: { value: 1, label: "baseline" },
          points: known.map((each) => ({ ...each, series: "ratio" })),
        }),
    },
  ];
}

/** One row of a board. */
export interface MoleMatrixRow {
  /** Such as `Group DRO, told background`. */
  name: string;
  judged: JudgedComparison;
}

/** "Curing A did what to B": a row a method, a column a cue; `name` and `what` tell boards apart. */
export function moleMatrix(name: string, what: string, rows: readonly MoleMatrixRow[]): Figure {
  const cells = rows.flatMap(({ name: row, judged }) =>
    judged.cues.flatMap((cue): VerdictCell[] => {
      if (cue.verdict === null) return [];
      const { text } = pointsCell(cue.gap.value);
      return [{ row, column: comparisonName(cue), verdict: cue.verdict, text }];
    }),
  );
  const said = cells.map(({ row, column, verdict, text }) => `${row}: ${column} ${verdict} (${text})`);
  const caption = `${what}: what became of each cue's gap beside the baseline, in points; ${said.join("; ")}`;
  return { name, caption, draw: () => verdictMatrix({ description: caption, cells }) };
}
