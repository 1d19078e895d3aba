/** What the simulator found, as pages of text. */

import type { ReflectionReport } from "../audits/line-theory/reflection.ts";
import type { EpsilonRow, Share, ShareReport } from "../audits/line-theory/share.ts";
import type { Measured, ShiftReport, SimulationReport } from "../audits/line-theory/simulate.ts";
import { textTable } from "../reports/as-text.ts";

type Bold = (text: string) => string;

export function simulationPage(report: SimulationReport, title: string, bold: Bold): string {
  const { id, shifts, agreement } = report;
  const reversed = shifts.filter(({ theoremOne }) => theoremOne.reversal < 0);
  const others = shifts.filter(({ theoremOne }) => theoremOne.reversal >= 0);
  const well = (some: readonly ShiftReport[]) => some.filter(({ wellSpecified }) => wellSpecified).length;
  const agreeing = shifts.filter((each) => each.theoremTwo.holds === each.wellSpecified).length;
  const judged = shifts.filter(({ line }) => line.verdict !== "undecided");
  const right = judged.filter(({ line, wellSpecified }) => {
    return (line.verdict === "well-specified") === wellSpecified;
  });
  return [
    bold(title),
    [
      `in-distribution   domain-general ${accuracy(id.general)}, all features ${accuracy(id.specific)}`,
      `weights           domain-general ${vector(report.weights.general)}, all features ${vector(report.weights.specific)}`,
    ].join("\n"),
    shiftTable(shifts),
    [
      `w·Mμ below 0      the domain-general classifier is better on ${well(reversed)} of ${reversed.length} test domains`,
      `w·Mμ 0 or more    on ${well(others)} of ${others.length}`,
      `theorem 2         says the same as the accuracies on ${agreeing} of ${shifts.length}`,
      `theorem 1         holds for ${shifts.filter(({ theoremOne }) => theoremOne.holds).length} at this δ`,
      `verdict by R      right on ${right.length} of ${judged.length}; undecided on ${shifts.length - judged.length}`,
      `sampling          the largest of ${agreement.comparisons} differences to the closed form is ${agreement.largest.toFixed(1)} standard errors;`,
      `                  ${percent(agreement.beyond)} are beyond 1.96 (5% expected)`,
    ].join("\n"),
  ].join("\n\n");
}

/** In the order of figure 2's axis. */
function shiftTable(shifts: readonly ShiftReport[]): string {
  const rows = [...shifts]
    .sort((a, b) => a.theoremOne.reversal - b.theoremOne.reversal)
    .map((each) => [
      shiftName(each),
      each.theoremOne.reversal.toFixed(2),
      each.theoremOne.holds ? "holds" : each.theoremOne.smallestDelta < 1 ? "no" : "never",
      each.theoremOne.smallestDelta < 1 ? each.theoremOne.smallestDelta.toFixed(3) : "–",
      each.theoremTwo.reason ?? "no",
      each.general.sampled.toFixed(3),
      each.general.exact.toFixed(4),
      each.specific.sampled.toFixed(3),
      each.specific.exact.toFixed(4),
      each.specific.standardError.toFixed(4),
      each.wellSpecified ? "well-specified" : "misspecified",
      each.line.r === null ? "–" : each.line.r.toFixed(2),
      each.line.verdict,
    ]);
  const header = [
    "shift M",
    "w·Mμ",
    "theorem 1",
    "from δ",
    "theorem 2",
    "general",
    "exact",
    "all",
    "exact",
    "s.e.",
    "definition 5",
    "R",
    "verdict by R",
  ];
  return textTable(header, rows);
}

/** Small matrices are shown; larger ones and mixtures have names. */
function shiftName({ name, domain }: ShiftReport): string {
  const shift = domain.length === 1 ? domain[0]!.shift : undefined;
  if (shift === undefined || shift.length > 2 || /I$|;/.test(name)) return name;
  return `${name} [${shift.map((row) => row.map((value) => value.toFixed(2)).join(" ")).join("; ")}]`;
}

export function sharePage(report: ShareReport, slope: number, delta: number, bold: Bold): string {
  return [
    bold(`Theorem 3: ${report.shifts.toLocaleString("en")} random shifts, all by formula`),
    [
      `well-specified by definition 5   ${shareText(report.wellSpecified)}`,
      `condition of theorem 1, δ ${delta}   ${shareText(report.byTheoremOne)}`,
      `it can hold for some shift only from δ ${report.leastDelta.toFixed(4)}`,
    ].join("\n"),
    `${bold(`Within ε of Φ⁻¹(OOD) = ${slope}·Φ⁻¹(ID): the best classifier alone (equation 12)`)}\n${epsilonTable(report.best)}`,
    `${bold("… every classifier of the family (definition 6)")}\n${epsilonTable(report.family)}`,
    `${bold("By R over the family")}\n${correlationTable(report)}`,
    [
      `R below the threshold   ${shareText(report.verdict.below)} of these shifts are well-specified`,
      `R above it              ${shareText(report.verdict.above)}`,
    ].join("\n"),
  ].join("\n\n");
}

function epsilonTable(rows: readonly EpsilonRow[]): string {
  return textTable(
    ["ε", "on the line", "and theorem 1", "and well-specified", "well-specified among those on the line"],
    rows.map((row) => [
      String(row.epsilon),
      shareText(row.onLine),
      shareText(row.byTheoremOne),
      shareText(row.wellSpecified),
      shareText(row.amongOnLine),
    ]),
  );
}

function correlationTable({ byCorrelation }: ShareReport): string {
  return textTable(
    ["R", "shifts", "well-specified"],
    byCorrelation.map(({ from, to, shifts, wellSpecified }) => [
      `${from} to ${to}`,
      String(shifts),
      shareText(wellSpecified),
    ]),
  );
}

export function reflectionPage(
  report: ReflectionReport,
  { slope, delta }: { slope: number; delta: number },
  bold: Bold,
): string {
  const rows = report.rows.map((row) => [
    row.alpha.toFixed(4),
    row.reversal.toFixed(3),
    row.margin.toFixed(3),
    row.reversed ? "holds" : "no",
    row.smallestDelta.toFixed(4),
    row.oodProbit.toFixed(4),
    row.distance.toFixed(4),
    row.wellSpecified ? "well-specified" : "misspecified",
  ]);
  const header = ["α", "w·Mμ", "margin", "(36)", "from δ", "Φ⁻¹(OOD)", "distance (37)", "definition 5"];
  const onLine =
    report.alphaOnLine === null
      ? `no α above 0 puts the classifier on the line of slope ${slope}`
      : `α ${report.alphaOnLine.toFixed(4)} puts the classifier on the line of slope ${slope} exactly`;
  return [
    bold("The reflection of appendix A.7: M = αR, R = I − 2vvᵀ"),
    [
      `Φ⁻¹(ID)   ${report.idProbit.toFixed(4)} with all features, ${report.generalProbit.toFixed(4)} domain-general`,
      `R         [${report.reflection.map((row) => row.map((value) => value.toFixed(2)).join(" ")).join("; ")}]`,
    ].join("\n"),
    textTable(header, rows),
    [
      `δ ${delta}: A.7 takes α = ${report.paperAlpha.toFixed(4)}; but α is in both terms of (36) and cancels out`,
      onLine,
    ].join("\n"),
  ].join("\n\n");
}

function accuracy({ sampled, exact, standardError }: Measured): string {
  return `${sampled.toFixed(4)} (exact ${exact.toFixed(4)}, s.e. ${standardError.toFixed(4)})`;
}

function vector(values: readonly number[]): string {
  return `(${values.map((value) => value.toFixed(2)).join(", ")})`;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)}%`;
}

function shareText({ count, of, share, interval }: Share): string {
  if (share === null || interval === null) return "–";
  return `${percent(share)} [${(100 * interval.low).toFixed(1)}–${(100 * interval.high).toFixed(1)}] ${count}/${of}`;
}
