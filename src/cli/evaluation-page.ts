/** The metrics of `eval` as a page of tables. */

import type { EvaluationReport, GroupReport, IntervalReport } from "../audits/predictions/report.ts";
import { metrics } from "../metrics/index.ts";
import { textTable } from "./text-table.ts";

type Bold = (text: string) => string;

/** More groups than this are not all shown, but the worst of them. */
const mostRows = 40;
const worstRows = 10;

export function evaluationPage(report: EvaluationReport, bold: Bold): string {
  return [
    heading(report, bold),
    section(bold("Accuracy"), accuracyTable(report)),
    section(
      bold("Cues: images whose cue goes with their class (majority), and the others"),
      cueTable(report),
    ),
    section(bold("Gaps: accuracy where cues are uncommon, less I.D. accuracy"), gapTable(report)),
    section(bold(groupTitle(report)), groupTable(report)),
    section(bold("Acc(α): training priors to the power α"), alphaTable(report)),
    section(bold("Frequent (head) and rare (tail) answers of local groups"), headTailTable(report)),
    section(bold("Metrics from plugins"), ownTable(report)),
    ...notes(report),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

function section(title: string, table: string): string {
  return table === "" ? "" : `${title}\n${table}`;
}

function heading(
  { files, baselines, split, shift, n, classes, training, splits }: EvaluationReport,
  bold: Bold,
): string {
  const others = Object.entries(splits).filter(([name, rows]) => name !== split && rows > 0);
  const also = others.map(([name, rows]) => `${name} ${count(rows)}`).join(", ");
  return [
    bold(files.length === 1 ? files[0]! : `${files.length} tables: ${files.join(", ")}`),
    `rows      ${count(n)}${split === null ? "" : ` of split ${split}`}${also === "" ? "" : ` (also there: ${also})`}`,
    ...(shift === null ? [] : [`shift     ${shiftWords[shift.why](shift.shifted)}`]),
    `classes   ${classes.slice(0, 10).join(", ")}${classes.length > 10 ? `, … (${classes.length})` : ""}`,
    `training  ${training ?? "nothing known"}`,
    ...(baselines.length === 0 ? [] : [`baseline  ${baselines.join(", ")}`]),
    `intervals ${intervalWords(files.length)}`,
  ].join("\n");
}

function intervalWords(files: number): string {
  return files === 1
    ? "95% over images: how far the choice of images may mislead, not what another seed would give"
    : `95% over seeds: Student's t, n = ${files}, ${files - 1} ${files === 2 ? "degree" : "degrees"} of freedom${files === 2 ? "; two seeds tell little" : ""}`;
}

/** Whether the evaluated split is out of distribution, and how that is known. */
const shiftWords: Record<NonNullable<EvaluationReport["shift"]>["why"], (shifted: boolean) => string> = {
  declared: (shifted) => `${shifted ? "out of" : "in"} distribution, as the dataset declares`,
  unseen: () => "out of distribution: it has an environment that training has not",
  cue: () => "out of distribution: a cue goes with the class otherwise than in training",
  alike: () => "in distribution: cues go with the class as in training",
};

function accuracyTable({
  accuracy,
  worstGroup,
  calibration,
  improvement,
  ...report
}: EvaluationReport): string {
  const row = (name: string, path: string, value: number | null) => [
    name,
    percent(value),
    ...spread(report.intervals[path], report.files.length),
  ];
  const one = report.files.length === 1;
  const worstTitle = one ? `worst group (${images(worstGroup.n)})` : "mean of each run's worst group";
  const rows = [
    row("over samples", "accuracy.samples", accuracy.samples),
    row("mean per group (unbiased accuracy)", "accuracy.meanPerGroup", accuracy.meanPerGroup),
    row("weighted by training group sizes", "accuracy.trainWeighted", accuracy.trainWeighted),
    row(worstTitle, "worstGroup.accuracy", worstGroup.accuracy),
    ...(improvement
      ? [
          row("less the baseline's (gap), over samples", "improvement.samples", improvement.samples),
          row("less the baseline's, mean per group", "improvement.meanPerGroup", improvement.meanPerGroup),
        ]
      : []),
    ...(calibration ? [row("calibration error (ECE)", "calibration.error", calibration.error)] : []),
  ];
  const table = textTable(["", "", ...spreadTitles(report.files.length)], rows);
  // A name of eight parts would push the numbers off the screen.
  return `${table}\nthe worst group is ${one ? "" : "most often "}${worstGroup.name}`;
}

function cueTable({ cues, intervals, files }: EvaluationReport): string {
  const rows = Object.entries(cues).map(([name, { majority, minority, mmd, counts, rule }]) => [
    name,
    percent(majority),
    count(counts.majority),
    percent(minority),
    count(counts.minority),
    percent(mmd),
    ...spread(intervals[`cues.${name}.mmd`], files.length),
    rule,
  ]);
  if (rows.length === 0) return "";
  const titles = ["cue", "majority", "images", "minority", "images", "MMD", ...spreadTitles(files.length)];
  return textTable([...titles, "majority is"], rows);
}

/** Every class counts the same in a cell; I.D. accuracy weighs cells by their share of training. */
function gapTable({ gaps, intervals, files }: EvaluationReport): string {
  if (gaps === null) return "";
  const rows = gaps.cells.map(({ uncommon, share, n, accuracy, gap }) => [
    uncommon.length === 0 ? "none" : uncommon.join(" + "),
    `${(100 * share).toFixed(2)}%`,
    n === 0 ? "–" : count(n),
    percent(accuracy),
    uncommon.length === 0 ? "" : signed(gap),
    ...(uncommon.length === 0
      ? spread(undefined, files.length).map(() => "")
      : spread(intervals[`gaps.${uncommon.join(" + ")}`], files.length)),
  ]);
  const usual = [
    "I.D. accuracy",
    "",
    "",
    percent(gaps.inDistribution),
    "",
    ...spread(intervals["gaps.inDistribution"], files.length),
  ];
  const titles = ["uncommon", "training", "images", "accuracy", "gap", ...spreadTitles(files.length)];
  return textTable(titles, [...rows, usual]);
}

function groupTitle({ grouping, groups }: EvaluationReport): string {
  const { attributes, byClass, overlapping, nominal, occupied, single } = grouping;
  const parts = [...(byClass ? ["class"] : []), ...attributes];
  const what = overlapping ? `class × each of ${attributes.join(", ")}` : parts.join(" × ") || "all images";
  const all = `${count(occupied)} of ${count(nominal)} groups of ${what} have images`;
  const ones = single > 0 ? `, ${count(single)} of them one only` : "";
  const shown = groups.length > mostRows ? `; the ${worstRows} worst` : "";
  return `Groups: ${all}${ones}${shown}`;
}

function groupTable({ groups, grouping, files, baselines, training }: EvaluationReport): string {
  const shown = groups.length > mostRows ? worstOf(groups) : groups;
  const trainTotal = groups.reduce((sum, { train }) => sum + (train ?? 0), 0);
  const columns: [string, (group: GroupReport) => string][] = [
    ...(grouping.overlapping
      ? [["group", ({ name }: GroupReport) => name] as [string, (group: GroupReport) => string]]
      : [
          ...(grouping.byClass ? [["class", (group: GroupReport) => group.class ?? ""] as const] : []),
          ...grouping.attributes.map((name) => [name, (group: GroupReport) => group.values[name]!] as const),
        ].map(([title, cell]) => [title, cell] as [string, (group: GroupReport) => string])),
    ["images", ({ n }) => (n === 0 ? "–" : count(n))],
    ["accuracy", ({ accuracy }) => percent(accuracy)],
    [intervalTitle(files.length), (group) => range(group.low, group.high)],
  ];
  if (training !== null && trainTotal > 0) {
    columns.push(["training", ({ train }) => (train ? `${((100 * train) / trainTotal).toFixed(2)}%` : "–")]);
  }
  if (baselines.length > 0) {
    columns.push(["IOSM", ({ iosm }) => percent(iosm)]);
    columns.push([intervalTitle(files.length), (group) => range(group.iosmLow, group.iosmHigh)]);
  }
  columns.push(["", ({ n }) => (n === 0 ? "empty" : n === 1 ? "one image" : "")]);
  return textTable(
    columns.map(([title]) => title),
    shown.map((group) => columns.map(([, cell]) => cell(group))),
  );
}

/** Of equally bad groups the larger ones, which say more. */
function worstOf(groups: readonly GroupReport[]): GroupReport[] {
  return groups
    .filter(({ accuracy }) => accuracy !== null)
    .sort((a, b) => a.accuracy! - b.accuracy! || b.n - a.n)
    .slice(0, worstRows);
}

function alphaTable({ accAlpha, intervals, files }: EvaluationReport): string {
  if (accAlpha.length === 0) return "";
  return textTable(
    ["α", "accuracy", ...spreadTitles(files.length)],
    accAlpha.map(({ alpha, value }) => [
      String(alpha),
      percent(value),
      ...spread(intervals[`accAlpha.${alpha}`], files.length),
    ]),
  );
}

function headTailTable({ headTail, intervals, files }: EvaluationReport): string {
  if (headTail.length === 0) return "";
  return textTable(
    ["β", "head", "answers", "tail", "answers", "mean", ...spreadTitles(files.length)],
    headTail.map(({ beta, head, tail, mean, headCount, tailCount }) => [
      String(beta),
      percent(head),
      count(headCount),
      percent(tail),
      count(tailCount),
      percent(mean),
      ...spread(intervals[`headTail.${beta}.mean`], files.length),
    ]),
  );
}

function ownTable({ own = [], intervals, files }: EvaluationReport): string {
  const rows = own.flatMap(({ name, title, scores }) =>
    scores.map(({ of, value, n }) => [
      of === null ? title : `${title}: ${of}`,
      percent(value),
      count(n),
      ...spread(intervals[["own", name, ...(of === null ? [] : [of])].join(".")], files.length),
    ]),
  );
  return rows.length === 0 ? "" : textTable(["metric", "", "images", ...spreadTitles(files.length)], rows);
}

/** What nobody misses unless they ask for it; `--json` tells. */
const optional = ["baseline", "head-tail", "confidence"] as const;

/** Metrics that lack the same thing are told together. */
function notes({ missing, remarks }: EvaluationReport): string[] {
  const byRemedy = new Map<string, string[]>();
  for (const [metric, remedy] of Object.entries(missing)) {
    if (metrics.get(metric).needs.some((need) => optional.some((name) => name === need))) continue;
    byRemedy.set(remedy, [...(byRemedy.get(remedy) ?? []), metric]);
  }
  const lines = [
    ...remarks.map((remark) => `remark: ${remark}`),
    ...[...byRemedy].map(([remedy, names]) => `not computed: ${names.join(", ")}; give ${remedy}`),
  ];
  return lines.length === 0 ? [] : [lines.join("\n")];
}

function spreadTitles(files: number): string[] {
  return files === 1 ? [intervalTitle(files)] : ["± s.e.", intervalTitle(files)];
}

function intervalTitle(files: number): string {
  return files === 1 ? "95% over images" : "95% over seeds";
}

function spread(interval: IntervalReport | undefined, files: number): string[] {
  const { low = null, high = null, standardError = null, seeds = files } = interval ?? {};
  // Where some seeds lack the number, the heading's n is not this one's.
  const fewer = seeds < files && low !== null ? ` (n = ${seeds})` : "";
  return files === 1 ? [range(low, high)] : [percent(standardError), `${range(low, high)}${fewer}`];
}

function range(low: number | null, high: number | null): string {
  return low === null || high === null ? "–" : `${(100 * low).toFixed(1)} – ${(100 * high).toFixed(1)}%`;
}

function percent(share: number | null): string {
  return share === null ? "–" : `${(100 * share).toFixed(1)}%`;
}

/** In points, with its sign: a gap below zero is reliance. */
function signed(points: number | null): string {
  return points === null ? "–" : `${points > 0 ? "+" : ""}${(100 * points).toFixed(1)}`;
}

function images(n: number): string {
  return n === 1 ? "one image" : `${count(n)} images`;
}

function count(n: number): string {
  return n.toLocaleString("en");
}
