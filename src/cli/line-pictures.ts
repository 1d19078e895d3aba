/** Writes the figures of a line into a folder. */

import type { LineAnswer } from "../audits/line/audit.ts";
import { drawnSplits, lineFigureList, mostDrawnSplits } from "../audits/line/figure-list.ts";
import { chartPng, drawChart } from "../charts/chart.ts";
import { chartPdf } from "../charts/chart-pdf.ts";
import { CuelabError } from "../core/errors.ts";
import { fillFolder } from "../disk/fill-folder.ts";

export interface LinePlots {
  plots: string;
  /** Of people's own; else what is drawn. */
  title?: string | undefined;
  force?: boolean | undefined;
}

/** How many figures were drawn. With `force` also over files that are not ours. */
export async function writeLineFigures(
  { plots, title, force = false }: LinePlots,
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
  const figures = lineFigureList(splits, scale, title);
  await fillFolder(plots, { by: "line", force }, async (write) => {
    for (const { name, draw } of figures) {
      signal.throwIfAborted();
      const chart = draw();
      const svg = await drawChart(chart);
      await write(`${name}.svg`, svg);
      await write(`${name}.png`, await chartPng(svg));
      await write(`${name}.pdf`, await chartPdf(chart));
    }
  });
  return figures.length;
}
