/** The table in the form of the paper's Table 1, ours and then the published rows, and its figure. */

import { warningWords } from "../../audits/line/warnings.ts";
import type { Figure, Row, Table } from "../../core/section.ts";
import { percentText } from "../../core/words.ts";
import { type PublishedFit, table1 } from "../../published/salaudeen-2025.ts";
import { dotsFigure } from "../figures.ts";
import type { MeasuredFit } from "../jobs/pools-job.ts";
import { fitCell, type JudgedSplit, rWithInterval, spelledSplit, threshold, two } from "./words.ts";

export function verdictTable(splits: readonly JudgedSplit[]): Table {
  return {
    name: "table-1",
    caption:
      `Well-specified: R < ${threshold} with its whole 95% interval, of draws of classifiers drawn anew; misspecified: above it. OOD is regressed on ID accuracy ` +
      "on the probit scale; published: Table 1 of Salaudeen et al. 2025, who give no interval. Theirs are the p-value and standard error of points " +
      "taken as independent; ours are not, as points of one draw belong together, and have an interval instead",
    columns: [
      "Dataset",
      "OOD",
      "Source",
      "Verdict",
      "slope",
      "offset",
      "R",
      "95% interval",
      "p-value",
      "std error",
      "points",
    ].map((title) => ({ title })),
    rows: [...splits.map(ownRow), ...table1.map(publishedRow)],
  };
}

function ownRow(split: JudgedSplit): Row {
  const { all } = split;
  return {
    source: "ours",
    cells: [
      split.dataset,
      split.ood,
      "ours",
      all.verdict,
      fitCell(all.slope),
      fitCell(all.intercept),
      fitCell(all.r),
      all.rLow === null || all.rHigh === null ? null : `${two(all.rLow)} to ${two(all.rHigh)}`,
      null,
      null,
      fitCell(all.points, whole),
    ],
  };
}

function publishedRow({ dataset, ood, slope, intercept, r, pValue, standardError }: PublishedFit): Row {
  return {
    source: "published",
    cells: [
      dataset.replace("_", " "),
      publishedOod(dataset, ood),
      "published",
      publishedVerdict(r),
      fitCell(slope),
      fitCell(intercept),
      fitCell(r),
      null,
      fitCell(pValue),
      fitCell(standardError),
      null,
    ],
  };
}

/** Two rows of Table 1 are named after another split than that whose numbers they have; see the published numbers. */
const otherSplits: Readonly<Record<string, string>> = {
  "CXR 1": "Env 1 (in Table 20: Env 3)",
  "SpawriousM2M_hard 0": "Env 0 (in Table 13: Env 1)",
  "Waterbirds 0": "Env 0, group y = 0, a = 0 (in Table 25: Env 1)",
};

function publishedOod(dataset: string, ood: string): string {
  return otherSplits[`${dataset} ${ood}`] ?? `Env ${ood}`;
}

/** Without an interval there is no doubt. */
export function publishedVerdict(r: number): MeasuredFit["verdict"] {
  return r < threshold ? "well-specified" : "misspecified";
}

/** What each pool learned, and what is left of R among the classifiers that learned something. */
export function learnedTable(splits: readonly JudgedSplit[]): Table {
  const withInterval = (fit: MeasuredFit) => fitCell(fit.r, () => rWithInterval(fit));
  return {
    name: "learned",
    caption:
      "Draws are chunks of cheap classifiers, and networks. R of all points with its 95% interval, and of those that learned something: more than halfway from guessing to the " +
      "best ID accuracy of their pool. Guessing is the share of the most frequent class. " +
      warningsSpelled(splits),
    columns: [
      { title: "Dataset" },
      { title: "OOD" },
      { title: "Guessing" },
      { title: "Best ID" },
      { title: "Draws" },
      { title: "R of all" },
      { title: "R of those that learned" },
      { title: "Points" },
      { title: "Verdict" },
      { title: "Warnings" },
    ],
    rows: splits.map(
      (split): Row => ({
        source: "ours",
        cells: [
          split.dataset,
          split.ood,
          fitCell(split.guessing, percentText),
          fitCell(split.bestId, percentText),
          fitCell(split.all.draws, whole),
          withInterval(split.all),
          withInterval(split.learned),
          fitCell(split.learned.points, whole),
          split.learned.verdict,
          split.warnings.join(", ") || "none",
        ],
      }),
    ),
  };
}

/** Those that are in the table. */
function warningsSpelled(splits: readonly JudgedSplit[]): string {
  const used = new Set(splits.flatMap(({ warnings }) => warnings));
  const spelled = Object.entries(warningWords).flatMap(([kind, words]) =>
    used.has(kind) ? [`${kind}: ${words}`] : [],
  );
  return spelled.length === 0 ? "" : `Warnings: ${spelled.join("; ")}`;
}

export function rFigure(splits: readonly JudgedSplit[]): Figure {
  const point = (row: string, series: string, { r, rLow, rHigh }: MeasuredFit) =>
    r === null ? [] : [{ row, series, value: r, low: rLow!, high: rHigh! }];
  const named = {
    name: "r",
    caption: `R of each split with its 95% interval; below ${threshold} a split is well-specified; hollow: published`,
  };
  return dotsFigure(named, {
    value: { title: "Pearson R", format: ".1f" },
    reference: { value: threshold, label: `R = ${threshold}` },
    points: [
      ...splits.flatMap((split) => point(spelledSplit(split), "all points", split.all)),
      ...splits.flatMap((split) => point(spelledSplit(split), "those that learned something", split.learned)),
      ...table1.map(({ dataset, ood, r }) => ({
        row: `${dataset.replace("_", " ")}, Env ${ood}`,
        series: "all points",
        value: r,
        published: true,
      })),
    ],
  });
}

function whole(value: number): string {
  return value.toLocaleString("en");
}
