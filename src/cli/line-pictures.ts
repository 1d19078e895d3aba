/** Writes the figures of `line` into a folder, one name a split. */

import type { AuditedSplit } from "../audits/line/audit-line.ts";
import type { Scale } from "../audits/line/transform.ts";
import { CuelabError } from "../core/errors.ts";
import { fillFolder } from "../disk/fill-folder.ts";
import { type ChartSpec, chartPng, drawChart } from "../reports/chart.ts";
import { gridFigure, type LineGrid, lineGrids } from "../reports/line/group-grid.ts";
import { lineFigures } from "../reports/line/line-figures.ts";

/** More pictures than this nobody looks at, and they take minutes. */
const mostSplits = 60;
/** CivilComments' 16 groups on themselves and the average. */
const mostPanels = 17 * 17;

/** How many figures were drawn. With `force` also over files that are not ours. */
export async function writeLineFigures(
  { plots, force = false }: { plots: string; force?: boolean | undefined },
  splits: readonly AuditedSplit[],
  scale: Scale,
  signal: AbortSignal,
): Promise<number> {
  const grids = lineGrids(splits);
  const chosen = splits.length > mostSplits ? outsideGrids(splits, grids) : splits;
  if (chosen.length > mostSplits) {
    throw new CuelabError({
      kind: "usage",
      what: `pictures of ${chosen.length} splits are too many`,
      expected: `at most ${mostSplits}`,
      todo: "leave --by (and of pools --group-pairs) away, or name fewer columns",
    });
  }
  const width = String(splits.length).length;
  let drawn = 0;
  await fillFolder(plots, { by: "line", force }, async (write) => {
    const draw = async (name: string, spec: ChartSpec) => {
      signal.throwIfAborted();
      const svg = await drawChart(spec);
      await write(`${name}.svg`, svg);
      await write(`${name}.png`, await chartPng(svg));
      drawn++;
    };
    for (const [i, grid] of grids.entries()) {
      if (grid.ids.length * grid.oods.length > mostPanels) continue;
      await draw(grids.length === 1 ? "grid" : `grid-${i + 1}`, gridFigure(grid, scale));
    }
    for (const split of chosen) {
      const number = String(splits.indexOf(split) + 1).padStart(width, "0");
      for (const [kind, spec] of Object.entries(lineFigures(split, scale)))
        await draw(`${number}-${fileName(split.report.name)}-${kind}`, spec);
    }
  });
  return drawn;
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
