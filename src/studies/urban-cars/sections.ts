/** Tables 3, 5, 9, 11 and 12 and Fig. 6 of Li et al. 2023, ours beside the published numbers. */

import { moleMatrix } from "../../audits/moles/figures.ts";
import {
  type Cell,
  type Column,
  type Figure,
  type Row,
  type Section,
  seedsCell,
} from "../../core/section.ts";
import { mean } from "../../core/statistics/index.ts";
import { methods } from "../../methods/index.ts";
import type { JudgedComparison } from "../../metrics/moles/index.ts";
import { budgetTable } from "../budget-table.ts";
import { equalSecondsSection } from "../equal-seconds.ts";
import { dotsFigure, linesFigure } from "../figures.ts";
import type { MeasuredCase } from "../jobs/runs-job.ts";
import { changeCell, ratioCell } from "../moles/cells.ts";
import { gapOf, gapsBy, honestWords, labelsOf, missingVerdicts } from "../moles/standings.ts";
import { printed } from "../summaries.ts";
import { type ComparedRow, comparedRows, honest, isUntrained, paperRule, type RuleOf } from "./compared.ts";
import { nameOf } from "./findings.ts";
import { type PublishedCars, publishedCars, publishedDynamics } from "./published.ts";
import { baseline, rows as carRows, cues } from "./rows.ts";

export function methodsSection(
  name: "untold" | "told",
  heading: string,
  cases: readonly MeasuredCase[],
  margin: number,
): Section {
  const byPaper = comparedRows(cases, paperRule, margin);
  const standard = cases.find(({ method }) => method === baseline);
  const named = byPaper.flatMap(({ case: each, judged }) => (judged ? [{ name: nameOf(each), judged }] : []));
  return {
    name,
    heading,
    text:
      "Gaps are accuracy where a cue is uncommon less I.D. accuracy, so that reliance is negative. Less baseline: method less the " +
      "standard model within each seed, with Student's 95% interval, not adjusted; verdicts are adjusted by Holm for all rows and " +
      "both cues. A ratio is given where the standard model's reliance is known to exceed the margin. " +
      honestWords,
    tables: [
      carsTable(
        `${name}-paper`,
        "as in the paper: epochs by the worst of all groups, or of those told",
        cases,
        byPaper,
        paperRule,
      ),
      carsTable(
        `${name}-honest`,
        "epochs chosen with no labels but those that each was given",
        cases,
        comparedRows(cases, honest, margin),
        honest,
      ),
    ],
    figures: [
      ...(named.length === 0
        ? []
        : [moleMatrix(`${name}-moles`, name === "told" ? "Told cues" : "Told no cue", named)]),
      gapsFigure(name, cases),
    ],
    remarks: missingVerdicts(cases, standard !== undefined && isUntrained(standard)),
  };
}

const columns: readonly Column[] = [
  { title: "Method" },
  { title: "Told" },
  { title: "Labels in selection" },
  { title: "Source" },
  { title: "I.D." },
  ...cues.flatMap((cue) =>
    ["gap", "less baseline", "ratio", "verdict"].map((title) => ({ title, group: cue })),
  ),
  { title: "gap", group: "both" },
];

function carsTable(
  name: string,
  how: string,
  cases: readonly MeasuredCase[],
  compared: readonly ComparedRow[],
  rule: RuleOf,
) {
  return {
    name,
    caption: `UrbanCars, ${how}: I.D. accuracy and gaps in per cent`,
    columns,
    rows: cases.flatMap((each, i): Row[] => {
      const paper = publishedCars(each);
      const head = [each.method, each.explicit.join(" + ") || "nothing"];
      return [
        { source: "ours", cells: [...head, ...ourCells(each, compared[i]!.judged, rule)] },
        ...(paper ? [{ source: "published" as const, cells: [...head, ...paperCells(paper)] }] : []),
      ];
    }),
  };
}

function ourCells(each: MeasuredCase, judged: JudgedComparison | undefined, rule: RuleOf): Cell[] {
  const { own } = rule(each);
  const gaps = gapsBy(each, own).map((seed) => seed.gaps);
  if (gaps.length === 0)
    return [labelsOf(own), "ours", each.failures[0] ?? null, ...columns.slice(5).map(() => null)];
  const gapCell = (of: readonly string[]) => seedsCell(gaps.map((one) => gapOf(one, of)));
  return [
    labelsOf(own),
    "ours",
    seedsCell(gaps.map(({ inDistribution }) => inDistribution)),
    ...cues.flatMap((cue): Cell[] => {
      const found = judged?.cues.find((one) => one.cues.length === 1 && one.cues[0] === cue);
      return [gapCell([cue]), changeCell(found), ratioCell(found), found?.verdict ?? null];
    }),
    gapCell(cues),
  ];
}

function paperCells({ inDistribution, gaps, ratios, both }: PublishedCars): Cell[] {
  return [
    null,
    "published",
    printed(inDistribution),
    ...cues.flatMap((cue): Cell[] => {
      const ratio = ratios[cue];
      return [
        printed(gaps[cue]),
        null,
        ratio === undefined ? null : { value: ratio, text: `× ${ratio.toFixed(2)}` },
        null,
      ];
    }),
    printed(both),
  ];
}

function gapsFigure(name: string, cases: readonly MeasuredCase[]): Figure {
  return dotsFigure(
    { name: `${name}-gaps`, caption: "Gap of each cue: means over our seeds, and as published (hollow)" },
    {
      value: { title: "gap" },
      reference: { value: 0, label: "no reliance" },
      points: cases.flatMap((each) => {
        const paper = publishedCars(each);
        const gaps = gapsBy(each, paperRule(each).own).map((seed) => seed.gaps);
        return cues.flatMap((cue) => {
          const values = gaps.flatMap((one) => gapOf(one, [cue]) ?? []);
          const row = nameOf(each);
          return [
            ...(values.length === 0 ? [] : [{ row, series: cue, value: mean(values) }]),
            ...(paper ? [{ row, series: cue, value: paper.gaps[cue] / 100, published: true }] : []),
          ];
        });
      }),
    },
  );
}

/** What each had and cost, and how far it is when all have cost the same. */
export function budgetSection(cases: readonly MeasuredCase[]): Section[] {
  if (cases.every(({ runs }) => runs.length === 0)) return [];
  return [
    {
      name: "budget",
      heading: "What each method had and cost",
      tables: [budgetTable("budget", cases)],
    },
    ...equalSecondsSection(cases, { baseline, cues }),
  ];
}

/** Fig. 6: which of the car and the cues the standard model follows, epoch by epoch. */
export function dynamicsSection(standard: MeasuredCase): Section[] {
  const epochs = [...new Set(standard.runs.flatMap(({ follows }) => follows.map(({ epoch }) => epoch)))];
  if (epochs.length < 2) return [];
  const names = Object.keys(standard.runs[0]!.follows[0]!.shares);
  const points = names.flatMap((series) =>
    epochs.map((epoch) => ({
      series,
      x: epoch,
      y: mean(
        standard.runs.flatMap(
          ({ follows }) => follows.find((row) => row.epoch === epoch)?.shares[series] ?? [],
        ),
      ),
    })),
  );
  return [
    {
      name: "dynamics",
      heading: "Which shortcut comes first? (Fig. 6)",
      text:
        "Share of the predictions on balanced validation images that follow the car, the background and the object, epoch by epoch, of " +
        "the standard model. The paper's epochs have more steps, of a network that begins with ImageNet's weights.",
      tables: [],
      figures: [
        linesFigure(
          {
            name: "fig-6",
            caption: "What the standard model follows, mean over seeds; published beside it (dashed)",
          },
          {
            x: { title: "epoch", values: epochs },
            y: { title: "share of predictions" },
            points: [...points, ...publishedDynamics],
          },
        ),
      ],
    },
  ];
}

/** What the paper's short names stand for. */
export function methodsSpelled(cases: readonly MeasuredCase[]): string {
  const titles = cases.flatMap(({ method }) => {
    const row = carRows.find(({ label }) => label === method);
    return row === undefined || row.method === "erm" ? [] : [`${method}: ${methods.get(row.method).title}`];
  });
  return [...new Set(titles)].join("; ");
}
