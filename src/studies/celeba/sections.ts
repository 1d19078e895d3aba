/** Tables and figures of the study of CelebA, ours beside the published ones. */

import type { Cell, Figure, Row, Section } from "../../core/section.ts";
import { seedsCell } from "../../core/section.ts";
import { mean } from "../../core/statistics/index.ts";
import { type CelebAGroups, tableA3 } from "../../published/shrestha-2022.ts";
import { budgetTable } from "../budget-table.ts";
import { baseline } from "../compared-methods.ts";
import { dotsFigure } from "../figures.ts";
import type { MeasuredCase, MeasuredGroup, MeasuredRun } from "../jobs/runs-job.ts";
import { isTrained, riseCell, trainedCell, untrained } from "../plateau.ts";
import { printed } from "../summaries.ts";
import { chosenTable, tuningFigure, tuningTable } from "../tuning.ts";
import { cue } from "./plan.ts";

/** The four groups, in the order of Table A3. */
interface HairGroup {
  title: string;
  male: boolean;
  blond: boolean;
  published: (groups: CelebAGroups) => number;
}

export const groups: readonly HairGroup[] = [
  { title: "Male, not blond", male: true, blond: false, published: ({ male }) => male.other },
  { title: "Male, blond", male: true, blond: true, published: ({ male }) => male.blond },
  { title: "Not male, not blond", male: false, blond: false, published: ({ female }) => female.other },
  { title: "Not male, blond", male: false, blond: true, published: ({ female }) => female.blond },
];

function groupOf(run: MeasuredRun, { male, blond }: HairGroup): MeasuredGroup | undefined {
  return run.groups.find(
    ({ class: label, values }) =>
      (values[cue] === "yes") === male && (label?.startsWith("not ") === false) === blond,
  );
}

/** Null where the test images have none of the group. */
export function hairGroupAccuracy(run: MeasuredRun, group: HairGroup): number | null {
  return groupOf(run, group)?.accuracy ?? null;
}

/** Of blond men. */
export function minorityAccuracy(run: MeasuredRun): number | null {
  return hairGroupAccuracy(run, groups[1]!);
}

/** Mean of the other groups; null where one has no test image. */
export function majorityAccuracy(run: MeasuredRun): number | null {
  const rest = groups.filter((_, i) => i !== 1);
  const values = rest.flatMap((group) => hairGroupAccuracy(run, group) ?? []);
  return values.length === rest.length ? mean(values) : null;
}

/** Over seeds, with the number of test images of all of them. */
export function meanAccuracy(
  { runs }: MeasuredCase,
  group: HairGroup,
): { value: number; images: number } | undefined {
  const values = runs.flatMap((run) => hairGroupAccuracy(run, group) ?? []);
  if (values.length === 0) return undefined;
  return {
    value: mean(values),
    images: runs.reduce((sum, run) => sum + (groupOf(run, group)?.count ?? 0), 0),
  };
}

/** Table A3, with Table 1's column as its last, and Fig. 4. */
export function groupsSection(cases: readonly MeasuredCase[]): Section {
  return {
    name: "groups",
    heading: "Who gains, and at whose cost? (Table 1, Table A3, Fig. 4)",
    text:
      "Accuracy of each group of hair and gender on the test images. Unbiased accuracy is the mean of the four, which is Table " +
      "1's number: each group counts the same, however few its images. Blond men are fewer than one in a hundred training " +
      "images. Beside the last epoch stands the mean over the last fifth of the epochs, which is what the authors averaged in " +
      "practice. Verdicts are about the last epoch.",
    tables: [
      {
        name: "table-a3",
        caption: "Accuracy of each group of CelebA, in per cent",
        columns: [
          { title: "Method" },
          { title: "Source" },
          ...groups.map(({ title }) => ({ title, better: "higher" as const })),
          { title: "Unbiased", better: "higher" },
          { title: "Rise on validation over the last fifth, points" },
        ],
        rows: cases.flatMap(tableRows),
      },
      budgetTable("budget", cases),
    ],
    figures: [improvementFigure(cases)],
  };
}

function tableRows(each: MeasuredCase): Row[] {
  const { method, runs } = each;
  const paper = tableA3[method];
  const lately = runs.map((run): MeasuredRun => ({ ...run, groups: run.lately }));
  return [
    {
      source: "ours",
      cells: [
        method,
        "ours, last epoch",
        ...groups.map((group) => groupCell(each, runs, group)),
        trainedCell(each),
        runs.length > 0 ? riseCell([each]) : null,
      ],
    },
    ...(runs.length > 0 && lately.every((run) => run.groups.length > 0)
      ? [
          {
            // Not "ours": the same runs once more are no competitor.
            source: "published" as const,
            cells: [
              method,
              "ours, mean of the last epochs",
              ...groups.map((group) => groupCell(each, lately, group)),
              seedsCell(
                lately.map((run) => meanOfGroups(run)),
                runs[0]!.count,
              ),
              null,
            ],
          },
        ]
      : []),
    ...(paper
      ? [
          {
            source: "published" as const,
            cells: [
              method,
              "published",
              ...groups.map((group) => printed(group.published(paper))),
              printed(paper.unbiased),
              null,
            ],
          },
        ]
      : []),
  ];
}

function groupCell(each: MeasuredCase, runs: readonly MeasuredRun[], group: HairGroup): Cell {
  const images = runs[0] && groupOf(runs[0], group)?.count;
  const cell = seedsCell(
    runs.map((run) => hairGroupAccuracy(run, group)),
    images === 0 ? undefined : images,
  );
  return cell && (isTrained(each) ? cell : { ...cell, remark: untrained });
}

function meanOfGroups(run: MeasuredRun): number | null {
  const values = groups.flatMap((group) => hairGroupAccuracy(run, group) ?? []);
  return values.length === groups.length ? mean(values) : null;
}

/** Improvement over the standard model. */
function improvementFigure(cases: readonly MeasuredCase[]): Figure {
  const standard = cases.find(({ method }) => method === baseline);
  const others = cases.filter(({ method }) => method !== baseline);
  const named = {
    name: "fig-4",
    caption: `Improvement over ${baseline} of each group; hollow: published`,
  };
  return dotsFigure(named, {
    value: { title: "difference in accuracy" },
    reference: { value: 0, label: baseline },
    points: groups.flatMap((group) =>
      others.flatMap((each) => {
        const [own, before] = [meanAccuracy(each, group), standard && meanAccuracy(standard, group)];
        const row = tableA3[each.method];
        const paper = row && (group.published(row) - group.published(tableA3[baseline]!)) / 100;
        return [
          ...(own === undefined || before === undefined
            ? []
            : [{ row: group.title, series: each.method, value: own.value - before.value }]),
          ...(paper === undefined
            ? []
            : [{ row: group.title, series: each.method, value: paper, published: true }]),
        ];
      }),
    ),
  });
}

/** Fig. 6. */
export function tuningSection(cases: readonly MeasuredCase[]): Section {
  const methods = [...new Set(cases.map(({ method }) => method))];
  return {
    name: "tuning",
    heading: "How much hangs on tuning? (Fig. 6)",
    text:
      "Every pair of learning rate and weight decay is a run of each seed; one is chosen for each method by validation accuracy in " +
      "which groups are weighted by their training shares to the power α.",
    tables: [tuningTable(cases, methods)],
    figures: [
      tuningFigure(cases, methods, {
        caption: "Test accuracy on blond men (minority), and mean of the other groups (majority)",
        halves: { majority: majorityAccuracy, minority: minorityAccuracy },
      }),
    ],
  };
}

/** Table A6, found again. */
export function searchSection(cases: readonly MeasuredCase[]): Section {
  return {
    name: "search",
    heading: "Which hyperparameters are best? (Table A6)",
    text:
      "The paper's search in two stages by unbiased validation accuracy: the mean over the four groups of the validation images, " +
      "on a seed that is reported nowhere else.",
    tables: [chosenTable(cases)],
  };
}
