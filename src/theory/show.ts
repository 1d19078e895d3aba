/** What the simulator found, in sections. */

import { type Cell, decimalCell, type Figure, type Section, type Table } from "../core/section.ts";
import { percentText } from "../core/words.ts";
import { alignmentChart, correlationChart, familyChart, type LinePanel, shareChart } from "./charts.ts";
import type { ReflectionReport } from "./reflection.ts";
import type { EpsilonRow, Share, ShareReport } from "./share.ts";
import type { MeasuredAccuracy, ShiftReport, SimulationReport } from "./simulate.ts";

export interface SimulationView {
  title: string;
  /** Whether accuracy is drawn against the alignment of the cue. */
  alignment: boolean;
  /** Shifts whose families are drawn. */
  panels: readonly LinePanel[];
}

export function showSimulation(report: SimulationReport, view: SimulationView): Section[] {
  const { title, alignment, panels } = view;
  const { id, shifts } = report;
  const family: Figure = {
    name: "family",
    caption: `ID against OOD accuracy over the family, at ${panels.map((panel) => panel.title).join(", ")}`,
    draw: () => familyChart(panels),
  };
  const accuracyFigure: Figure = {
    name: "accuracy",
    caption: "Accuracy of both classifiers on every test domain, sampled (dots) and by formula (strokes)",
    draw: () => alignmentChart(report, title),
  };
  return [
    {
      name: "at-home",
      heading: title,
      facts: [
        ["in-distribution", `domain-general ${accuracy(id.general)}, all features ${accuracy(id.specific)}`],
        [
          "weights",
          `domain-general ${vector(report.weights.general)}, all features ${vector(report.weights.specific)}`,
        ],
      ],
    },
    {
      name: "shifts",
      heading: "",
      tables: [shiftTable(shifts)],
      figures: alignment ? [accuracyFigure, family] : [family],
    },
    { name: "theorems", heading: "", facts: theoremFacts(report) },
  ];
}

function theoremFacts({ shifts, agreement }: SimulationReport): [string, string][] {
  const reversed = shifts.filter(({ theoremOne }) => theoremOne.reversal < 0);
  const others = shifts.filter(({ theoremOne }) => theoremOne.reversal >= 0);
  const well = (some: readonly ShiftReport[]) => some.filter(({ wellSpecified }) => wellSpecified).length;
  const agreeing = shifts.filter((each) => each.theoremTwo.holds === each.wellSpecified).length;
  const judged = shifts.filter(({ line }) => line.verdict !== "undecided");
  const right = judged.filter(
    ({ line, wellSpecified }) => (line.verdict === "well-specified") === wellSpecified,
  );
  const holding = shifts.filter(({ theoremOne }) => theoremOne.holds).length;
  return [
    [
      "w·Mμ below 0",
      `the domain-general classifier is better on ${well(reversed)} of ${reversed.length} test domains`,
    ],
    ["w·Mμ 0 or more", `on ${well(others)} of ${others.length}`],
    ["theorem 2", `says the same as the accuracies on ${agreeing} of ${shifts.length}`],
    ["theorem 1", `holds for ${holding} at this δ`],
    [
      "verdict by R",
      `right on ${right.length} of ${judged.length}; undecided on ${shifts.length - judged.length}`,
    ],
    [
      "sampling",
      `the largest of ${agreement.comparisons} differences to the closed form is ${agreement.largest.toFixed(1)} ` +
        `standard errors; ${percentText(agreement.beyond)} are beyond 1.96 (5% expected)`,
    ],
  ];
}

type ShiftColumn = readonly [title: string, cell: (shift: ShiftReport) => Cell];

const shiftColumns: readonly ShiftColumn[] = [
  ["shift M", (each) => shiftName(each)],
  ["w·Mμ", ({ theoremOne }) => decimalCell(theoremOne.reversal, 2)],
  [
    "theorem 1",
    ({ theoremOne }) => (theoremOne.holds ? "holds" : theoremOne.smallestDelta < 1 ? "no" : "never"),
  ],
  [
    "from δ",
    ({ theoremOne: { smallestDelta } }) => (smallestDelta < 1 ? decimalCell(smallestDelta, 3) : null),
  ],
  ["theorem 2", ({ theoremTwo }) => theoremTwo.reason ?? "no"],
  ["general", ({ general }) => decimalCell(general.sampled, 3)],
  ["exact", ({ general }) => decimalCell(general.exact, 4)],
  ["all", ({ specific }) => decimalCell(specific.sampled, 3)],
  ["exact", ({ specific }) => decimalCell(specific.exact, 4)],
  ["s.e.", ({ specific }) => decimalCell(specific.standardError, 4)],
  ["definition 5", ({ wellSpecified }) => (wellSpecified ? "well-specified" : "misspecified")],
  ["R", ({ line }) => decimalCell(line.r, 2)],
  ["verdict by R", ({ line }) => line.verdict],
];

/** In the order of figure 2's axis. */
function shiftTable(shifts: readonly ShiftReport[]): Table {
  const sorted = [...shifts].sort((a, b) => a.theoremOne.reversal - b.theoremOne.reversal);
  return {
    name: "domains",
    caption: "",
    columns: shiftColumns.map(([title]) => ({ title })),
    rows: sorted.map((each) => ({ cells: shiftColumns.map(([, cell]) => cell(each)) })),
  };
}

/** Small matrices are shown; larger ones and mixtures have names. */
function shiftName({ name, domain }: ShiftReport): string {
  const shift = domain.length === 1 ? domain[0]!.shift : undefined;
  if (shift === undefined || shift.length > 2 || /I$|;/.test(name)) return name;
  return `${name} [${matrixText(shift)}]`;
}

export interface ShareView {
  slope: number;
  delta: number;
  threshold: number;
}

export function showShare(report: ShareReport, { slope, delta, threshold }: ShareView): Section[] {
  return [
    {
      name: "share",
      heading: `Theorem 3: ${report.shifts.toLocaleString("en")} random shifts, all by formula`,
      facts: [
        ["well-specified by definition 5", shareText(report.wellSpecified)],
        [`condition of theorem 1, δ ${delta}`, shareText(report.byTheoremOne)],
        ["it can hold for some shift only from δ", report.leastDelta.toFixed(4)],
      ],
    },
    {
      name: "best",
      heading: `Within ε of Φ⁻¹(OOD) = ${slope}·Φ⁻¹(ID): the best classifier alone (equation 12)`,
      tables: [epsilonTable("best", report.best)],
      figures: [shareFigure("best", report.best, `best classifier, slope ${slope}`)],
    },
    {
      name: "family",
      heading: "… every classifier of the family (definition 6)",
      tables: [epsilonTable("family", report.family)],
      figures: [shareFigure("family", report.family, `every classifier, slope ${slope}`)],
    },
    {
      name: "correlation",
      heading: "By R over the family",
      tables: [correlationTable(report)],
      figures: [
        {
          name: "correlation",
          caption: "Share of well-specified shifts by R over the family",
          draw: () => correlationChart(report, threshold),
        },
      ],
    },
    {
      name: "verdict",
      heading: "",
      facts: [
        ["R below the threshold", `${shareText(report.verdict.below)} of these shifts are well-specified`],
        ["R above it", shareText(report.verdict.above)],
      ],
    },
  ];
}

function shareFigure(name: string, rows: readonly EpsilonRow[], title: string): Figure {
  return { name, caption: `Shares of shifts by ε: ${title}`, draw: () => shareChart(rows, title) };
}

function epsilonTable(name: string, rows: readonly EpsilonRow[]): Table {
  const titles = [
    "ε",
    "on the line",
    "and theorem 1",
    "and well-specified",
    "well-specified among those on the line",
  ];
  return {
    name,
    caption: "",
    columns: titles.map((title) => ({ title })),
    rows: rows.map(({ epsilon, onLine, byTheoremOne, wellSpecified, amongOnLine }) => ({
      cells: [
        { value: epsilon, text: String(epsilon) },
        ...[onLine, byTheoremOne, wellSpecified, amongOnLine].map(shareCell),
      ],
    })),
  };
}

function correlationTable({ byCorrelation }: ShareReport): Table {
  return {
    name: "correlation",
    caption: "",
    columns: ["R", "shifts", "well-specified"].map((title) => ({ title })),
    rows: byCorrelation.map(({ from, to, shifts, wellSpecified }) => ({
      cells: [`${from} to ${to}`, { value: shifts, text: String(shifts) }, shareCell(wellSpecified)],
    })),
  };
}

export function showReflection(
  report: ReflectionReport,
  { slope, delta }: { slope: number; delta: number },
): Section[] {
  const titles = ["α", "w·Mμ", "margin", "(36)", "from δ", "Φ⁻¹(OOD)", "distance (37)", "definition 5"];
  const onLine =
    report.alphaOnLine === null
      ? `no α above 0 puts the classifier on the line of slope ${slope}`
      : `α ${report.alphaOnLine.toFixed(4)} puts the classifier on the line of slope ${slope} exactly`;
  const table: Table = {
    name: "reflection",
    caption: "",
    columns: titles.map((title) => ({ title })),
    rows: report.rows.map((row) => ({
      cells: [
        decimalCell(row.alpha, 4),
        decimalCell(row.reversal, 3),
        decimalCell(row.margin, 3),
        row.reversed ? "holds" : "no",
        decimalCell(row.smallestDelta, 4),
        decimalCell(row.oodProbit, 4),
        decimalCell(row.distance, 4),
        row.wellSpecified ? "well-specified" : "misspecified",
      ],
    })),
  };
  return [
    {
      name: "reflection",
      heading: "The reflection of appendix A.7: M = αR, R = I − 2vvᵀ",
      facts: [
        [
          "Φ⁻¹(ID)",
          `${report.idProbit.toFixed(4)} with all features, ${report.generalProbit.toFixed(4)} domain-general`,
        ],
        ["R", `[${matrixText(report.reflection)}]`],
      ],
      tables: [table],
      remarks: [
        `δ ${delta}: A.7 takes α = ${report.paperAlpha.toFixed(4)}; but α is in both terms of (36) and cancels out`,
        onLine,
      ],
    },
  ];
}

function matrixText(matrix: readonly (readonly number[])[]): string {
  return matrix.map((row) => row.map((value) => value.toFixed(2)).join(" ")).join("; ");
}

function accuracy({ sampled, exact, standardError }: MeasuredAccuracy): string {
  return `${sampled.toFixed(4)} (exact ${exact.toFixed(4)}, s.e. ${standardError.toFixed(4)})`;
}

function vector(values: readonly number[]): string {
  return `(${values.map((value) => value.toFixed(2)).join(", ")})`;
}

function shareCell(share: Share): Cell {
  return { value: share.share, text: shareText(share) };
}

function shareText({ count, of, share, interval }: Share): string {
  if (share === null || interval === null) return "–";
  return `${percentText(share)} [${(100 * interval.low).toFixed(1)}–${(100 * interval.high).toFixed(1)}] ${count}/${of}`;
}
