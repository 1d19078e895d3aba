/** What the metrics of predictions say, in sections. */

import {
  type Cell,
  type Column,
  countCell,
  decimalCell,
  percentCell,
  pointsCell,
  type Section,
  type Table,
} from "../../core/section.ts";
import { tablesAbout } from "../../core/words.ts";
import { metrics } from "../../metrics/index.ts";
import { showMoles } from "../moles/show.ts";
import type { EvaluationReport, GroupReport, IntervalReport } from "./evaluation-report.ts";
import { gapFigure, groupFigure } from "./figures.ts";

/** More groups than this are not all shown, but the worst of them. */
const mostRows = 40;
const worstRows = 10;

export function showEvaluation(report: EvaluationReport): Section[] {
  const section = (name: string, heading: string, table: Table | undefined, more: Partial<Section> = {}) =>
    table === undefined ? [] : [{ name, heading, tables: [table], ...more }];
  const remarks = remarksOf(report);
  return [
    about(report),
    ...section("accuracy", "Accuracy", accuracyTable(report)),
    ...section(
      "cues",
      "Cues: images whose cue goes with their class (majority), and the others",
      cueTable(report),
    ),
    ...section("gaps", "Gaps: accuracy where cues are uncommon, less I.D. accuracy", gapTable(report), {
      figures: gapFigure(report),
    }),
    ...(report.moles === undefined ? [] : [showMoles(report.moles)]),
    ...section("groups", groupTitle(report), groupTable(report), { figures: groupFigure(report) }),
    ...section("acc-alpha", "Acc(α): training priors to the power α", alphaTable(report)),
    ...section("head-tail", "Frequent (head) and rare (tail) answers of local groups", headTailTable(report)),
    ...section("own-metrics", "Further metrics", ownTable(report)),
    ...(remarks.length === 0 ? [] : [{ name: "remarks", heading: "", remarks }]),
  ];
}

function about(report: EvaluationReport): Section {
  const { files, baselines, split, shift, n, classes, training, splits } = report;
  const others = Object.entries(splits).filter(([name, rows]) => name !== split && rows > 0);
  const also = others.map(([name, rows]) => `${name} ${count(rows)}`).join(", ");
  const ofSplit = split === null ? "" : ` of split ${split}`;
  const each = files.length === 1 ? "" : `, ${eachOf(n, files.length)} in each table`;
  const about = tablesAbout(files);
  return {
    name: "about",
    heading: about.heading,
    facts: [
      ...about.facts,
      ["rows", `${count(n)}${ofSplit}${each}${also === "" ? "" : ` (also there: ${also})`}`],
      ...(shift === null ? [] : [["shift", shiftWords[shift.why](shift.shifted)] as const]),
      [
        "classes",
        `${classes.slice(0, 10).join(", ")}${classes.length > 10 ? `, … (${classes.length})` : ""}`,
      ],
      ["training", training ?? "nothing known"],
      ...(baselines.length === 0 ? [] : [["baseline", baselines.join(", ")] as const]),
      ["intervals", intervalWords(report)],
    ],
  };
}

/** Tables of one split mostly have as many rows each. */
function eachOf(n: number, files: number): string {
  return n % files === 0 ? count(n / files) : `about ${count(Math.round(n / files))}`;
}

function intervalWords({ files: { length: files }, sameImages }: EvaluationReport): string {
  if (files === 1)
    return "95% over images: how far the choice of images may mislead, not what another seed would give";
  const degrees = `${files - 1} ${files === 2 ? "degree" : "degrees"} of freedom`;
  return `95% over seeds: Student's t, n = ${files}, ${degrees}${files === 2 ? "; two seeds tell little" : ""}${
    sameImages ? "; all seeds have the same images, and other images may give other numbers" : ""
  }`;
}

/** Whether the evaluated split is out of distribution, and how that is known. */
const shiftWords: Record<NonNullable<EvaluationReport["shift"]>["why"], (shifted: boolean) => string> = {
  declared: (shifted) => `${shifted ? "out of" : "in"} distribution, as the dataset declares`,
  unseen: () => "out of distribution: it has an environment that training has not",
  cue: () => "out of distribution: a cue goes with the class otherwise than in training",
  alike: () => "in distribution: cues go with the class as in training",
};

function accuracyTable(report: EvaluationReport): Table {
  const { accuracy, guessing, worstGroup, calibration, improvement, files } = report;
  const row = (name: string, path: string, value: number | null) => ({
    cells: [name, percentCell(value), ...spread(report.intervals[path], files.length)],
  });
  const worstTitle =
    files.length === 1 ? `worst group (${images(worstGroup.n)})` : "mean of each run's worst group";
  return {
    name: "accuracy",
    caption: worstGroupLine(report),
    columns: columns("", "", ...spreadTitles(files.length)),
    rows: [
      row("over samples", "accuracy.samples", accuracy.samples),
      row("mean per group (unbiased accuracy)", "accuracy.meanPerGroup", accuracy.meanPerGroup),
      row("weighted by training group sizes", "accuracy.trainWeighted", accuracy.trainWeighted),
      row(worstTitle, "worstGroup.accuracy", worstGroup.accuracy),
      row(`guessing: always "${guessing.class}"`, "", guessing.accuracy),
      ...(improvement
        ? [
            row("less the baseline's (gap), over samples", "improvement.samples", improvement.samples),
            row("less the baseline's, mean per group", "improvement.meanPerGroup", improvement.meanPerGroup),
          ]
        : []),
      ...(calibration ? [row("calibration error (ECE)", "calibration.error", calibration.error)] : []),
    ],
  };
}

/** A name of eight parts would push the numbers off the screen. */
function worstGroupLine({ files, worstGroup }: EvaluationReport): string {
  return `the worst group is ${files.length === 1 ? "" : "most often "}${worstGroup.name}`;
}

function cueTable({ cues, intervals, files }: EvaluationReport): Table | undefined {
  const rows = Object.entries(cues).map(([name, { majority, minority, mmd, counts, rule }]) => ({
    cells: [
      name,
      percentCell(majority),
      countCell(counts.majority),
      percentCell(minority),
      countCell(counts.minority),
      percentCell(mmd),
      ...spread(intervals[`cues.${name}.mmd`], files.length),
      rule,
    ],
  }));
  if (rows.length === 0) return undefined;
  const titles = ["cue", "majority", "images", "minority", "images", "MMD", ...spreadTitles(files.length)];
  return { name: "cues", caption: "", columns: columns(...titles, "majority is"), rows };
}

/** Every class counts the same in a cell; I.D. accuracy weighs cells by their share of training. */
function gapTable({ gaps, intervals, files }: EvaluationReport): Table | undefined {
  if (gaps === null) return undefined;
  const rows = gaps.cells.map(({ uncommon, share, n, accuracy, gap }) => ({
    cells: [
      uncommon.length === 0 ? "none" : uncommon.join(" + "),
      { value: share, text: `${(100 * share).toFixed(2)}%` },
      n === 0 ? null : countCell(n),
      percentCell(accuracy),
      uncommon.length === 0 ? "" : pointsCell(gap),
      ...(uncommon.length === 0
        ? spreadTitles(files.length).map(() => "")
        : spread(intervals[`gaps.${uncommon.join(" + ")}`], files.length)),
    ],
  }));
  const usual = {
    cells: [
      "I.D. accuracy",
      "",
      "",
      percentCell(gaps.inDistribution),
      "",
      ...spread(intervals["gaps.inDistribution"], files.length),
    ],
  };
  const titles = ["uncommon", "training", "images", "accuracy", "gap", ...spreadTitles(files.length)];
  return { name: "gaps", caption: "", columns: columns(...titles), rows: [...rows, usual] };
}

function groupTitle({ grouping }: EvaluationReport): string {
  const { attributes, byClass, overlapping, oneByOne = false, nominal, occupied, single } = grouping;
  const parts = [...(byClass ? ["class"] : []), ...attributes];
  const what =
    overlapping || oneByOne ? `class × each of ${attributes.join(", ")}` : parts.join(" × ") || "all images";
  const ones = single > 0 ? `, ${count(single)} of them one only` : "";
  return `Groups: ${count(occupied)} of ${count(nominal)} groups of ${what} have images${ones}`;
}

type GroupColumn = readonly [title: string, cell: (group: GroupReport) => Cell];

function groupTable({ groups, grouping, files, baselines, training, moles }: EvaluationReport): Table {
  const flips = new Map(moles?.groupFlips.map((each) => [each.group, each]));
  // With one attribute at a time each of them has all images.
  const rounds = grouping.oneByOne ? grouping.attributes.length : 1;
  const trainTotal = groups.reduce((sum, { train }) => sum + (train ?? 0), 0) / rounds;
  const named: GroupColumn[] =
    grouping.overlapping || grouping.oneByOne
      ? [["group", ({ name }) => name]]
      : [
          ...(grouping.byClass ? [["class", (group: GroupReport) => group.class ?? ""] as const] : []),
          ...grouping.attributes.map((name): GroupColumn => [name, ({ values }) => values[name] ?? ""]),
        ];
  const chosen: GroupColumn[] = [
    ...named,
    ["images", ({ n }) => (n === 0 ? null : countCell(n))],
    ["accuracy", ({ accuracy }) => percentCell(accuracy)],
    [intervalTitle(files.length), ({ low, high }) => range(low, high, files.length)],
    ...(training !== null && trainTotal > 0
      ? [
          [
            "training",
            ({ train }: GroupReport) =>
              train
                ? { value: train / trainTotal, text: `${((100 * train) / trainTotal).toFixed(2)}%` }
                : null,
          ] as const,
        ]
      : []),
    ...(baselines.length > 0
      ? ([
          ["IOSM", ({ iosm }) => percentCell(iosm)],
          [intervalTitle(files.length), ({ iosmLow, iosmHigh }) => range(iosmLow, iosmHigh, files.length)],
        ] satisfies GroupColumn[])
      : []),
    ...(flips.size > 0
      ? ([
          ["right to wrong", ({ name }) => flipCell(flips.get(name)?.toWrong)],
          ["wrong to right", ({ name }) => flipCell(flips.get(name)?.toRight)],
        ] satisfies GroupColumn[])
      : []),
    [
      "",
      ({ n }) =>
        n === 0 ? "empty" : n > files.length ? "" : files.length === 1 ? "one image" : "one image a table",
    ],
  ];
  return {
    name: "groups",
    caption: "",
    columns: columns(...chosen.map(([title]) => title)),
    rows: groups.map((group) => ({ cells: chosen.map(([, cell]) => cell(group)) })),
    ...(groups.length > mostRows
      ? { shown: { rows: worstOf(groups), why: `the ${worstRows} worst of ${count(groups.length)}` } }
      : {}),
  };
}

function flipCell(images: number | undefined): Cell {
  return images === undefined ? null : countCell(images);
}

/** Of equally bad groups the larger ones, which say more. */
function worstOf(groups: readonly GroupReport[]): number[] {
  return groups
    .flatMap(({ accuracy, n }, row) => (accuracy === null ? [] : [{ accuracy, n, row }]))
    .sort((a, b) => a.accuracy - b.accuracy || b.n - a.n)
    .slice(0, worstRows)
    .map(({ row }) => row);
}

function alphaTable({ accAlpha, intervals, files }: EvaluationReport): Table | undefined {
  if (accAlpha.length === 0) return undefined;
  return {
    name: "acc-alpha",
    caption: "",
    columns: columns("α", "accuracy", ...spreadTitles(files.length)),
    rows: accAlpha.map(({ alpha, value }) => ({
      cells: [
        { value: alpha, text: String(alpha) },
        percentCell(value),
        ...spread(intervals[`accAlpha.${alpha}`], files.length),
      ],
    })),
  };
}

function headTailTable({ headTail, intervals, files }: EvaluationReport): Table | undefined {
  if (headTail.length === 0) return undefined;
  return {
    name: "head-tail",
    caption: "",
    columns: columns("β", "head", "answers", "tail", "answers", "mean", ...spreadTitles(files.length)),
    rows: headTail.map(({ beta, head, tail, mean, headCount, tailCount }) => ({
      cells: [
        { value: beta, text: String(beta) },
        percentCell(head),
        countCell(headCount),
        percentCell(tail),
        countCell(tailCount),
        percentCell(mean),
        ...spread(intervals[`headTail.${beta}.mean`], files.length),
      ],
    })),
  };
}

function ownTable({ own = [], intervals, files }: EvaluationReport): Table | undefined {
  const rows = own.flatMap(({ name, title, scores }) =>
    scores.map(({ of, value, n }) => ({
      cells: [
        of === null ? title : `${title}: ${of}`,
        percentCell(value),
        countCell(n),
        ...spread(intervals[["own", name, ...(of === null ? [] : [of])].join(".")], files.length),
      ],
    })),
  );
  if (rows.length === 0) return undefined;
  const titles = ["metric", "", "images", ...spreadTitles(files.length)];
  return { name: "own-metrics", caption: "", columns: columns(...titles), rows };
}

/** What nobody misses unless they ask for it; the answer itself tells. */
const optional = ["baseline", "head-tail", "confidence", "reference-errors"] as const;

/** Metrics that lack the same thing are told together. */
function remarksOf({ missing, remarks }: EvaluationReport): string[] {
  const byRemedy = new Map<string, string[]>();
  for (const [metric, remedy] of Object.entries(missing)) {
    if (metrics.get(metric).needs.some((need) => optional.some((name) => name === need))) continue;
    byRemedy.set(remedy, [...(byRemedy.get(remedy) ?? []), metric]);
  }
  return [
    ...remarks,
    ...[...byRemedy].map(([remedy, names]) => `not computed: ${names.join(", ")}; give ${remedy}`),
  ];
}

function columns(...titles: readonly string[]): Column[] {
  return titles.map((title) => ({ title }));
}

function spreadTitles(files: number): string[] {
  return files === 1 ? [intervalTitle(files)] : ["± s.e.", intervalTitle(files)];
}

function intervalTitle(files: number): string {
  return files === 1 ? "95% over images" : "95% over seeds";
}

function spread(interval: IntervalReport | undefined, files: number): Cell[] {
  const { low = null, high = null, standardError = null, seeds = files } = interval ?? {};
  const text = range(low, high, seeds);
  // Where some seeds lack the number, the heading's n is not this one's.
  const told = text !== null && seeds < files ? `${text} (n = ${seeds})` : text;
  return files === 1 ? [text] : [percentCell(standardError), told];
}

/** Where all seeds agree to the last image, Student's interval has no width, and tells of no other seed. */
function range(low: number | null, high: number | null, seeds: number): string | null {
  if (low === null || high === null) return null;
  if (seeds > 1 && low === high) return "the same in all";
  return `${decimalCell(100 * low, 1).text} – ${decimalCell(100 * high, 1).text}%`;
}

function images(n: number): string {
  return n === 1 ? "one image" : `${count(n)} images`;
}

function count(n: number): string {
  return n.toLocaleString("en");
}
