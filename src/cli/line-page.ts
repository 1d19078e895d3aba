/** The fits of `line` as a page. */

import type { LineReport, SplitReport } from "../audits/line/report.ts";
import { publishedRemarks } from "../reports/line/published-fits.ts";
import type { PublishedFit } from "../studies/published/salaudeen-2025.ts";
import { textTable } from "./text-table.ts";

type Bold = (text: string) => string;

type Published = readonly (PublishedFit | undefined)[];

export function linePage(report: LineReport, bold: Bold, published?: Published): string {
  const { splits, remarks } = report;
  return [
    heading(report, bold),
    ...environmentTable(report),
    splitTable(report),
    ...splits.filter(({ undefinedBecause }) => undefinedBecause !== undefined).map(undefinedLine),
    ...warningLines(splits, bold),
    ...(published === undefined ? [] : publishedLines(splits, published, bold)),
    ...convergenceLines(splits, bold),
    ...(remarks.length === 0 ? [] : [remarks.map((remark) => `remark: ${remark}`).join("\n")]),
  ].join("\n\n");
}

function heading(report: LineReport, bold: Bold): string {
  const { files, rows, transform, clip, threshold, unit, weights, missing, cluster } = report;
  const clipped = clip[0] > 0 || clip[1] < 1 ? `, clipped to ${clip[0]} – ${clip[1]}` : "";
  const empty = Object.entries(missing).map(([name, count]) => `${name} ${whole(count)}`);
  return [
    bold(files.join(", ")),
    `rows     ${whole(rows)}${unit === "percent" ? ", accuracies in per cent" : ""}`,
    `scale    ${transform}${clipped}${weights === null ? "" : `, weighted by ${weights}`}`,
    `verdict  well-specified where R < ${threshold} with its whole ${report.interval === "bootstrap" ? "bootstrap " : ""}interval, misspecified where above`,
    ...(cluster.length === 0
      ? []
      : [`interval of whole clusters drawn anew: rows with the same ${cluster.join(", ")}`]),
    ...(empty.length === 0 ? [] : [`empty    ${empty.join(", ")} (rows without an accuracy are left out)`]),
  ].join("\n");
}

/** How many images each group's accuracy is of. */
function environmentTable({ environments = [] }: LineReport): string[] {
  if (environments.length === 0) return [];
  const names = [...new Set(environments.flatMap(({ groups }) => groups.map(({ name }) => name)))];
  const images = (name: string) =>
    environments.map(({ groups }) => whole(groups.find((group) => group.name === name)?.images ?? 0));
  return [
    textTable(
      ["images", ...environments.map(({ name }) => name)],
      [
        ["all", ...environments.map((each) => whole(each.images))],
        ...names.map((name) => [name, ...images(name)]),
      ],
    ),
  ];
}

function splitTable({ splits, confidence, cluster }: LineReport): string {
  const groups = [...new Set(splits.flatMap(({ group }) => Object.keys(group)))];
  const dropped = splits.some((split) => split.dropped > 0);
  const columns: [string, (split: SplitReport) => string][] = [
    ["OOD", ({ ood }) => ood],
    ["ID", ({ id }) => (id.length === 1 ? id[0]! : `mean of ${id.length}`)],
    ...groups.map((name): [string, (split: SplitReport) => string] => [
      name,
      ({ group }) => group[name] ?? "all",
    ]),
    ["n", ({ n }) => whole(n)],
    ...(cluster.length > 0
      ? [["clusters", ({ clusters }) => whole(clusters ?? 0)] as [string, (split: SplitReport) => string]]
      : []),
    ...(dropped
      ? [["left out", ({ dropped }) => whole(dropped)] as [string, (split: SplitReport) => string]]
      : []),
    ["R", ({ r }) => two(r)],
    [
      `${100 * confidence}% interval`,
      ({ rLow, rHigh }) => (rLow === null ? "–" : `${two(rLow)} to ${two(rHigh)}`),
    ],
    ["slope", ({ slope }) => two(slope)],
    ["intercept", ({ intercept }) => two(intercept)],
    ["p-value", ({ pValue }) => probability(pValue)],
    ["std. error", ({ stdErr }) => (stdErr === null ? "–" : stdErr.toPrecision(2))],
    ["verdict", ({ verdict }) => verdict],
    ["", ({ warnings }) => (warnings.length === 0 ? "" : warnings.map(({ kind }) => kind).join(", "))],
  ];
  return textTable(
    columns.map(([title]) => title),
    splits.map((split) => columns.map(([, cell]) => cell(split))),
  );
}

function undefinedLine({ name, undefinedBecause }: SplitReport): string {
  return `no R for ${name}: ${undefinedBecause}`;
}

function warningLines(splits: readonly SplitReport[], bold: Bold): string[] {
  const warned = splits.filter(({ warnings }) => warnings.length > 0);
  if (warned.length === 0) return [];
  const lines = warned.flatMap(({ name, warnings }) => [
    name,
    ...warnings.map(({ message }) => `  ! ${message}`),
  ]);
  return [`${bold("More than one R can tell")}\n${lines.join("\n")}`];
}

function publishedLines(splits: readonly SplitReport[], published: Published, bold: Bold): string[] {
  const rows = splits.flatMap((split, i) => {
    const paper = published[i];
    if (paper === undefined) return [];
    const pair = (ours: number | null, theirs: number) => [two(ours), two(theirs)];
    return [
      [
        split.name,
        ...pair(split.r, paper.r),
        ...pair(split.slope, paper.slope),
        ...pair(split.intercept, paper.intercept),
        ...pair(split.stdErr, paper.standardError),
      ],
    ];
  });
  const title = bold("Beside what Salaudeen et al. 2025 print");
  if (rows.length === 0) return [`${title}\nnone of these splits is in their tables`];
  const titles = ["R", "slope", "intercept", "std. error"].flatMap((name) => [name, "paper"]);
  const remarks = publishedRemarks(published).map((remark) => `remark: ${remark}`);
  return [[title, textTable(["split", ...titles], rows), ...remarks].join("\n")];
}

function convergenceLines(splits: readonly SplitReport[], bold: Bold): string[] {
  const known = splits.flatMap(({ name, n, convergence }) =>
    convergence ? [{ name, n, ...convergence }] : [],
  );
  if (known.length === 0) return [];
  const { step, tolerance, confidence, resamples } = known[0]!;
  const title = `Classifiers that are enough: ${step} more change R by less than ${100 * tolerance}% with ${100 * confidence}% confidence (${whole(resamples)} resamples)`;
  const table = textTable(
    ["split", "enough", "there are"],
    known.map(({ name, enough, n }) => [name, enough === null ? "not reached" : whole(enough), whole(n)]),
  );
  return [`${bold(title)}\n${table}`];
}

/** The least double is about 5e-324; what is smaller comes out as 0. */
function probability(p: number | null): string {
  return p === null ? "–" : p === 0 ? "<1e-300" : p.toPrecision(2);
}

function two(value: number | null): string {
  return value === null ? "–" : value.toFixed(2);
}

function whole(n: number): string {
  return n.toLocaleString("en");
}
