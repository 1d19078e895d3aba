/** All numbers of a simulation as tables for programs. */

import type { Cell, Table } from "../core/section.ts";
import type { EpsilonRow, Share, ShareReport } from "./share.ts";
import type { ShiftReport, SimulationReport } from "./simulate.ts";

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
export function shiftsTable({ shifts }: SimulationReport): Table {
  return {
    name: "shifts",
    caption: "",
    columns: Object.keys(shiftColumns).map((title) => ({ title })),
    rows: shifts.map((shift) => ({
      cells: Object.values(shiftColumns).map((column) => plain(column(shift))),
    })),
  };
}

/** One row an ε and kind of line. */
export function sharesTable({ best, family }: ShareReport): Table {
  const cells = ({ share, interval, count, of }: Share) =>
    [share, interval?.low ?? null, interval?.high ?? null, count, of].map(plain);
  const columns = [
    "on_line",
    "on_line_and_theorem1",
    "on_line_and_well_specified",
    "well_specified_of_on_line",
  ];
  const lines = (which: string, rows: readonly EpsilonRow[]) =>
    rows.map(({ epsilon, onLine, byTheoremOne, wellSpecified, amongOnLine }) => ({
      cells: [which, plain(epsilon), ...[onLine, byTheoremOne, wellSpecified, amongOnLine].flatMap(cells)],
    }));
  const header = columns.flatMap((name) => [
    name,
    `${name}_low`,
    `${name}_high`,
    `${name}_count`,
    `${name}_of`,
  ]);
  return {
    name: "shares",
    caption: "",
    columns: ["classifiers", "epsilon", ...header].map((title) => ({ title })),
    rows: [...lines("best", best), ...lines("family", family)],
  };
}

function plain(value: string | number | boolean | null): Cell {
  return typeof value === "number" ? { value, text: String(value) } : value === null ? null : String(value);
}
