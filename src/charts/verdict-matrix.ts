/** A matrix of verdicts, read in ten seconds: colour and word both tell what became of a column's cue in a row. */

import type { ChartSpec } from "./chart.ts";
import { distinct } from "./parts.ts";
import { chartInk, seriesColours } from "./style.ts";

/** What a cell says; each has a colour, and ink that is read on it. */
type MatrixVerdict = "reduced" | "amplified" | "worse everywhere" | "equal" | "cannot be told";

export interface VerdictCell {
  row: string;
  column: string;
  verdict: MatrixVerdict;
  /** Such as a difference in points. */
  text: string;
}

export interface VerdictMatrixOptions {
  description: string;
  cells: readonly VerdictCell[];
  title?: string | undefined;
}

const manners: Record<MatrixVerdict, { colour: string; ink: string }> = {
  reduced: { colour: seriesColours[0]!, ink: "#ffffff" },
  amplified: { colour: seriesColours[1]!, ink: "#ffffff" },
  "worse everywhere": { colour: "#7a5195", ink: "#ffffff" },
  equal: { colour: "#cfd6e4", ink: "#1a1c21" },
  "cannot be told": { colour: "#f4f5f8", ink: "#5c6171" },
};

const cell = { width: 190, height: 40 };

export function verdictMatrix({ description, cells, title }: VerdictMatrixOptions): ChartSpec {
  const [rows, columns] = [
    distinct(cells.map(({ row }) => row)),
    distinct(cells.map(({ column }) => column)),
  ];
  const verdicts = Object.keys(manners) as MatrixVerdict[];
  const values = cells.map((each) => ({ ...each, shown: `${each.verdict} ${each.text}` }));
  const places = {
    x: {
      field: "column",
      type: "nominal",
      sort: columns,
      axis: { title: null, orient: "top", labelAngle: 0 },
    },
    y: { field: "row", type: "nominal", sort: rows, axis: { title: null } },
  };
  const scale = (of: (verdict: MatrixVerdict) => string) => ({ domain: verdicts, range: verdicts.map(of) });
  return {
    description,
    ...(title === undefined ? {} : { title }),
    width: { step: cell.width },
    height: { step: cell.height },
    data: { values },
    layer: [
      {
        mark: { type: "rect", stroke: chartInk.paper, strokeWidth: 3, opacity: 1 },
        encoding: {
          ...places,
          color: {
            field: "verdict",
            type: "nominal",
            scale: scale((verdict) => manners[verdict].colour),
            legend: null,
          },
        },
      },
      ...verdicts.map((verdict) => ({
        transform: [{ filter: { field: "verdict", equal: verdict } }],
        mark: { type: "text", fontSize: 13, fontWeight: 600, color: manners[verdict].ink },
        encoding: { ...places, text: { field: "shown" } },
      })),
    ],
  } as unknown as ChartSpec;
}
