/** Tables 6, 7 and 10 and both halves of Figure 7, ours beside the published numbers. */

import { type Cell, type Figure, type Row, type Section, seedsCell, type Table } from "../../core/section.ts";
import {
  type CategoryRow,
  categoriesOf,
  type PlacedCells,
  placedCells,
  table6,
  table7,
  table10,
} from "../../published/corner-cases.ts";
import { budgetTable } from "../budget-table.ts";
import { labelsSpelled } from "../compared-methods.ts";
import { equalSecondsSection } from "../equal-seconds.ts";
import { dotsFigure, linesFigure } from "../figures.ts";
import { all, categories, meanOf } from "../hard-spurious-pretrained/cells.ts";
import type { Measured } from "../jobs/kinds.ts";
import type { MeasuredCase } from "../jobs/runs-job.ts";
import { isTrained, riseCell, untrained } from "../plateau.ts";
import { networksOf } from "../pretrained/networks.ts";
import { casesOf, estimateOf, printed } from "../summaries.ts";
import { type CategoryName, categoryNames, categoryOf, cellOf, meanOfSeeds } from "./categories.ts";
import { baseline, rowNames } from "./plan.ts";
import type { TrainedPreset } from "./presets.ts";

const asked = [...categoryNames, "all"] as const;

/** Table 6 by categories: the row of Table 7 that is not printed there. */
const ermAll: CategoryRow = (() => {
  const { easy, medium, hard } = categoriesOf(table6);
  return { method: rowNames.all, easy, medium, hard, average: (easy + medium + hard) / 3 };
})();

const published = [
  { table: "Table 7, ResNet-50", rows: table7 },
  { table: "Table 6, ResNet-50", rows: [ermAll] },
  { table: "Table 10, ConvNeXt-tiny", rows: table10 },
];

/** The paper has one JTT. */
const publishedName = (method: string) => method.replace(/ \(E=\d+\)$/, "");

/** The methods behind the rows' names. */
const named = [
  { label: baseline, method: "erm" },
  { label: rowNames.dfr, method: "dfr" },
  { label: "JTT", method: "jtt" },
];

export function trainedSections(measured: readonly Measured[], preset: TrainedPreset): Section[] {
  const methods = casesOf(measured, "methods");
  const ages = casesOf(measured, "ages");
  if (!methods.some(({ runs }) => runs.length > 0)) return [];
  return [
    {
      name: "methods",
      heading: "What is trained on, and by which method (Tables 6, 7 and 10, Figure 7, right)",
      text:
        "Easy: original backgrounds, objects of the two larger sizes. Hard: another class's background, the two smaller sizes. Medium: the rest. " +
        `${labelsSpelled(named)}. ` +
        `ERM is trained on mostly easy groups, ${rowNames.easy} on them alone, ${rowNames.all} on all twelve alike. ` +
        (preset.photographs
          ? "The paper's rows are of ImageNet's thousand classes, like ours."
          : "The paper's rows are of a thousand classes of photographs and of networks that begin with ImageNet's weights; ours begin from scratch, so that there is no row for the network before: compare signs and order."),
      tables: [meansTable(measured, methods), cellsTable(methods)],
      figures: [categoriesFigure(methods)],
      remarks: methods
        .filter((each) => each.runs.length > 0 && !isTrained(each))
        .map(({ method }) => `${method} has not come to rest: it is in no comparison`),
    },
    ...(ages.some(({ runs }) => runs.length > 0) ? [agesSection(methods, ages, preset)] : []),
    {
      name: "budget",
      heading: "What each method had and cost",
      text: "DFR goes on from what ERM has left: of its cost the shared training is a part of ERM's.",
      tables: [budgetTable("budget", methods), riseTable(methods)],
    },
    ...equalSecondsSection(
      methods.filter(({ method }) => method !== rowNames.dfr),
      { baseline, cues: [] },
    ),
  ];
}

function meansTable(measured: readonly Measured[], methods: readonly MeasuredCase[]): Table {
  const before = networksOf(measured, "pretrained").flatMap(({ answers }) => answers);
  const pretrained = before.map(
    (answer): Row => ({
      source: "ours",
      cells: [
        rowNames.pretrained,
        "ours",
        ...asked.map((name) => {
          const value = meanOf(answer, name === "all" ? all : categories[name])?.value;
          return value === undefined ? null : seedsCell([value], answer.images);
        }),
      ],
    }),
  );
  const ours = methods.map(
    (each): Row => ({
      source: "ours",
      cells: [each.method, "ours", ...asked.map((name) => categoryCell(each, name))],
    }),
  );
  const theirs = (names: (method: string) => boolean) =>
    published.flatMap(({ table, rows }) =>
      rows
        .filter(({ method }) => names(method))
        .map(
          ({ method, easy, medium, hard, average }): Row => ({
            source: "published",
            cells: [method, table, ...[easy, medium, hard, average].map(printed)],
          }),
        ),
    );
  const known = [...new Set(methods.map(({ method }) => publishedName(method)))];
  return {
    name: "means",
    caption: "Accuracy in per cent, each the mean of a category's four groups, and of all twelve",
    columns: [
      { title: "Method" },
      { title: "Source" },
      ...asked.map((title) => ({ title, better: "higher" as const })),
    ],
    rows: [
      ...pretrained,
      ...theirs((method) => method === rowNames.pretrained),
      ...known.flatMap((name) => [
        ...ours.filter((_, i) => publishedName(methods[i]!.method) === name),
        ...theirs((method) => method === name),
      ]),
    ],
  };
}

function categoryCell(each: MeasuredCase, name: CategoryName | "all"): Cell {
  const { runs, failures } = each;
  if (runs.length === 0) return name === "easy" ? (failures[0] ?? null) : null;
  const cell = seedsCell(runs.map((run) => categoryOf(run, name)));
  return typeof cell === "object" && cell !== null && "mean" in cell && !isTrained(each)
    ? { ...cell, remark: untrained }
    : cell;
}

function cellsTable(methods: readonly MeasuredCase[]): Table {
  const sizes = ["56 of 224", "84 of 224", "112 of 224"];
  const rows = methods
    .filter(({ runs }) => runs.length > 0)
    .flatMap((each) =>
      sizes.map(
        (size, rank): Row => ({
          source: "ours",
          cells: [
            each.method,
            "ours",
            size,
            ...placedCells.map((cell) => seedsCell(each.runs.map((run) => cellOf(run, cell, rank)))),
          ],
        }),
      ),
    );
  const theirs = (cells: PlacedCells) =>
    sizes.map(
      (size, rank): Row => ({
        source: "published",
        cells: [rowNames.all, "Table 6", size, ...placedCells.map((cell) => printed(cells[cell][rank]))],
      }),
    );
  return {
    name: "cells",
    caption:
      "Accuracy of each of the twelve groups in per cent. Ce: centre, Co: corner; O: original background, R: random one of another class",
    columns: [
      { title: "Method" },
      { title: "Source" },
      { title: "Object" },
      ...placedCells.map((title) => ({ title })),
    ],
    rows: [...rows, ...theirs(table6)],
  };
}

function categoriesFigure(methods: readonly MeasuredCase[]): Figure {
  const points = methods.flatMap((each) => [
    ...each.runs.flatMap((run) =>
      categoryNames.flatMap((name) => {
        const value = categoryOf(run, name);
        return value === null ? [] : [{ row: each.method, series: name, value }];
      }),
    ),
    ...published
      .slice(0, 2)
      .flatMap(({ rows }) => rows.filter(({ method }) => method === publishedName(each.method)))
      .flatMap((row) =>
        categoryNames.map((name) => ({
          row: each.method,
          series: name,
          value: row[name] / 100,
          published: true,
        })),
      ),
  ]);
  return dotsFigure(
    {
      name: "categories",
      caption: "Easy, medium and hard groups: each of our seeds, and as published of ResNet-50 (hollow)",
    },
    { value: { title: "accuracy", domain: [0, 1] }, points },
  );
}

function agesSection(
  methods: readonly MeasuredCase[],
  young: readonly MeasuredCase[],
  { epochs }: TrainedPreset,
): Section {
  const whole = methods
    .filter(({ method }) => method === baseline || method === rowNames.dfr)
    .map((each) => ({ ...each, at: { epochs } }));
  const cases = [...young, ...whole].filter(({ runs }) => runs.length > 0);
  const points = cases.flatMap((each) => {
    const values = each.runs.flatMap((run) => categoryOf(run, "all") ?? []);
    if (values.length === 0) return [];
    const { value, margin, over } = estimateOf(values, 0);
    const interval = over === "seeds" ? { low: value - margin, high: value + margin } : {};
    return [{ x: each.at!.epochs!, y: value, series: each.method, ...interval }];
  });
  const at = [...new Set(cases.map((each) => each.at!.epochs!))].sort((a, b) => a - b);
  return {
    name: "ages",
    heading: "How long is the network trained before its last layer is fitted anew? (Figure 7, left)",
    text:
      "One standard model a seed, seen after some of its epochs and at its end; its last layer is fitted anew on each of them. " +
      "The paper draws this without printing numbers: its refitted layer is best on the youngest network and falls, while the standard model rises.",
    tables: [
      {
        name: "ages",
        caption:
          "Mean of all twelve groups, and of the hard ones, in per cent, by epochs of the standard model",
        columns: [
          { title: "Epochs" },
          ...[baseline, rowNames.dfr].flatMap((method) =>
            (["all", "hard"] as const).map((title) => ({ title, group: method })),
          ),
        ],
        rows: at.map((age) => ({
          cells: [
            String(age),
            ...[baseline, rowNames.dfr].flatMap((method) => {
              const found = cases.find((each) => each.method === method && each.at?.epochs === age);
              return (["all", "hard"] as const).map((name) =>
                found === undefined ? null : seedsCell(found.runs.map((run) => categoryOf(run, name))),
              );
            }),
          ],
        })),
      },
    ],
    figures: [
      linesFigure(
        {
          name: "ages",
          caption:
            "Mean of all groups by epochs of the standard model, with Student's 95% intervals over seeds",
        },
        {
          x: { title: "epochs of the standard model", values: at },
          y: { title: "mean of all groups" },
          points,
        },
      ),
    ],
  };
}

function riseTable(methods: readonly MeasuredCase[]): Table {
  return {
    name: "rest",
    caption: "How validation accuracy still rises: points from the fourth fifth of the epochs to the last",
    columns: [{ title: "Method" }, { title: "rise" }, { title: "mean of all groups" }],
    rows: methods
      .filter(({ runs }) => runs.length > 0)
      .map((each) => ({
        cells: [each.method, riseCell([each]), printed(100 * (meanOfSeeds(each.runs, "all") ?? Number.NaN))],
      })),
  };
}
