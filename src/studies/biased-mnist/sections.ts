/** Tables and figures about methods and explicit variables, ours beside the published ones. */

import type { LineChartOptions } from "../../charts/line-chart.ts";
import type { Cell, Figure, Row, Section, Table } from "../../core/section.ts";
import { seedsCell } from "../../core/section.ts";
import { mean, notWorseThanBest } from "../../core/statistics/index.ts";
import { type PublishedRow, table1, tableA4, tableA5 } from "../../published/shrestha-2022.ts";
import { budgetTable } from "../budget-table.ts";
import { allForms, baseline, irmByCues, methodsSpelled, publishedLabel } from "../compared-methods.ts";
import { equalSecondsSection } from "../equal-seconds.ts";
import { boxesFigure, linesFigure } from "../figures.ts";
import type { MeasuredCase } from "../jobs/runs-job.ts";
import { isTrained, riseCell, trainedCell, untrained } from "../plateau.ts";
import { accuracyPoint, mmdsOf, printed, seedMeans } from "../summaries.ts";
import { publishedOf } from "./gaps.ts";
import { growingOrder, unbiasedWords, variables, variableTitle } from "./variables.ts";

/** Table 1's column, and Table A4 behind it. */
export function methodsSection(cases: readonly MeasuredCase[]): Section {
  return {
    name: "methods",
    heading: "Which method wins? (Table 1, Table A4)",
    text:
      `${methodsSpelled()}; ${irmByCues.label}: the same with environments that are the told variable's values, whatever the class.\n\n` +
      `Unbiased accuracy is, ${unbiasedWords}; accuracies of majority and minority are means over images, so that unbiased ` +
      "accuracy need not lie between them. Explicit methods are told one variable at a time, and the mean over those variables is " +
      "given; the published mean is taken over the same variables, and stands beside the one that Table 1 prints, over all seven.",
    tables: [
      table1Of(cases),
      budgetTable("budget", cases, (variable) => variableTitle(variable).toLowerCase()),
      variableTable("table-a4", "One explicit variable at a time", cases, tableA4),
    ],
    figures: [],
  };
}

/** Of the variables, those that a method is told. */
export function methodsCost(cases: readonly MeasuredCase[]): Section[] {
  const cues = variables.filter((variable) => cases.some(({ explicit }) => explicit.includes(variable)));
  return equalSecondsSection(cases, {
    baseline,
    cues,
    titleOf: (variable) => variableTitle(variable).toLowerCase(),
  });
}

function table1Of(cases: readonly MeasuredCase[]): Table {
  const all = allForms
    .map(({ label }) => ({ label, own: cases.filter(({ method }) => method === label) }))
    .map(({ label, own }) => ({ label, own, finished: own.filter(({ runs }) => runs.length > 0) }))
    .filter(({ own, finished }) => finished.length > 0 || own.some(({ failures }) => failures.length > 0));
  const isRanked = (finished: readonly MeasuredCase[]) => finished.length > 0 && finished.every(isTrained);
  const tests = notWorseThanBest(
    all.map(({ finished }) => (isRanked(finished) ? seedMeans(finished) : [])),
    "higher",
  );
  const rows = all.map(({ label, own, finished }, i): Row => {
    // Where no run came to an end, the row says why.
    const shown = finished.length > 0 ? finished : own;
    const published = shown.flatMap((each) => publishedOf(tableA4, each)?.unbiased ?? []);
    const values = seedMeans(finished).map(({ value }) => value);
    const cell = seedsCell(values, finished[0]?.runs[0]?.count);
    const { notWorse } = tests.rows[i]!;
    return {
      source: "ours",
      cells: [
        label,
        shown.flatMap(({ explicit }) => explicit.map(variableTitle)).join(", ") || "nothing",
        finished.length === 0
          ? own.flatMap(({ failures }) => failures)[0]!
          : cell && { ...cell, ...(isRanked(finished) ? { notWorse } : { remark: untrained }) },
        finished.length > 0 ? riseCell(finished) : null,
        printed(published.length > 0 ? mean(published) : undefined),
        printed(table1[publishedLabel(label)]?.biasedMnist),
      ],
    };
  });
  return {
    name: "table-1",
    caption:
      "Unbiased accuracy on Biased MNIST, in per cent. Bold: not worse than the best trained method by paired t over seeds, adjusted by Holm",
    columns: [
      { title: "Method" },
      { title: "Told, one at a time" },
      { title: "Ours" },
      { title: "Rise on validation over the last fifth, points" },
      { title: "Published, same variables" },
      { title: "Published, Table 1" },
    ],
    rows,
  };
}

/** Tables A4 and A5: unbiased accuracy, then majority and minority for each variable. */
function variableTable(
  name: string,
  caption: string,
  cases: readonly MeasuredCase[],
  published: readonly PublishedRow[],
): Table {
  return {
    name,
    caption: `${caption}: unbiased accuracy, and accuracy on majority and minority images of each variable, in per cent`,
    columns: [
      { title: "Method" },
      { title: "Told" },
      { title: "Source" },
      { title: "Unbiased", better: "higher" },
      ...variables.flatMap((variable) => [
        { title: `${variableTitle(variable)} maj.` },
        { title: `${variableTitle(variable)} min.` },
      ]),
    ],
    rows: cases.filter(hasEnded).flatMap((each): Row[] => {
      const told = toldOf(each);
      const paper = publishedOf(published, each);
      const halves = (variable: string): Cell[] => [
        seedsCell(each.runs.map(({ cues }) => cues[variable]?.majority)),
        seedsCell(each.runs.map(({ cues }) => cues[variable]?.minority)),
      ];
      const ours = [each.method, told, "ours", trainedCell(each), ...variables.flatMap(halves)];
      if (!paper) return [{ source: "ours", cells: ours }];
      return [
        { source: "ours", cells: ours },
        {
          source: "published",
          cells: [
            each.method,
            told,
            "published",
            printed(paper.unbiased),
            ...variables.flatMap((variable) => [
              printed(paper.cues[variable]?.majority),
              printed(paper.cues[variable]?.minority),
            ]),
          ],
        },
      ];
    }),
  };
}

/** Both figures give a method the same colour. */
function inOrder<Row extends { method: string }>(rows: readonly Row[]): Row[] {
  return allForms.flatMap(({ label }) => rows.filter(({ method }) => method === label));
}

function hasEnded({ runs, failures }: MeasuredCase): boolean {
  return runs.length > 0 || failures.length > 0;
}

/** Several are the first of the order that Table A5 grows in. */
function toldOf({ explicit }: MeasuredCase): string {
  if (explicit.length === 0) return "nothing";
  const last = variableTitle(explicit.at(-1)!);
  return explicit.length === 1 ? last : `${explicit.length}, up to ${last.toLowerCase()}`;
}

/** Fig. 3: what is exploited, by variable and by method. */
export function exploitationSection(cases: readonly MeasuredCase[]): Section {
  const paper = cases
    .filter(({ method }) => publishedLabel(method) === method)
    .flatMap((each) => publishedOf(tableA4, each) ?? []);
  const paperMmd = ({ cues }: PublishedRow, variable: string) =>
    (cues[variable]!.majority - cues[variable]!.minority) / 100;
  const implicitIn = (variable: string, explicit: readonly string[]) => !explicit.includes(variable);
  const byVariable = variables.flatMap((variable) => [
    ...cases
      .filter(({ explicit }) => implicitIn(variable, explicit))
      .flatMap(({ runs }) => mmdsOf(runs, variable))
      .map((value) => ({ category: variableTitle(variable), kind: "ours", value })),
    ...paper
      .filter(({ explicit }) => implicitIn(variable, explicit))
      .map((row) => ({
        category: variableTitle(variable),
        kind: "published",
        value: paperMmd(row, variable),
      })),
  ]);
  const byMethod = <Row extends Pick<MeasuredCase, "method" | "explicit">>(
    rows: readonly Row[],
    valuesOf: (row: Row, variable: string) => number[],
  ) =>
    allForms.flatMap(({ label }) =>
      rows
        .filter(({ method }) => method === label)
        .flatMap((row) =>
          variables.flatMap((variable) =>
            valuesOf(row, variable).map((value) => ({
              category: label,
              kind: implicitIn(variable, row.explicit)
                ? "variables it is not told"
                : "the variable it is told",
              value,
            })),
          ),
        ),
    );
  const box = (name: string, caption: string, values: typeof byVariable) =>
    boxesFigure({ name, caption }, { value: { title: "majority minus minority accuracy" }, values });
  return {
    name: "exploitation",
    heading: "Which shortcuts are taken? (Fig. 3)",
    text:
      "For each variable, accuracy on test images that have their class's own value (the majority of training) minus " +
      "accuracy on the others: zero for a model that does not look at it.",
    tables: [],
    figures: [
      box("fig-3a", "Each variable, over the methods that were not told it", byVariable),
      box(
        "fig-3b",
        "Each method in our runs, over the variables that it is told and those that it is not",
        byMethod(cases, ({ runs }, variable) => mmdsOf(runs, variable)),
      ),
      box(
        "fig-3b-published",
        "Each method, from the published means of Table A4 for the same variables",
        byMethod(paper, (row, variable) => [paperMmd(row, variable)]),
      ),
    ],
  };
}

/** Fig. 5 and Table A5. */
export function growingSection(methods: readonly MeasuredCase[], growing: readonly MeasuredCase[]): Section {
  const counts = [...new Set(growing.map(({ explicit }) => explicit.length))].sort((a, b) => a - b);
  const implicit = methods.filter(({ explicit }) => explicit.length === 0);
  const papers = tableA5.filter(({ explicit }) => explicit.length === 0 || counts.includes(explicit.length));
  // Methods that are told nothing are the same whatever the others are told.
  const across = (length: number) => (length > 0 ? [length] : counts);
  const x = { title: "number of explicit variables", values: counts };
  const y = { title: "unbiased accuracy" };
  const lines = (name: string, caption: string, points: LineChartOptions["points"]): Figure =>
    linesFigure({ name, caption }, { x, y, points });
  return {
    name: "growing",
    heading: "Do explicit methods scale? (Fig. 5, Table A5)",
    text:
      "Methods are told more and more of the variables, in the order of Table A5: " +
      `${growingOrder.map((variable) => variableTitle(variable).toLowerCase()).join(", ")}. ` +
      `Unbiased accuracy is, ${unbiasedWords}. Methods that are told nothing are drawn as level lines.`,
    tables: [variableTable("table-a5", "A growing number of explicit variables", growing, tableA5)],
    figures: [
      lines(
        "fig-5",
        "Unbiased accuracy of our runs as methods are told more variables",
        inOrder([...growing, ...implicit])
          .filter(({ runs }) => runs.length > 0)
          .flatMap(({ method, explicit, runs }) => {
            const point = accuracyPoint(runs);
            return across(explicit.length).map((x) => ({ series: method, x, ...point }));
          }),
      ),
      lines(
        "fig-5-published",
        "The same as published, in Table A5",
        inOrder(papers).flatMap(({ method, explicit, unbiased }) =>
          across(explicit.length).map((x) => ({ series: method, x, y: unbiased / 100 })),
        ),
      ),
    ],
  };
}
