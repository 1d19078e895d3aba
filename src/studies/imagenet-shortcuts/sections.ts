/** Tables 4, 7, 10 and 17 as one table, ours beside the published rows, and how rates and rest came out. */

import { type Figure, type Row, type Section, seedsCell, type Table } from "../../core/section.ts";
import { table4, table7, table10, table17 } from "../../published/li-2023.ts";
import { labelsSpelled } from "../compared-methods.ts";
import { dotsFigure } from "../figures.ts";
import { type Measured, measuredAs } from "../jobs/kinds.ts";
import type { FittedLayer } from "../jobs/layers-job.ts";
import { isTrained, riseCell, untrained } from "../plateau.ts";
import { type NetworkRow, networksOf, remarked } from "../pretrained/networks.ts";
import { trainingSections } from "../pretrained/training-section.ts";
import { printed } from "../summaries.ts";
import { type AnswerGaps, type GapName, gapNames, gapsOf } from "./gaps.ts";
import { parts } from "./plan.ts";
import type { ShortcutsPreset } from "./presets.ts";
import { ablations, baseline, ensemble, targeted, withEdges } from "./rows.ts";

/** Under which names the paper has our rows, table by table. */
const published = [
  { table: "Table 4", rows: table4, names: Object.fromEntries(table4.map(({ method }) => [method, method])) },
  {
    table: "Table 7",
    rows: table7,
    names: {
      "w/o ensemble": ablations.single,
      AugMix: ablations.consistency,
      "w/o dist. cls.": ablations.alike,
    } as Readonly<Record<string, string>>,
  },
  { table: "Table 10", rows: table10, names: { LfMF: "LfMF" } as Readonly<Record<string, string>> },
  {
    table: "Table 17",
    rows: table17.filter(({ network }) => network === "ResNet-50"),
    names: { "LLE + Edge Aug": withEdges } as Readonly<Record<string, string>>,
  },
];

interface GapColumn {
  title: string;
  /** Its column in the paper's tables. */
  published?: "imageNet" | "watermark" | "carton" | "stylized" | "background";
}

const columns: Readonly<Record<GapName, GapColumn>> = {
  plain: { title: "accuracy", published: "imageNet" },
  watermark: { title: "watermark gap", published: "watermark" },
  class: { title: "class gap", published: "carton" },
  texture: { title: "texture gap", published: "stylized" },
  grain: { title: "texture gap less control" },
  background: { title: "background gap", published: "background" },
};

export function shortcutSections(measured: readonly Measured[], preset: ShortcutsPreset): Section[] {
  const rows = networksOf(measured, parts.shortcuts);
  if (rows.length === 0) return [];
  const gaps = gapsOf(measured, preset);
  const before = networksOf(measured, parts.before);
  const layers = measuredAs(measured, "layers").flatMap((each) => each.layers);
  return [
    {
      name: "gaps",
      heading: "Last layers, and what they lean on (Tables 4, 7, 10 and 17)",
      text:
        "Every row is the same network with another last layer. Gaps are with the shortcut changed less as it was: reliance makes them negative, but for " +
        "the class that the mark goes with, where it is positive. " +
        (preset.own
          ? "The paper's rows are of a ResNet-50 on ImageNet, its stylised and ImageNet-9 images: compare signs and order."
          : "The paper's rows are of its ResNet-50.") +
        ` ${namesSpelled}`,
      tables: [gapsTable([...before, ...rows], gaps)],
      figures: [gapsFigure(rows, gaps)],
      remarks: rows.flatMap(({ open }) => (open === undefined ? [] : [`${open}: it is in no comparison`])),
    },
    {
      name: "layers",
      heading: "Which rates were taken, and whether layers had come to rest",
      tables: [layersTable(layers)],
    },
    ...trainingSections(measured),
  ];
}

/** The paper's short names of methods, and of views against one shortcut each. */
const namesSpelled = `${labelsSpelled([
  { label: baseline, method: "erm" },
  { label: "SD", method: "spectral-decoupling" },
  { label: "LfF", method: "lff" },
  { label: "LfMF", method: "lfmf" },
  { label: "JTT", method: "jtt" },
  { label: "EIIL", method: "eiil" },
  { label: "DebiAN", method: "debian" },
  { label: ensemble, method: "last-layer-ensemble" },
])}; ${targeted.watermark}, ${targeted.texture} and ${targeted.background}: images with another watermark, texture or background are trained on beside the image.`;

function gapsTable(rows: readonly NetworkRow[], gaps: AnswerGaps): Table {
  return {
    name: "gaps",
    caption: "Accuracy in per cent, gaps in points; ± is half of Student's 95% interval over seeds",
    columns: [
      { title: "Row" },
      { title: "Source" },
      ...gapNames.map((name) => ({
        title: columns[name].title,
        ...(name === "plain" && { better: "higher" as const }),
      })),
    ],
    rows: rows.flatMap((row): Row[] => [
      {
        source: "ours",
        marked: row.label === ensemble,
        cells: [
          row.label,
          "ours",
          ...gapNames.map((name) =>
            remarked(seedsCell(row.answers.flatMap((answer) => gaps[name](answer)?.value ?? [])), row),
          ),
        ],
      },
      ...published.flatMap(({ table, rows: theirs, names }) =>
        theirs
          .filter(({ method }) => names[method] === row.label)
          .map(
            (each): Row => ({
              source: "published",
              cells: [
                row.label,
                table,
                ...gapNames.map((name) => {
                  const { published: column } = columns[name];
                  return printed(column && each[column]);
                }),
              ],
            }),
          ),
      ),
    ]),
  };
}

function gapsFigure(rows: readonly NetworkRow[], gaps: AnswerGaps): Figure {
  const shown = gapNames.filter((name) => name !== "plain" && name !== "grain");
  return dotsFigure(
    {
      name: "gaps",
      caption: "Each seed's gaps: nearer to zero is less reliance",
    },
    {
      value: { title: "with the shortcut changed less as it was" },
      reference: { value: 0 },
      marked: [baseline, ensemble],
      points: rows.flatMap((row) =>
        row.answers.flatMap((answer) =>
          shown.flatMap((name) => {
            const value = gaps[name](answer)?.value;
            return value === undefined ? [] : [{ row: row.label, series: columns[name].title, value }];
          }),
        ),
      ),
    },
  );
}

function layersTable(layers: readonly FittedLayer[]): Table {
  const labels = [...new Set(layers.map(({ label }) => label))];
  return {
    name: "layers",
    caption:
      "By row: the rate that each seed took, and the rise of validation accuracy over the last fifth of its epochs",
    columns: ["Row", "Rates", "Rise, points", "Layers"].map((title) => ({ title })),
    rows: labels.map((label) => {
      const own = layers.filter((layer) => layer.label === label);
      return {
        cells: [
          label,
          own.map(({ rate }) => String(rate)).join(", "),
          riseCell([{ runs: own }]),
          isTrained({ runs: own }) ? "at rest" : untrained,
        ],
      };
    }),
  };
}
