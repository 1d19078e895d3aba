/**
 * What an answer is shown as: sections with facts, tables and figures. Audits and studies make them once; `reports/` turns
 * them into text for a terminal, a page, Markdown, LaTeX, CSV and JSON, each in one module.
 */

import { meanOverSeeds } from "./statistics/index.ts";
import { fixedText, percentText } from "./words.ts";

/** One part of an answer. Its parts are shown in the order of these fields. */
export interface Section {
  /** Of files and links; unlike the names of the other sections. */
  name: string;
  /** Empty where it goes on with the section before it. */
  heading: string;
  /** Paragraphs, with an empty line between them. */
  text?: string;
  /** Names and what they are, such as settings. */
  facts?: readonly (readonly [name: string, value: string])[];
  findings?: readonly Finding[];
  tables?: readonly Table[];
  figures?: readonly Figure[];
  galleries?: readonly Gallery[];
  /** What a reader must know beside it. */
  remarks?: readonly string[];
  /** What to type, and what that does. */
  commands?: readonly (readonly [does: string, command: string])[];
}

export interface Table {
  name: string;
  /** What the numbers are. */
  caption: string;
  columns: readonly Column[];
  rows: readonly Row[];
  /** Rows that terminals and pages show of a long table; files have all of them. */
  shown?: { rows: readonly number[]; why: string };
}

export interface Column {
  title: string;
  /** The best of our rows are marked. */
  better?: "higher" | "lower";
  /** What it shares with the columns beside it, such as a dataset: a title above theirs. */
  group?: string;
}

export interface Row {
  /** By default ours. */
  source?: "ours" | "published";
  cells: readonly Cell[];
  /** A row that the eye should find first. */
  marked?: boolean;
}

/** A share over seeds, a number that is printed as its text says, or words; null is an empty cell. */
export type Cell = SeedsCell | NumberCell | string | null;

/** The mean of a share over seeds; of a single run without an interval. */
export interface SeedsCell {
  mean: number;
  deviation: number | null;
  runs: number;
  /** Of a single run: on how many images, which gives an interval over images alone. */
  images?: number;
  /** Why it is not among those of which the best is marked, such as that it is untrained. */
  remark?: string;
  /** As of a number below. */
  notWorse?: boolean;
}

export interface NumberCell {
  /** Null where it is not defined, which the text then says. */
  value: number | null;
  text: string;
  /** Not worse than the best of its column by a test that its table names. */
  notWorse?: boolean;
}

export interface Figure {
  name: string;
  /** What is seen, in words that serve those who cannot see it. */
  caption: string;
  /** A vega-lite specification, made only where it is drawn. */
  draw: () => Chart;
  /** Small enough for two in a row. */
  beside?: boolean;
}

/** Small pictures side by side, such as the images that a model gets wrong. */
export interface Gallery {
  name: string;
  /** What they have in common. */
  caption: string;
  pictures: readonly Picture[];
}

export interface Picture {
  /** Under the picture: the file's name, and what is to be seen of it. */
  label: string;
  /** What is seen, for those who cannot see it. */
  alt: string;
  /** Made only where it is shown. */
  draw: () => Promise<PictureFile>;
}

export interface PictureFile {
  png: Uint8Array;
  width: number;
  height: number;
}

/** Plain data of vega-lite; its `description` is read to the blind. */
export type Chart = object & { description: string };

/** Of these four everything comes out as one; that nothing was seen is no evidence that there is nothing. */
export type FindingVerdict = "seen" | "contradicted" | "equivalent to none" | "cannot be told";

export interface Finding {
  claim: string;
  verdict: FindingVerdict;
  /** The numbers that it rests on; where it cannot be told, also the smallest effect that could have been seen. */
  evidence: string;
  /** Its rule was written, or changed, after the first run. */
  exploratory?: boolean;
}

/** As it is shown. */
export function verdictWords({ verdict, exploratory }: Finding): string {
  return exploratory === true ? `${verdict} (exploratory)` : verdict;
}

/** Of what several seeds gave, each on so many images; null where none has it. */
export function seedsCell(values: readonly (number | null | undefined)[], images?: number): SeedsCell | null {
  const known = values.filter((value): value is number => typeof value === "number");
  if (known.length === 0) return null;
  const { mean, deviation = null, n } = meanOverSeeds(known);
  return { mean, deviation, runs: n, ...(n === 1 && images !== undefined && { images }) };
}

/** 12.3%, or a dash where there is nothing. */
export function percentCell(share: number | null): NumberCell {
  return { value: share, text: percentText(share) };
}

/** Points of a hundred with their sign; what rounds to nothing has none. */
export function pointsCell(share: number | null): NumberCell {
  if (share === null) return { value: share, text: "–" };
  const text = fixedText(100 * share, 1);
  return { value: share, text: Number(text) > 0 ? `+${text}` : text };
}

/** 12,345. */
export function countCell(count: number): NumberCell {
  return { value: count, text: count.toLocaleString("en") };
}

/** With so many digits behind the point. */
export function decimalCell(value: number | null, digits: number): NumberCell {
  return { value, text: value === null ? "–" : fixedText(value, digits) };
}

export function tablesOf(sections: readonly Section[]): Table[] {
  return sections.flatMap(({ tables = [] }) => tables);
}

export function figuresOf(sections: readonly Section[]): Figure[] {
  return sections.flatMap(({ figures = [] }) => figures);
}

export function galleriesOf(sections: readonly Section[]): Gallery[] {
  return sections.flatMap(({ galleries = [] }) => galleries);
}

/** Of the file that a gallery's picture is in, beside those of figures. */
export function pictureName(gallery: string, index: number): string {
  return `${gallery}-${index + 1}`;
}
