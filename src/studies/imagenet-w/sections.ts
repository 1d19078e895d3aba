/** The paper's tables of the watermark with one's own networks in them, and where these stand among the paper's. */

import type { Column, Figure, Row, Section, Table } from "../../core/section.ts";
import { capital } from "../../core/words.ts";
import { contents } from "../../images/watermark/contents.ts";
import { methods } from "../../methods/index.ts";
import { table8, table13, table14 } from "../../published/li-2023.ts";
import { dotsFigure } from "../figures.ts";
import type { Measured } from "../jobs/kinds.ts";
import type { NetworkAnswer } from "../jobs/predictions-job.ts";
import { type Estimate, type NetworkRow, networkShare, networksOf } from "../pretrained/networks.ts";
import { trainingSections } from "../pretrained/training-section.ts";
import { points, printed } from "../summaries.ts";
import { estimateCell } from "./estimate-cell.ts";
import { classGap, markOf, probabilityChange, pushedClasses, watermarkGap } from "./gaps.ts";
import { ofClass, ourRows } from "./our-rows.ts";
import { partTitles } from "./plan.ts";
import { aware, type MarkedPreset } from "./presets.ts";
import { variantsSection } from "./variants.ts";

export function markedSections(measured: readonly Measured[], { own }: MarkedPreset): Section[] {
  if (measured.length === 0) return [];
  const markedClass = own?.markedClass;
  const networks = networksOf(measured, "watermark");
  const second = networksOf(measured, "watermark-v2");
  const whose = own
    ? `Rows of ours are networks that were trained on drawn photographs, where the paper's watermark goes with ${markedClass}: compare signs and order.`
    : "Rows of ours are networks that were brought; intervals are over their images alone.";
  return [
    ...(networks.length === 0
      ? []
      : [
          {
            name: "watermark",
            heading: capital(partTitles.watermark!),
            text: `${whose} Gaps are with the mark less without: reliance makes the IN-W gap negative and the class gap positive. ${namesSpelled}`,
            tables: [
              reliance("watermark", networks, markedClass, table13),
              contentsTable(networks, markedClass),
              pushedTable(networks),
            ],
            figures: [standing(networks, markedClass)],
          },
        ]),
    ...(second.length === 0
      ? []
      : [
          {
            name: "watermark-v2",
            heading: capital(partTitles["watermark-v2"]!),
            tables: [reliance("watermark-v2", second, markedClass, table14)],
          },
        ]),
    ...(own === undefined ? [variantsSection(measured)] : trainingSections(measured)),
  ];
}

/** The paper's short names, of data and of what networks were made by. */
const namesSpelled =
  "IN-W: ImageNet-W; IN-1k and IN-21k: ImageNet of 1,000 and 21,000 classes; SIN: Stylized ImageNet; " +
  `ERM: ${methods.get("erm").title}; ${aware}: every training image may carry the mark, whatever its class; ` +
  "LP: only a last layer is trained; FT: the whole network is trained on.";

const relianceColumns: readonly Column[] = [
  { title: "Network" },
  { title: "Source" },
  { title: "Data" },
  { title: "Accuracy", better: "higher" },
  { title: "P(class)" },
  { title: "IN-W gap" },
  { title: "ΔP(class)" },
  { title: "class gap" },
  { title: "ΔP(class | class)" },
];

/** Table 1's six columns. */
function reliance(
  name: string,
  networks: readonly NetworkRow[],
  markedClass: string | undefined,
  paper: typeof table13,
): Table {
  const ours = ourRows(networks, (network) => [
    markedClass === undefined ? "yours" : "drawn",
    networkShare(network, (answer) => answer),
    estimateCell(
      network,
      ofClass(markedClass, (answer, number) => ({
        value: answer.classes[number]!.probability,
        error: 0,
      })),
    ),
    estimateCell(network, (answer) => watermarkGap(answer)),
    estimateCell(network, ofClass(markedClass, probabilityChange)),
    estimateCell(network, ofClass(markedClass, classGap)),
    estimateCell(
      network,
      ofClass(markedClass, (answer, number) => {
        const value = markOf(answer, "chinese")?.classes[number]?.ownChange;
        return value === undefined ? undefined : { value, error: 0 };
      }),
    ),
  ]);
  const theirs = paper.map(
    (row): Row => ({
      source: "published",
      cells: [
        `${row.method}, ${row.network}`,
        "published",
        row.data,
        printed(row.accuracy),
        printed(row.probability),
        printed(row.gap),
        printed(row.probabilityChange),
        printed(row.cartonGap),
        printed(row.cartonProbabilityChange),
      ],
    }),
  );
  return {
    name: `${name}-reliance`,
    caption:
      "Reliance on the paper's watermark, in per cent and points; of the paper's networks the class is carton",
    columns: relianceColumns,
    rows: [...ours, ...theirs],
  };
}

/** Table 8's form. */
function contentsTable(networks: readonly NetworkRow[], markedClass: string | undefined): Table {
  const marks = networks[0]!.answers[0]!.marks.map(({ mark }) => mark);
  const rows = networks.flatMap((network) =>
    marks.map(
      (mark): Row => ({
        source: "ours",
        cells: [
          network.label,
          "ours",
          mark,
          estimateCell(network, (answer) => watermarkGap(answer, mark)),
          estimateCell(
            network,
            ofClass(markedClass, (answer, number) => classGap(answer, number, mark)),
          ),
        ],
      }),
    ),
  );
  const theirs = table8.map(
    ({ text, language, gap, cartonGap }): Row => ({
      source: "published",
      // The page's font has no letters of these scripts.
      cells: ["ResNet-50", "published", contentWords(text, language), printed(gap), printed(cartonGap)],
    }),
  );
  return {
    name: "contents",
    caption: "Gaps by what the watermark says (Table 8)",
    columns: ["Network", "Source", "Content", "gap", "class gap"].map((title) => ({ title })),
    rows: [...rows, ...theirs],
  };
}

function contentWords(text: string, language: string): string {
  const known = Object.entries(contents).find(([, content]) => content.text === text);
  return known === undefined ? `${text} (${language})` : `${known[0]}: ${known[1].meaning} (${language})`;
}

const mostPushed = 3;

function pushedTable(networks: readonly NetworkRow[]): Table {
  return {
    name: "pushed",
    caption:
      "The classes that the watermark pushes to most, of all: the rise of their mean probability over all images, in points",
    columns: ["Network", "Place", "Class", "ΔP", "P before"].map((title) => ({ title })),
    rows: networks.flatMap(({ label, answers }) =>
      answers.flatMap((answer) =>
        pushedClasses(answer)
          .slice(0, mostPushed)
          .map(
            ({ name, change, probability }, place): Row => ({
              cells: [
                answer.seed === null ? label : `${label}, seed ${answer.seed}`,
                { value: place + 1, text: String(place + 1) },
                name,
                { value: change, text: points(change) },
                { value: probability, text: points(probability) },
              ],
            }),
          ),
      ),
    ),
  };
}

/** Of ours the mean over seeds. */
function standing(networks: readonly NetworkRow[], markedClass: string | undefined): Figure {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const gaps = ({ answers }: NetworkRow, of: (answer: NetworkAnswer) => Estimate | undefined) =>
    mean(answers.flatMap((answer) => of(answer)?.value ?? []));
  const ours = networks.map((network) => ({
    row: network.label,
    published: false,
    gap: gaps(network, (answer) => watermarkGap(answer)),
    classGap: gaps(network, ofClass(markedClass, classGap)),
  }));
  const theirs = table13.map(({ method, network, data, gap, cartonGap }) => ({
    row: `${method}, ${network}, ${data}`,
    published: true,
    gap: gap / 100,
    classGap: cartonGap / 100,
  }));
  const sorted = [...ours, ...theirs].sort((a, b) => b.gap - a.gap);
  return dotsFigure(
    {
      name: "watermark-standing",
      caption:
        "Where our networks (filled, on a band) stand among the paper's (hollow): nearer to zero is less reliance",
    },
    {
      value: { title: "with the watermark less without" },
      reference: { value: 0 },
      marked: ours.map(({ row }) => row),
      points: sorted.flatMap(({ row, published, gap, classGap: own }) =>
        [
          { series: "IN-W gap", value: gap },
          { series: "class gap", value: own },
        ]
          .filter(({ value }) => Number.isFinite(value))
          .map((point) => ({ row, ...point, ...(published && { published: true }) })),
      ),
    },
  );
}
