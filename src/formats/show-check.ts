/** What looking a dataset over has found, in sections. */

import { countCell, decimalCell, type Section, type Table } from "../core/section.ts";
import type { CheckReport } from "./check-dataset.ts";

/** More rows than this do not help on a screen; files have them all. */
const mostRows = 40;

export function showCheck(report: CheckReport): Section[] {
  const { broken, warnings, problems, duplicates, ignoredColumns, ok } = report;
  return [
    { name: "about", heading: report.name, facts: factsOf(report) },
    { name: "groups", heading: "Groups", tables: [groupTable(report)] },
    ...(report.cues.length === 0 ? [] : [{ name: "cues", heading: "Cues", tables: [cueTable(report)] }]),
    {
      name: "soundness",
      heading: "Soundness",
      facts: [
        [
          "duplicates",
          `${number(duplicates.acrossSplits)} images across splits, ${number(duplicates.withinSplits)} within a split`,
        ],
        ...ignoredColumns.map(({ name, reason }) => [`column "${name}" not used`, reason] as const),
        ...broken.slice(0, mostRows).map(({ image, reason }) => ["broken", `${image}: ${reason}`] as const),
        ...warnings.map((warning) => ["warning", warning] as const),
        ...problems.map((problem) => ["problem", problem] as const),
        ["verdict", ok ? "ok" : "not ok"],
      ],
    },
  ];
}

function factsOf(report: CheckReport): (readonly [string, string])[] {
  const { count, format, splits, classNames, imageSizes, sideImages, boxes, hash, declaredHash } = report;
  const sizes = imageSizes
    .slice(0, 3)
    .map(({ height, width, channels, count }) => `${height}×${width}×${channels} (${number(count)})`);
  const beside = [...sideImages, ...boxes.map((thing) => `box of ${thing}`)];
  const more = (all: readonly unknown[], shown: number) => (all.length > shown ? ", …" : "");
  return [
    ["images", `${number(count)}, ${format} format`],
    [
      "splits",
      Object.entries(splits)
        .map(([name, images]) => `${name} ${number(images)}`)
        .join(", "),
    ],
    ["classes", `${classNames.length} (${classNames.slice(0, 10).join(", ")}${more(classNames, 10)})`],
    ["sizes", `${sizes.join(", ")}${more(imageSizes, 3)}`],
    ...(beside.length === 0 ? [] : [["beside", beside.join(", ")] as const]),
    ["hash", `${hash}${declaredHash === hash ? " (as declared)" : ""}`],
  ];
}

function groupTable({ groups: { attributes, groups }, splits }: CheckReport): Table {
  return {
    name: "groups",
    caption: "",
    columns: ["class", ...attributes, ...Object.keys(splits)].map((title) => ({ title })),
    rows: groups.map(({ label, values, counts }) => ({
      cells: [label, ...values, ...Object.values(counts).map((n) => (n === 0 ? null : countCell(n)))],
    })),
    ...(groups.length > mostRows
      ? {
          shown: {
            rows: Array.from({ length: mostRows }, (_, i) => i),
            why: `… and ${number(groups.length - mostRows)} more (see --json)`,
          },
        }
      : {}),
  };
}

function cueTable({ cues }: CheckReport): Table {
  return {
    name: "cues",
    caption: "",
    columns: ["cue", "slice", "images", "P(agrees)", "Cramér's V", "norm. MI"].map((title) => ({ title })),
    rows: cues.map(({ cue, slice, count, agreement, cramersV, normalisedMutualInformation }) => ({
      cells: [
        cue,
        slice,
        countCell(count),
        ...[agreement, cramersV, normalisedMutualInformation].map((value) => decimalCell(value, 3)),
      ],
    })),
  };
}

function number(n: number): string {
  return n.toLocaleString("en");
}
