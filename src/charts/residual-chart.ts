/** What the line leaves: distance of each model from the fit over its ID accuracy. A bend or two bands show here first. */

import type { Transform } from "../core/accuracy-scale.ts";
import { accuracyAxis, domainOf } from "./accuracy-axis.ts";
import { chartTitle, densityLayer, type PointSeries } from "./accuracy-chart.ts";
import type { ChartSpec } from "./chart.ts";
import { referenceLayers } from "./parts.ts";
import { seriesColours } from "./style.ts";

export interface ResidualChartOptions {
  description: string;
  transform: Transform;
  points: Pick<PointSeries, "x" | "y">;
  slope: number;
  intercept: number;
  title?: string | undefined;
  subtitle?: string | undefined;
  idTitle?: string | undefined;
  /** Where a segmented regression breaks, on the scale of x. */
  breakAt?: number | undefined;
  width?: number | undefined;
  height?: number | undefined;
}

const mostPoints = 1500;

export function residualChart(options: ResidualChartOptions): ChartSpec {
  const { points, slope, intercept, transform, width = 420, height = 220 } = options;
  const residuals = points.y.map((value, i) => value - intercept - slope * points.x[i]!);
  const [xDomain, yDomain] = [domainOf([points.x]), domainOf([residuals])];
  const x = { field: "x", ...accuracyAxis(options.idTitle ?? "ID accuracy", transform, xDomain, width) };
  const y = {
    field: "y",
    type: "quantitative",
    scale: { domain: [...yDomain], zero: false, nice: false },
    axis: { title: `OOD less the fit (${transform === "linear" ? "share" : transform})`, tickCount: 5 },
  };
  const dense = residuals.length > mostPoints;
  return {
    description: options.description,
    ...chartTitle(options),
    width,
    height,
    layer: [
      dense
        ? densityLayer({ x: points.x, y: residuals }, xDomain, yDomain, x, y)
        : {
            data: { values: Array.from(residuals, (value, i) => ({ x: points.x[i], y: value })) },
            mark: { type: "point", filled: true, size: 26, opacity: 0.45, color: seriesColours[0] },
            encoding: { x, y },
          },
      ...referenceLayers("y", { value: 0 }),
      ...(options.breakAt === undefined
        ? []
        : referenceLayers("x", { value: options.breakAt, label: "break" })),
    ],
  } as unknown as ChartSpec;
}
