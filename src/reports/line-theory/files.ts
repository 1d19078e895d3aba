/** What a simulation leaves in its folder: all numbers as JSON, a table as CSV, figures as SVG and PNG. */

import type { EpsilonRow, Share, ShareReport } from "../../audits/line-theory/share.ts";
import type { ShiftReport, SimulationReport } from "../../audits/line-theory/simulate.ts";
import { type ChartSpec, chartPng, drawChart } from "../../charts/chart.ts";
import { csvLines } from "../as-csv.ts";

/** By their names within the folder. */
export type SimulationFiles = Map<string, string | Buffer>;

export async function simulationFiles(
  json: object,
  tables: Record<string, string>,
  charts: Record<string, ChartSpec>,
): Promise<SimulationFiles> {
  const files: SimulationFiles = new Map();
  files.set("simulation.json", `${JSON.stringify(json, null, 2)}\n`);
  for (const [name, text] of Object.entries(tables)) files.set(`${name}.csv`, text);
  for (const [name, chart] of Object.entries(charts)) {
    const svg = await drawChart(chart);
    files.set(`figures/${name}.svg`, svg);
    files.set(`figures/${name}.png`, await chartPng(svg));
  }
  return files;
}

/** Column by column of a test domain's row. */
const shiftColumns: Record<string, (shift: ShiftReport) => string | number | boolean | null> = {
  shift: ({ name }) => name,
  matrices: ({ domain }) =>
    domain
      .map(({ weight, shift }) => `${weight}×${shift.map((row) => row.join(" ")).join("; ")}`)
      .join(" + "),
  reversal: ({ theoremOne }) => theoremOne.reversal,
  theorem1_margin: ({ theoremOne }) => theoremOne.margin,
  theorem1_holds: ({ theoremOne }) => theoremOne.holds,
  theorem1_from_delta: ({ theoremOne }) => theoremOne.smallestDelta,
  theorem2_left: ({ theoremTwo }) => theoremTwo.left,
  theorem2_right: ({ theoremTwo }) => theoremTwo.right,
  theorem2_holds: ({ theoremTwo }) => theoremTwo.holds,
  well_specified: ({ wellSpecified }) => wellSpecified,
  general_sampled: ({ general }) => general.sampled,
  general_exact: ({ general }) => general.exact,
  general_se: ({ general }) => general.standardError,
  all_sampled: ({ specific }) => specific.sampled,
  all_exact: ({ specific }) => specific.exact,
  all_se: ({ specific }) => specific.standardError,
  r: ({ line }) => line.r,
  r_low: ({ line }) => line.rLow,
  r_high: ({ line }) => line.rHigh,
  r_exact: ({ exactR }) => exactR,
  slope: ({ line }) => line.slope,
  intercept: ({ line }) => line.intercept,
  verdict: ({ line }) => line.verdict,
};

/** One row a test domain. */
export function shiftsCsv({ shifts }: SimulationReport): string {
  const columns = Object.values(shiftColumns);
  return csvLines([
    Object.keys(shiftColumns),
    ...shifts.map((shift) => columns.map((column) => String(column(shift) ?? ""))),
  ]);
}

/** One row an ε and kind of line. */
export function sharesCsv({ best, family }: ShareReport): string {
  const cells = ({ share, interval, count, of }: Share) => [
    share === null ? "" : String(share),
    interval === null ? "" : String(interval.low),
    interval === null ? "" : String(interval.high),
    String(count),
    String(of),
  ];
  const columns = [
    "on_line",
    "on_line_and_theorem1",
    "on_line_and_well_specified",
    "well_specified_of_on_line",
  ];
  const lines = (which: string, rows: readonly EpsilonRow[]) =>
    rows.map(({ epsilon, onLine, byTheoremOne, wellSpecified, amongOnLine }) => [
      which,
      String(epsilon),
      ...[onLine, byTheoremOne, wellSpecified, amongOnLine].flatMap(cells),
    ]);
  const header = columns.flatMap((name) => [
    name,
    `${name}_low`,
    `${name}_high`,
    `${name}_count`,
    `${name}_of`,
  ]);
  return csvLines([
    ["classifiers", "epsilon", ...header],
    ...lines("best", best),
    ...lines("family", family),
  ]);
}
