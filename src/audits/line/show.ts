/** The fits of a line, in sections. */

import {
  type Cell,
  type Column,
  countCell,
  decimalCell,
  type Section,
  type Table,
} from "../../core/section.ts";
import { tablesAbout } from "../../core/words.ts";
import type { LineAnswer } from "./audit.ts";
import { lineFigureList } from "./figure-list.ts";
import { type PublishedBeside, publishedRemarks } from "./published-fits.ts";
import type { LineReport, SplitReport } from "./report.ts";

export function showLine({ report, splits, scale, published }: LineAnswer): Section[] {
  const undecided = report.splits.flatMap(({ name, undefinedBecause }) =>
    undefinedBecause === undefined ? [] : [`no R for ${name}: ${undefinedBecause}`],
  );
  return [
    aboutSection(report),
    ...environmentSection(report),
    {
      name: "splits",
      heading: "",
      tables: [splitTable(report)],
      figures: lineFigureList(splits, scale),
      remarks: undecided,
    },
    ...warningSection(report.splits),
    ...(published === undefined ? [] : [publishedSection(report.splits, published)]),
    ...convergenceSection(report.splits),
    ...(report.remarks.length === 0 ? [] : [{ name: "remarks", heading: "", remarks: report.remarks }]),
  ];
}

function aboutSection(report: LineReport): Section {
  const { heading, facts } = tablesAbout(report.files);
  return { name: "about", heading, facts: [...facts, ...factsOf(report)] };
}

function factsOf(report: LineReport): [string, string][] {
  const { rows, transform, clip, threshold, unit, weights, missing, cluster } = report;
  const clipped = clip[0] > 0 || clip[1] < 1 ? `, clipped to ${clip[0]} – ${clip[1]}` : "";
  const empty = Object.entries(missing).map(([name, count]) => `${name} ${whole(count)}`);
  const kind = report.interval === "bootstrap" ? "bootstrap " : "";
  return [
    ["rows", `${whole(rows)}${unit === "percent" ? ", accuracies in per cent" : ""}`],
    ["scale", `${transform}${clipped}${weights === null ? "" : `, weighted by ${weights}`}`],
    [
      "verdict",
      `well-specified where R < ${threshold} with its whole ${kind}interval, misspecified where above`,
    ],
    ...(cluster.length === 0
      ? []
      : [
          ["interval", `of whole clusters drawn anew: rows with the same ${cluster.join(", ")}`] as [
            string,
            string,
          ],
        ]),
    ...(empty.length === 0
      ? []
      : [["empty", `${empty.join(", ")} (rows without an accuracy are left out)`] as [string, string]]),
  ];
}

/** How many images each group's accuracy is of. */
function environmentSection({ environments = [] }: LineReport): Section[] {
  if (environments.length === 0) return [];
  const names = [...new Set(environments.flatMap(({ groups }) => groups.map(({ name }) => name)))];
  const row = (name: string, images: (environment: (typeof environments)[0]) => number) => ({
    cells: [name, ...environments.map((environment) => countCell(images(environment)))],
  });
  const table: Table = {
    name: "images",
    caption: "",
    columns: titled("images", ...environments.map(({ name }) => name)),
    rows: [
      row("all", ({ images }) => images),
      ...names.map((name) =>
        row(name, ({ groups }) => groups.find((group) => group.name === name)?.images ?? 0),
      ),
    ],
  };
  return [{ name: "images", heading: "", tables: [table] }];
}

type SplitColumn = readonly [title: string, cell: (split: SplitReport) => Cell];

const independent: readonly SplitColumn[] = [
  ["p-value", ({ pValue }) => probability(pValue)],
  ["std. error", ({ stdErr }) => ({ value: stdErr, text: stdErr === null ? "–" : stdErr.toPrecision(2) })],
];

function splitTable({ splits, confidence, cluster }: LineReport): Table {
  const groups = [...new Set(splits.flatMap(({ group }) => Object.keys(group)))];
  const chosen: SplitColumn[] = [
    ["OOD", ({ ood }) => ood],
    ["ID", ({ id }) => (id.length === 1 ? id[0]! : `mean of ${id.length}`)],
    ...groups.map((name): SplitColumn => [name, ({ group }) => group[name] ?? pooledWord(splits, name)]),
    ["n", ({ n }) => countCell(n)],
    ...(cluster.length > 0
      ? [["clusters", ({ clusters = 0 }: SplitReport) => countCell(clusters)] as SplitColumn]
      : []),
    ...(splits.some(({ dropped }) => dropped > 0)
      ? [["left out", ({ dropped }: SplitReport) => countCell(dropped)] as SplitColumn]
      : []),
    ["R", ({ r }) => two(r)],
    [
      `${100 * confidence}% interval`,
      ({ rLow, rHigh }) => (rLow === null ? null : `${two(rLow).text} to ${two(rHigh).text}`),
    ],
    ["slope", ({ slope }) => two(slope)],
    ["intercept", ({ intercept }) => two(intercept)],
    // Both are for rows that are independent.
    ...(cluster.length > 0 ? [] : independent),
    ["verdict", ({ verdict }) => verdict],
    ["beware", ({ warnings }) => warnings.map(({ kind }) => kind).join(", ")],
  ];
  return {
    name: "splits",
    caption: "",
    columns: titled(...chosen.map(([title]) => title)),
    rows: splits.map((split) => ({ cells: chosen.map(([, cell]) => cell(split)) })),
  };
}

/** Of rows of every value; a column may have a value that is called "all" itself. */
function pooledWord(splits: readonly SplitReport[], name: string): string {
  return splits.some(({ group }) => group[name] === "all") ? "(all rows)" : "all";
}

function warningSection(splits: readonly SplitReport[]): Section[] {
  const warned = splits.filter(({ warnings }) => warnings.length > 0);
  if (warned.length === 0) return [];
  return [
    {
      name: "warnings",
      heading: "More than one R can tell",
      remarks: warned.flatMap(({ name, warnings }) => warnings.map(({ message }) => `${name}: ${message}`)),
    },
  ];
}

function publishedSection(splits: readonly SplitReport[], published: readonly PublishedBeside[]): Section {
  const heading = "Beside what Salaudeen et al. 2025 print";
  const rows = splits.flatMap((split, i) => {
    const paper = published[i];
    if (paper === undefined) return [];
    const pairs = [
      [split.r, paper.r],
      [split.slope, paper.slope],
      [split.intercept, paper.intercept],
      [split.stdErr, paper.standardError],
    ] as const;
    return [{ cells: [split.name, ...pairs.flatMap(([ours, theirs]) => [two(ours), two(theirs)])] }];
  });
  if (rows.length === 0)
    return { name: "published", heading, text: "none of these splits is in their tables" };
  const titles = ["R", "slope", "intercept", "std. error"].flatMap((name) => [name, "paper"]);
  return {
    name: "published",
    heading,
    tables: [{ name: "published", caption: "", columns: titled("split", ...titles), rows }],
    remarks: publishedRemarks(published),
  };
}

function convergenceSection(splits: readonly SplitReport[]): Section[] {
  const known = splits.flatMap(({ name, n, convergence }) =>
    convergence ? [{ name, n, ...convergence }] : [],
  );
  const [first] = known;
  if (first === undefined) return [];
  const { step, tolerance, confidence, resamples } = first;
  const table: Table = {
    name: "enough",
    caption: "",
    columns: titled("split", "enough", "there are"),
    rows: known.map(({ name, enough, n }) => ({
      cells: [name, enough === null ? "not reached" : countCell(enough), countCell(n)],
    })),
  };
  return [
    {
      name: "enough",
      heading: `Classifiers that are enough: ${step} more change R by less than ${100 * tolerance}% with ${100 * confidence}% confidence (${whole(resamples)} resamples)`,
      tables: [table],
    },
  ];
}

function titled(...titles: readonly string[]): Column[] {
  return titles.map((title) => ({ title }));
}

/** The least double is about 5e-324; what is smaller comes out as 0. */
function probability(p: number | null): Cell {
  return { value: p, text: p === null ? "–" : p === 0 ? "<1e-300" : p.toPrecision(2) };
}

function two(value: number | null) {
  return decimalCell(value, 2);
}

function whole(n: number): string {
  return n.toLocaleString("en");
}
