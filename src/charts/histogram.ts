/** How many values fall between one step and the next. */

import type { ChartSpec } from "./chart.ts";
import { seriesColours } from "./style.ts";

export interface HistogramOptions {
  description: string;
  title?: string | undefined;
  values: readonly number[];
  x: string;
  y: string;
  domain: readonly [number, number];
  step: number;
  width?: number | undefined;
  height?: number | undefined;
}

export function histogram(options: HistogramOptions): ChartSpec {
  const { description, title, domain, step, width = 240, height = 180 } = options;
  const [low, high] = domain;
  // Six labels; by itself vega writes one a bin, and they collide.
  const labelled = Array.from({ length: 6 }, (_, i) => low + ((high - low) * i) / 5);
  return {
    description,
    ...(title === undefined ? {} : { title }),
    width,
    height,
    data: { values: binned(options) },
    mark: { type: "bar", color: seriesColours[0], binSpacing: 1 },
    encoding: {
      x: {
        field: "from",
        type: "quantitative",
        bin: { binned: true, step },
        scale: { domain: [...domain], nice: false },
        axis: { title: options.x, grid: false, format: ".2~f", values: labelled },
      },
      x2: { field: "to" },
      y: {
        field: "count",
        type: "quantitative",
        axis: { title: options.y, format: "d", tickMinStep: 1, tickCount: 5 },
      },
    },
  } as unknown as ChartSpec;
}

/** A value on a border belongs to the upper bin, and the very last value to the last. */
export function binned({ values, domain: [low, high], step }: HistogramOptions) {
  const bins = Math.round((high - low) / step);
  const counts = Array.from({ length: bins }, () => 0);
  // A value such as 0.15 may lie a rounding below its border.
  for (const value of values)
    counts[Math.min(bins - 1, Math.max(0, Math.floor((value - low) / step + 1e-9)))]!++;
  return counts.map((count, i) => ({ from: low + i * step, to: low + (i + 1) * step, count }));
}
