/** The figures of an audited line, a name each: grids of groups, and points, residuals and convergence of each split. */

import type { Scale } from "../../core/accuracy-scale.ts";
import type { Chart, Figure } from "../../core/section.ts";
import type { AuditedSplit } from "./audit-line.ts";
import { gridFigure, type LineGrid, lineGrids } from "./group-grid.ts";
import { lineFigures } from "./line-figures.ts";

/** More pictures than this nobody looks at, and they take minutes. */
export const mostDrawnSplits = 60;
/** CivilComments' 16 groups on themselves and the average. */
const mostPanels = 17 * 17;

/** Splits that are drawn by themselves: without those that a grid shows anyway, where all would be too many. */
export function drawnSplits(splits: readonly AuditedSplit[]): readonly AuditedSplit[] {
  return splits.length > mostDrawnSplits ? outsideGrids(splits, lineGrids(splits)) : splits;
}

/** None of single splits where they are more than anybody looks at. */
export function lineFigureList(splits: readonly AuditedSplit[], scale: Scale): Figure[] {
  const grids = lineGrids(splits).filter(({ ids, oods }) => ids.length * oods.length <= mostPanels);
  const chosen = drawnSplits(splits);
  const width = String(splits.length).length;
  return [
    ...grids.map((grid, i) => {
      const chart = gridFigure(grid, scale);
      return figureOf(grids.length === 1 ? "grid" : `grid-${i + 1}`, chart.description, () => chart);
    }),
    ...(chosen.length > mostDrawnSplits ? [] : chosen).flatMap((split) => {
      const number = String(splits.indexOf(split) + 1).padStart(width, "0");
      return Object.entries(lineFigures(split, scale)).map(([kind, chart]) =>
        figureOf(`${number}-${fileName(split.report.name)}-${kind}`, chart.description, () => chart),
      );
    }),
  ];
}

function figureOf(name: string, caption: string, draw: () => Chart): Figure {
  return { name, caption, draw, beside: true };
}

/** Without those that a grid shows anyway, beyond its first column, which is the average. */
function outsideGrids(splits: readonly AuditedSplit[], grids: readonly LineGrid[]): AuditedSplit[] {
  const shown = new Set(grids.flatMap((grid) => grid.splits.flatMap((row) => row.slice(1))));
  return splits.filter((split) => !shown.has(split));
}

function fileName(text: string): string {
  return text
    .replaceAll(/[^\p{L}\p{N}_.-]+/gu, "-")
    .replaceAll(/^-|-$/g, "")
    .slice(0, 80);
}
