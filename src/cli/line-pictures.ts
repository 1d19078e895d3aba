/** Writes the figures of a line into a folder. */

import type { LineAnswer } from "../audits/line/audit.ts";
import { drawnSplits, lineFigureList, mostDrawnSplits } from "../audits/line/figure-list.ts";
import { chartPng, drawChart } from "../charts/chart.ts";
import { CuelabError } from "../core/errors.ts";
import { fillFolder } from "../disk/fill-folder.ts";

/** How many figures were drawn. With `force` also over files that are not ours. */
export async function writeLineFigures(
  { plots, force = false }: { plots: string; force?: boolean | undefined },
  { splits, scale }: Pick<LineAnswer, "splits" | "scale">,
  signal: AbortSignal,
): Promise<number> {
  const chosen = drawnSplits(splits);
  if (chosen.length > mostDrawnSplits) {
    throw new CuelabError({
      kind: "usage",
      what: `pictures of ${chosen.length} splits are too many`,
      expected: `at most ${mostDrawnSplits}`,
      todo: "leave --by (and of pools --group-pairs) away, or name fewer columns",
    });
  }
  const figures = lineFigureList(splits, scale);
  await fillFolder(plots, { by: "line", force }, async (write) => {
    for (const { name, draw } of figures) {
      signal.throwIfAborted();
      const svg = await drawChart(draw());
      await write(`${name}.svg`, svg);
      await write(`${name}.png`, await chartPng(svg));
    }
  });
  return figures.length;
}
