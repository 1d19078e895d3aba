/** The figures of an audited line, a name each: grids of groups, and points, residuals and convergence of each split. */

import { accuracyChart } from "../../charts/accuracy-chart.ts";
import { seriesColours } from "../../charts/style.ts";
import type { Scale } from "../../core/accuracy-scale.ts";
import type { Chart, Figure } from "../../core/section.ts";
import type { AuditedSplit } from "./audit-line.ts";
import { lineBand } from "./band.ts";
import { gridFigure, type LineGrid, lineGrids } from "./group-grid.ts";
import { idTitle, lineFigures, signed } from "./line-figures.ts";

/** More pictures than this nobody looks at, and they take minutes. */
export const mostDrawnSplits = 60;
/** CivilComments' 16 groups on themselves and the average. */
const mostPanels = 17 * 17;

/** Splits that are drawn by themselves: without those that a grid shows anyway, where all would be too many. */
export function drawnSplits(splits: readonly AuditedSplit[]): readonly AuditedSplit[] {
  return splits.length > mostDrawnSplits ? outsideGrids(splits, lineGrids(splits)) : splits;
}

/** None of single splits where they are more than anybody looks at. */
export function lineFigureList(splits: readonly AuditedSplit[], scale: Scale, title?: string): Figure[] {
  const grids = lineGrids(splits).filter(({ ids, oods }) => ids.length * oods.length <= mostPanels);
  const chosen = drawnSplits(splits);
  const width = String(splits.length).length;
  return [
    ...grids.map((grid, i) => {
      const chart = gridFigure(grid, scale);
      return figureOf(grids.length === 1 ? "grid" : `grid-${i + 1}`, chart.description, () => chart);
    }),
    ...subgroupFigures(splits, scale, title),
    ...(chosen.length > mostDrawnSplits ? [] : chosen).flatMap((split) => {
      const number = String(splits.indexOf(split) + 1).padStart(width, "0");
      return Object.entries(lineFigures(split, scale, titleOf(split, splits.length, title))).map(
        ([kind, chart]) =>
          figureOf(`${number}-${fileName(split.report.name)}-${kind}`, chart.description, () => chart),
      );
    }),
  ];
}

/** A title of people's own; of several splits with what is drawn. */
function titleOf({ report }: AuditedSplit, splits: number, title: string | undefined): string | undefined {
  if (title === undefined || splits === 1) return title;
  return [title, report.ood, ...Object.values(report.group)].join(", ");
}

/** All values of a subgroup in one picture, where there are no more of them than colours. */
function subgroupFigures(splits: readonly AuditedSplit[], scale: Scale, title: string | undefined): Figure[] {
  const sets = new Map<string, AuditedSplit[]>();
  for (const split of splits) {
    const { id, ood, group, r } = split.report;
    if (Object.keys(group).length !== 1 || r === null) continue;
    const key = JSON.stringify([id, ood, Object.keys(group)]);
    sets.set(key, [...(sets.get(key) ?? []), split]);
  }
  const drawn = [...sets.values()].filter(({ length }) => length > 1 && length <= seriesColours.length);
  return drawn.map((own, i) => {
    const { id, ood, group } = own[0]!.report;
    const [column] = Object.keys(group) as [string];
    const valueIn = ({ report }: AuditedSplit) => report.group[column]!;
    const numbers = own.map((split) => `${valueIn(split)} R ${signed(split.report.r!)}`);
    const caption = `${ood} by ${column}: ${numbers.join(", ")}`;
    return figureOf(`by-${fileName(column)}${drawn.length === 1 ? "" : `-${i + 1}`}`, caption, () =>
      accuracyChart({
        description: caption,
        transform: scale.transform,
        series: own.map((split) => {
          const { x, y, report } = split;
          return { name: valueIn(split), x, y, line: lineBand(x, y, report) };
        }),
        title: title ?? `${ood} by ${column}`,
        idTitle: idTitle(id),
        oodTitle: `OOD accuracy: ${ood}`,
      }),
    );
  });
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
