/** An answer as files: a page, its text, and every table and figure in the forms that people want. */

import { chartPng, drawChart } from "../charts/chart.ts";
import { escapeMarkdown } from "../core/markdown-text.ts";
import { figuresOf, galleriesOf, pictureName, tablesOf } from "../core/section.ts";
import { asCsv } from "./as-csv.ts";
import { type AnswerPage, asHtml } from "./as-html.ts";
import { asJson } from "./as-json.ts";
import { asLatex } from "./as-latex.ts";
import { asMarkdown } from "./as-markdown.ts";

/** By their names within a folder. */
export type AnswerFiles = ReadonlyMap<string, string | Buffer>;

export interface AnswerFilesOptions extends AnswerPage {
  /** Of the page, the text and the data, such as `report`. */
  name: string;
  /** Plain data, for programs; in a file of the same name unless told. */
  answer: object;
  dataFile?: string;
}

export async function answerFiles({
  name,
  answer,
  dataFile = `${name}.json`,
  ...page
}: AnswerFilesOptions): Promise<AnswerFiles> {
  const files = new Map<string, string | Buffer>();
  files.set(`${name}.html`, await asHtml(page));
  const said = [page.lead, ...(page.inShort ?? [])].map(escapeMarkdown);
  const head = [`# ${escapeMarkdown(page.title)}`, ...said].join("\n\n");
  files.set(`${name}.md`, `${head}\n\n${asMarkdown(page.sections)}`);
  files.set(dataFile, asJson(answer));
  for (const table of tablesOf(page.sections)) {
    files.set(`tables/${table.name}.csv`, asCsv(table));
    files.set(`tables/${table.name}.tex`, asLatex(table));
  }
  for (const { name: figure, draw } of figuresOf(page.sections)) {
    const svg = await drawChart(draw());
    files.set(`figures/${figure}.svg`, svg);
    files.set(`figures/${figure}.png`, await chartPng(svg));
  }
  for (const { name: gallery, pictures } of galleriesOf(page.sections)) {
    for (const [i, { draw }] of pictures.entries())
      files.set(`figures/${pictureName(gallery, i)}.png`, Buffer.from((await draw()).png));
  }
  return files;
}
