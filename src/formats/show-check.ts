/** What looking a dataset over has found, in sections. */

import { dotChart } from "../charts/dot-chart.ts";
import type { GroupCount, GroupCounts } from "../core/cue-statistics.ts";
import { isUnlabelled } from "../core/no-label.ts";
import { countCell, type Figure, type Section, type Table } from "../core/section.ts";
import { valueText } from "../core/words.ts";
import type { CheckReport } from "./check-dataset.ts";
import { type CheckedCue, cueSentences, cueTable, leadingCues } from "./checked-cues.ts";

/** More rows than this do not help on a screen; files have them all. */
const mostRows = 40;
/** Cues with a table of their own. */
const mostCues = 8;

export interface CheckView {
  /** Also all attributes crossed. */
  crossed?: boolean | undefined;
}

export function showCheck(report: CheckReport, { crossed = false }: CheckView = {}): Section[] {
  const { broken, warnings, problems, duplicates, ignoredColumns, ok, cues, groups, byCue, splits } = report;
  const names = [...new Set(cues.map(({ cue }) => cue))];
  const strongestFirst = names.flatMap((cue) => byCue.filter(({ attributes }) => attributes[0] === cue));
  return [
    { name: "about", heading: report.name, facts: factsOf(report) },
    ...(cues.length === 0 || isUnlabelled(report)
      ? []
      : [
          {
            name: "cues",
            heading: "Cues, those that go with the class most first",
            tables: [cueTable(cues)],
            figures: cueFigure(cues),
            remarks: cueSentences(cues),
          },
        ]),
    ...strongestFirst.slice(0, mostCues).map((counted) => ({
      name: `class-by-${counted.attributes[0]}`,
      heading: `Images by class and ${counted.attributes[0]}`,
      tables: [groupTable(counted, splits)],
    })),
    ...(crossed && groups.attributes.length > 1
      ? [
          {
            name: "groups",
            heading: "Groups of all attributes",
            tables: [groupTable(groups, splits)],
          },
        ]
      : []),
    {
      name: "soundness",
      heading: "Soundness",
      facts: [
        [
          "duplicates",
          `${number(duplicates.acrossSplits)} images across splits, ${number(duplicates.withinSplits)} within a split${suchAs(duplicates.within)}`,
        ],
        ...ignoredColumns.map(({ name, reason }) => [`column "${name}" not used`, reason] as const),
        ...broken.slice(0, mostRows).map(({ image, reason }) => ["broken", `${image}: ${reason}`] as const),
        ...warnings.map((warning) => ["warning", warning] as const),
        ...problems.map((problem) => ["problem", problem] as const),
        ["verdict", `${ok ? "ok" : "not ok"}: ${checkAnswer(report)}`],
      ],
    },
  ];
}

function suchAs([first]: readonly (readonly string[])[]): string {
  return first === undefined ? "" : `, such as ${first.join(" = ")}`;
}

/** The answer in a sentence: can it be used, what is missing, and what goes with the class. */
export function checkAnswer(report: CheckReport): string {
  const { count, classNames, problems, imageSizes, splits, unread, cues } = report;
  if (problems.length > 0) return problems.join("; ");
  const measured = Object.entries(splits).some(([name, images]) => name !== "train" && images > 0);
  const leftOut = unread.reduce((sum, files) => sum + files.count, 0);
  return [
    `all ${countOf(count, "image")} can be read`,
    ...(leftOut > 0 ? [`${countOf(leftOut, "other file")} ${leftOut === 1 ? "was" : "were"} not`] : []),
    ...(imageSizes.length > 1 ? ["sizes differ, so train with --size 224 or the like"] : []),
    ...(measured || isUnlabelled(report)
      ? []
      : ["none are kept for measuring, so train with --split 0.8,0.1,0.1"]),
    ...(cues.length === 0 || classNames.length < 2 ? [] : [cueAnswer(cues)]),
  ].join("; ");
}

function cueAnswer(cues: readonly CheckedCue[]): string {
  const going = leadingCues(cues).filter(({ adjusted }) => adjusted < 0.05);
  if (going.length === 0) return "no known cue goes with the class more than chance would";
  const [first] = going;
  const others = going.length === 1 ? "" : `, and ${countOf(going.length - 1, "other")} less so`;
  return `${first!.cue.cue} goes with the class most (V ${first!.cue.v?.toFixed(2) ?? "–"})${others}`;
}

function factsOf(report: CheckReport): (readonly [string, string])[] {
  const { count, format, splits, classNames, imageSizes, sideImages, boxes, hash, declaredHash } = report;
  const sizes = imageSizes.slice(0, 3).map(({ height, width, channels, count }) => {
    const colours = { 1: "grey", 3: "in colour" }[channels] ?? `of ${channels} channels`;
    return `${width}×${height} ${colours} (${number(count)})`;
  });
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
    ["width × height", `${sizes.join(", ")}${more(imageSizes, 3)}`],
    ...noted("turned", report.turned, "upright by their EXIF orientation"),
    ...noted("transparent", report.transparent, "laid on white"),
    ...noted("recoloured", report.recoloured, "converted to sRGB from CMYK or by their colour profile"),
    ...(beside.length === 0 ? [] : [["beside", beside.join(", ")] as const]),
    ["hash", `${hash}${declaredHash === hash ? " (as declared)" : ""}`],
  ];
}

function noted(name: string, images: number, how: string): [string, string][] {
  return images === 0 ? [] : [[name, `${countOf(images, "image")}, ${how}`]];
}

function countOf(n: number, what: string): string {
  return `${number(n)} ${what}${n === 1 ? "" : "s"}`;
}

/** What no image has comes last. */
function groupTable({ attributes, groups }: GroupCounts, splits: CheckReport["splits"]): Table {
  const splitNames = Object.keys(splits);
  const isEmpty = ({ counts }: GroupCount) => splitNames.every((split) => !counts[split]);
  const sorted = [...groups.filter((group) => !isEmpty(group)), ...groups.filter(isEmpty)];
  return {
    name: attributes.join("-by-"),
    caption: "",
    columns: ["class", ...attributes, ...splitNames].map((title) => ({ title })),
    rows: sorted.map(({ label, values, counts }) => ({
      cells: [
        label,
        ...values.map(valueText),
        ...splitNames.map((split) => (counts[split] ? countCell(counts[split]) : null)),
      ],
    })),
    ...(sorted.length > mostRows
      ? {
          shown: {
            rows: Array.from({ length: mostRows }, (_, i) => i),
            why: `the first ${mostRows} of ${number(sorted.length)}; --json has all`,
          },
        }
      : {}),
  };
}

/** How far each goes with the class, beside what chance would give. */
function cueFigure(cues: readonly CheckedCue[]): Figure[] {
  const drawn = cues.filter(({ v }) => v !== null).slice(0, mostRows);
  if (drawn.length === 0) return [];
  const several = new Set(drawn.map(({ slice }) => slice)).size > 1;
  const rowOf = ({ cue, slice }: CheckedCue) => (several ? `${cue}, ${slice}` : cue);
  const numbers = drawn.map((cue) => `${rowOf(cue)} ${cue.v!.toFixed(2)}`);
  const caption = `How far each cue goes with the class, from 0 (not at all) to 1, with 95% intervals over images: ${numbers.join(", ")}`;
  return [
    {
      name: "cues",
      caption,
      draw: () =>
        dotChart({
          description: caption,
          value: { title: "Cramér's V, less what chance gives", format: ".1f", domain: [0, 1] },
          points: drawn.map((cue) => ({
            row: rowOf(cue),
            series: "V",
            value: cue.v!,
            low: cue.low ?? undefined,
            high: cue.high ?? undefined,
          })),
        }),
    },
  ];
}

function number(n: number): string {
  return n.toLocaleString("en");
}
