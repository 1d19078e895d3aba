/** Tables and figures of the study of CelebA, ours beside the published ones. */

import type { Figure, Row, Section } from "../../core/section.ts";
import { seedsCell } from "../../core/section.ts";
import { mean } from "../../core/statistics/index.ts";
import { type CelebAGroups, tableA3 } from "../../published/shrestha-2022.ts";
import { baseline } from "../compared-methods.ts";
import { dotsFigure } from "../figures.ts";
import type { MeasuredCase, MeasuredGroup, MeasuredRun } from "../jobs/runs-job.ts";
import { accuracyCell, printed } from "../summaries.ts";
import { tuningFigure, tuningTable } from "../tuning.ts";
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
      "Accuracy of each group of hair and gender on the test images, and their mean, which is Table 1's number. Blond " +
      "men are fewer than one in a hundred training images.",
    tables: [
      {
        name: "table-a3",
        caption: "Accuracy of each group of CelebA, in per cent",
        columns: [
          { title: "Method" },
          { title: "Source" },
          ...groups.map(({ title }) => ({ title, better: "higher" as const })),
          { title: "Unbiased", better: "higher" },
        ],
        rows: cases.flatMap(tableRows),
      },
    ],
    figures: [improvementFigure(cases)],
  };
}

function tableRows(each: MeasuredCase): Row[] {
  const { method, runs } = each;
  const paper = tableA3[method]!;
  return [
    {
      source: "ours",
      cells: [
        method,
        "ours",
        ...groups.map((group) => seedsCell(runs.map((run) => hairGroupAccuracy(run, group)))),
        accuracyCell(each),
      ],
    },
    {
      source: "published",
      cells: [
        method,
        "published",
        ...groups.map((group) => printed(group.published(paper))),
        printed(paper.unbiased),
      ],
    },
  ];
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
        const paper = (group.published(tableA3[each.method]!) - group.published(tableA3[baseline]!)) / 100;
        return [
          ...(own === undefined || before === undefined
            ? []
            : [{ row: group.title, series: each.method, value: own.value - before.value }]),
          { row: group.title, series: each.method, value: paper, published: true },
        ];
      }),
    ),
  });
}

function meanOrNull(values: readonly number[]): number | null {
  return values.length > 0 ? mean(values) : null;
}

/** Fig. 6. */
export function tuningSection(cases: readonly MeasuredCase[]): Section {
  const methods = [...new Set(cases.map(({ method }) => method))];
  const [rarest, ...rest] = [groups[1]!, groups[0]!, groups[2]!, groups[3]!];
  return {
    name: "tuning",
    heading: "How much hangs on tuning? (Fig. 6)",
    text:
      "Every pair of learning rate and weight decay is one run; one is chosen for each method by validation accuracy in " +
      "which groups are weighted by their training shares to the power α.",
    tables: [tuningTable(cases, methods)],
    figures: [
      tuningFigure(cases, methods, {
        caption: "Test accuracy on blond men (minority), and mean of the other groups (majority)",
        halves: {
          majority: (run) => meanOrNull(rest.flatMap((group) => hairGroupAccuracy(run, group) ?? [])),
          minority: (run) => hairGroupAccuracy(run, rarest),
        },
      }),
    ],
  };
}
