/** Table 20 of Li et al. 2023, ours beside the published numbers. */

import { type Cell, type Row, type Section, seedsCell, type Table } from "../../core/section.ts";
import type { JudgedComparison } from "../../metrics/moles/index.ts";
import { table20 } from "../../published/li-2023.ts";
import type { Selection } from "../../training/selection.ts";
import { dotsFigure } from "../figures.ts";
import type { MeasuredCase, Measures } from "../jobs/runs-job.ts";
import { changeCell } from "../moles/cells.ts";
import { gapOf, judgeCases, labelsOf } from "../moles/standings.ts";
import { printed } from "../summaries.ts";
import { isUntrained, worstGroupOf } from "./findings.ts";
import { baseline, cue, honest, paperRule, rows } from "./plan.ts";

export function augmentationsSection(cases: readonly MeasuredCase[], margin: number): Section {
  const standard = cases.find(({ method }) => method === baseline);
  const untrained = standard !== undefined && isUntrained(standard);
  const tableBy = (name: string, how: string, rule: Selection) =>
    tableOf({ name, how, rule }, cases, untrained ? [] : judgedBy(cases, standard, rule, margin));
  return {
    name: "augmentations",
    heading: "What do augmentations do to the background's share? (Table 20)",
    text:
      "Average and worst of the four groups of bird and background, as the paper has them. Beside them the gap of the background: " +
      "accuracy where it is uncommon less I.D. accuracy, less that of the standard model within each seed, with Student's 95% " +
      "interval, not adjusted. Verdicts are adjusted by Holm for all rows.",
    tables: [
      tableBy("table-20", "as in the paper: epochs by the worst of all groups", paperRule),
      tableBy("table-20-classes", "epochs by the worst class, without labels of the background", honest),
    ],
    figures: [worstFigure(cases)],
    ...(untrained && { remarks: ["the standard model is near chance: there are no verdicts"] }),
  };
}

function judgedBy(
  cases: readonly MeasuredCase[],
  standard: MeasuredCase | undefined,
  rule: Selection,
  margin: number,
): (JudgedComparison | undefined)[] {
  return judgeCases(
    cases.map((each) =>
      standard === undefined || each === standard
        ? undefined
        : { method: { case: each, rule }, baseline: { case: standard, rule } },
    ),
    margin,
  );
}

function tableOf(
  { name, how, rule }: { name: string; how: string; rule: Selection },
  cases: readonly MeasuredCase[],
  judged: readonly (JudgedComparison | undefined)[],
): Table {
  return {
    name,
    caption: `Waterbirds, ${how}: accuracies and gaps in per cent`,
    columns: [
      { title: "Method" },
      { title: "Source" },
      { title: "Labels in selection" },
      { title: "Average group", better: "higher" },
      { title: "Worst group", better: "higher" },
      { title: "gap", group: cue },
      { title: "less baseline", group: cue },
      { title: "verdict", group: cue },
    ],
    rows: cases.flatMap((each, i): Row[] => [
      { source: "ours", cells: [each.method, "ours", labelsOf(rule), ...ourCells(each, judged[i], rule)] },
      { source: "published", cells: [each.method, "published", null, ...paperCells(each)] },
    ]),
  };
}

function measuredBy({ runs }: MeasuredCase, rule: Selection): Measures[] {
  return rule === paperRule ? [...runs] : runs.flatMap(({ also }) => also.slice(0, 1));
}

function ourCells(each: MeasuredCase, judged: JudgedComparison | undefined, rule: Selection): Cell[] {
  const measures = measuredBy(each, rule);
  if (measures.length === 0) return [each.failures[0] ?? null, null, null, null, null];
  const own = judged?.cues[0];
  return [
    seedsCell(measures.map(({ unbiased }) => unbiased)),
    seedsCell(measures.map(worstGroupOf)),
    seedsCell(measures.map(({ gaps }) => gaps && gapOf(gaps, [cue]))),
    changeCell(own),
    own?.verdict ?? null,
  ];
}

function paperCells(each: MeasuredCase): Cell[] {
  const { average, worst } = publishedOf(each);
  return [printed(average), printed(worst), null, null, null];
}

function publishedOf({ method }: MeasuredCase): (typeof table20)[number] {
  const { published } = rows.find(({ label }) => label === method)!;
  return table20.find((row) => row.method === published)!;
}

function worstFigure(cases: readonly MeasuredCase[]) {
  return dotsFigure(
    { name: "worst-groups", caption: "Worst group: of each of our seeds, and as published (hollow)" },
    {
      value: { title: "accuracy of the worst group" },
      points: cases.flatMap((each) => [
        ...each.runs.flatMap((run) => {
          const value = worstGroupOf(run);
          return value === null ? [] : [{ row: each.method, series: "worst group", value }];
        }),
        { row: each.method, series: "worst group", value: publishedOf(each).worst / 100, published: true },
      ]),
    },
  );
}
