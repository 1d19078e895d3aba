/** Gaps and accuracies on ImageNet's variants: Tables 6 and 15 to 19, for the folders that were given. */

import type { Cell, Row, Section, Table } from "../../core/section.ts";
import { table6, table15, table16, table17, table18, table19 } from "../../published/li-2023.ts";
import type { Measured } from "../jobs/kinds.ts";
import type { NetworkAnswer } from "../jobs/predictions-job.ts";
import { type Estimate, type NetworkRow, networkShare, networksOf } from "../pretrained/networks.ts";
import { printed } from "../summaries.ts";
import { estimateCell } from "./estimate-cell.ts";
import { classGap, setGap, watermarkGap } from "./gaps.ts";
import { ofClass, ourRows } from "./our-rows.ts";
import { partTitles } from "./plan.ts";

/** Each gap is of two parts: the changed images and the original ones. */
const gaps = [
  { title: "SIN gap", column: "stylized", changed: "stylized", original: "watermark" },
  { title: "IN-R gap", column: "rendition", changed: "rendition", original: "of-rendition" },
  { title: "IN-9 gap", column: "background", changed: "mixed-random", original: "mixed-same" },
  { title: "IN-Sketch gap", column: "sketch", changed: "sketch", original: "watermark" },
] as const;

const accuracies = [
  { title: "SIN", column: "stylized", part: "stylized" },
  { title: "IN-R", column: "rendition", part: "rendition" },
  { title: "IN-9 mixed-rand", column: "mixedRandom", part: "mixed-random" },
  { title: "IN-Sketch", column: "sketch", part: "sketch" },
  { title: "IN-A", column: "imageNetA", part: "imagenet-a" },
  { title: "IN-V2", column: "imageNetV2", part: "watermark-v2" },
  { title: "ObjectNet", column: "objectNet", part: "object-net" },
] as const;

export function variantsSection(measured: readonly Measured[]): Section {
  const asked = networksOf(measured, "watermark");
  const absent = Object.keys(partTitles).filter((part) => networksOf(measured, part).length === 0);
  return {
    name: "variants",
    heading: "Variants of ImageNet (Tables 6 and 15 to 19)",
    text: "Gaps are the variant's accuracy less ImageNet's, among the variant's classes: reliance makes them negative.",
    tables: [gapsTable(measured, asked), accuraciesTable(measured, asked)],
    remarks:
      absent.length === 0
        ? []
        : [
            `not asked, since nothing was given or nothing is finished: ${absent.map((part) => partTitles[part]).join("; ")}`,
          ],
  };
}

/** What the same network said of another part. */
function elsewhere(
  measured: readonly Measured[],
  part: string,
  { label }: NetworkRow,
): NetworkAnswer | undefined {
  return networksOf(measured, part).find((network) => network.label === label)?.answers[0];
}

function gapsTable(measured: readonly Measured[], asked: readonly NetworkRow[]): Table {
  const between = (network: NetworkRow, changed: string, original: string): Estimate | undefined => {
    const [one, other] = [elsewhere(measured, changed, network), elsewhere(measured, original, network)];
    return one && other && setGap(one, other);
  };
  const ours = ourRows(asked, (network) => [
    networkShare(network, (answer) => answer),
    estimateCell(network, (answer) => watermarkGap(answer)),
    estimateCell(network, ofClass(undefined, classGap)),
    ...gaps.map(({ changed, original }) => estimateCell(network, () => between(network, changed, original))),
  ]);
  const theirs = [
    { name: "Table 6", rows: table6 },
    { name: "Table 15", rows: table15 },
    { name: "Table 16", rows: table16 },
    { name: "Table 17", rows: table17 },
  ].flatMap(({ name, rows }) =>
    rows.map((row): Row => {
      const numbers = row as unknown as Readonly<Record<string, number | undefined>>;
      return {
        source: "published",
        cells: [
          nameOf(row),
          name,
          ...["imageNet", "watermark", "carton", ...gaps.map(({ column }) => column)].map((column) =>
            printed(numbers[column]),
          ),
        ],
      };
    }),
  );
  const titles = ["Network", "Source", "IN-1k", "IN-W gap", "carton gap", ...gaps.map(({ title }) => title)];
  return {
    name: "variant-gaps",
    caption: "Gaps in points",
    columns: titles.map((title) => ({ title })),
    rows: [...ours, ...theirs],
  };
}

function accuraciesTable(measured: readonly Measured[], asked: readonly NetworkRow[]): Table {
  const ours = ourRows(asked, (network) =>
    accuracies.map(({ part }): Cell => {
      const found = networksOf(measured, part).find(({ label }) => label === network.label);
      return found === undefined ? null : networkShare(found, (answer) => answer);
    }),
  );
  const theirs = [
    { name: "Table 18", rows: table18 },
    { name: "Table 19", rows: table19 },
  ].flatMap(({ name, rows }) =>
    rows.map((row): Row => {
      const numbers = row as unknown as Readonly<Record<string, number | undefined>>;
      // Table 19's sketches are ImageNet-D's.
      const of = (column: string) =>
        name === "Table 19" && column === "sketch" ? undefined : numbers[column];
      return {
        source: "published",
        cells: [nameOf(row), name, ...accuracies.map(({ column }) => printed(of(column)))],
      };
    }),
  );
  return {
    name: "variant-accuracies",
    caption: "Accuracies in per cent",
    columns: ["Network", "Source", ...accuracies.map(({ title }) => title)].map((title) => ({ title })),
    rows: [...ours, ...theirs],
  };
}

function nameOf(row: { method: string; network?: string; data?: string }): string {
  return [row.method, row.network ?? "ViT-H/14", row.data].filter((word) => word !== undefined).join(", ");
}
