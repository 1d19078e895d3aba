/** Accuracies of pairs as matrices side by side: orange below chance, where a shortcut was followed, and blue above. */

import type { ChartSpec } from "./chart.ts";
import { chartInk } from "./style.ts";

interface AccuracyMatrixCell {
  row: string;
  column: string;
  /** A share. */
  value: number;
}

interface MatrixPanel {
  title: string;
  /** In their order from the left. */
  columns: readonly string[];
  cells: readonly AccuracyMatrixCell[];
}

export interface AccuracyMatrixOptions {
  description: string;
  /** In their order from the top, the same in all panels. */
  rows: readonly string[];
  panels: readonly MatrixPanel[];
  rowTitle: string;
  columnTitle: string;
  chance: number;
  /** Panels in a row. */
  across: number;
}

const side = { width: 46, height: 34 };
const colours = { below: "#d55e00", chance: "#eef1f6", above: "#0072b2" };
const inks = { onLight: "#1a1c21", onDark: "#ffffff" };

export function accuracyMatrix({
  description,
  rows,
  panels,
  rowTitle,
  columnTitle,
  chance,
  across,
}: AccuracyMatrixOptions): ChartSpec {
  const isDark = (value: number) => value < chance * 0.25 || value > chance + (1 - chance) * 0.6;
  const concat = panels.map(({ title, columns, cells }, i) => {
    const values = cells.map((cell) => ({
      ...cell,
      text: Math.round(100 * cell.value).toString(),
    }));
    const places = {
      x: {
        field: "column",
        type: "nominal",
        scale: { domain: [...columns] },
        axis: { title: columns.length > 1 ? columnTitle : null, orient: "bottom", labelAngle: -45 },
      },
      y: {
        field: "row",
        type: "nominal",
        scale: { domain: [...rows] },
        // Names stand once, at the left.
        axis: i % across === 0 ? { title: rowTitle } : null,
      },
    };
    return {
      title: { text: title, anchor: "start", fontSize: 13, fontWeight: 600, color: chartInk.text },
      width: columns.length * side.width,
      height: rows.length * side.height,
      layer: [
        {
          data: { values },
          mark: { type: "rect", stroke: chartInk.paper, strokeWidth: 2, opacity: 1 },
          encoding: {
            ...places,
            color: {
              field: "value",
              type: "quantitative",
              scale: {
                domain: [0, chance, 1],
                range: [colours.below, colours.chance, colours.above],
                interpolate: "rgb",
              },
              legend: null,
            },
          },
        },
        // One layer an ink.
        ...[true, false].map((dark) => ({
          data: { values: values.filter(({ value }) => isDark(value) === dark) },
          mark: { type: "text", fontSize: 12, color: dark ? inks.onDark : inks.onLight },
          encoding: { ...places, text: { field: "text" } },
        })),
      ],
    };
  });
  return { description, concat, columns: across, spacing: 18 } as unknown as ChartSpec;
}
