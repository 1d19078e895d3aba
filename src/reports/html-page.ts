/** A page in one file: sections with text, tables and figures, in light and dark, on paper and on a phone. No script. */

import { readFile } from "node:fs/promises";
import { html, Markup } from "../core/markup.ts";
import type { PictureFile } from "../core/section.ts";
import { version } from "../core/version.ts";
import { latinFontFile } from "../images/font.ts";
import { pageStyle } from "./page-style.ts";

export interface PageSection {
  heading: string;
  /** What links point at; made from the heading unless given. */
  id?: string | undefined;
  body: readonly Markup[];
}

type PlacedSection = PageSection & { id: string };

export interface HtmlPage {
  title: string;
  /** A sentence or two under the title: what this is about. */
  lead: Markup | string;
  /** What came out, in a few sentences that a reader in a hurry takes home. */
  inShort?: readonly string[] | undefined;
  sections: readonly PageSection[];
}

/** From this many sections on they are listed at the top. */
const longPage = 8;

export async function htmlPage({ title, lead, inShort = [], sections }: HtmlPage): Promise<string> {
  const style = new Markup(`${await fontFaces()}${pageStyle}`);
  const placed = withIds(sections);
  const contents =
    placed.length < longPage
      ? ""
      : html`<nav aria-label="Contents"><ul>${placed.map(
          ({ id, heading }) => html`<li><a href="#${id}">${heading}</a></li>\n`,
        )}</ul></nav>\n`;
  // The policy lets the page show what it holds, and nothing else: no script, no request.
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="cuelab ${version}">
<link rel="icon" href="data:,">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main>
<header>
<h1>${title}</h1>
<p class="lead">${lead}</p>
${inShort.length === 0 ? "" : html`<div class="finding">${inShort.map(paragraph)}</div>\n`}</header>
${contents}${placed.map(section)}</main>
<footer><p>Made by cuelab ${version}.</p></footer>
</body>
</html>
`;
  return page.text;
}

function section({ id, heading, body }: PlacedSection): Markup {
  return html`<section aria-labelledby="${id}">
<h2 id="${id}">${heading}</h2>
${body.map((part) => html`${part}\n`)}</section>
`;
}

/** Headings may be alike; places may not. */
function withIds(sections: readonly PageSection[]): PlacedSection[] {
  const taken = new Set<string>();
  return sections.map(({ heading, id, body }) => {
    const base =
      id ??
      (heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
        .replaceAll(/^-|-$/g, "") ||
        "section");
    let unique = base;
    for (let n = 2; taken.has(unique); n++) unique = `${base}-${n}`;
    taken.add(unique);
    return { heading, id: unique, body };
  });
}

export function paragraph(text: Markup | string): Markup {
  return html`<p>${text}</p>`;
}

export function bulletList(items: readonly (Markup | string)[]): Markup {
  return html`<ul>${items.map((item) => html`<li>${item}</li>\n`)}</ul>`;
}

export function commandLine(command: string): Markup {
  return html`<pre tabindex="0"><code>${command}</code></pre>`;
}

export interface HtmlTableColumn {
  title: Markup | string;
  numeric?: boolean | undefined;
}

export interface HtmlTableRow {
  /** One a column; the first is the row's name. */
  cells: readonly (Markup | string)[];
  /** A row that the eye should find first. */
  marked?: boolean | undefined;
}

export function htmlTable(
  caption: Markup | string,
  columns: readonly HtmlTableColumn[],
  rows: readonly HtmlTableRow[],
): Markup {
  // The first is the rows' names, also where these are numbers.
  const isNumber = (i: number) => i > 0 && columns[i]?.numeric === true;
  const kind = (i: number) => named(isNumber(i) ? "number" : "");
  const cell = (content: Markup | string, i: number) => {
    const own = isNumber(i) ? kind(i) : named(breaking(plainText(content)));
    return i === 0 ? html`<th scope="row"${own}>${content}</th>` : html`<td${own}>${content}</td>`;
  };
  // Wide tables scroll by themselves, also with the keyboard, and not the page; what they are about stays where it is.
  const about = caption === "" ? "" : html`<figcaption>${caption}</figcaption>\n`;
  const width = leastWidth(columns, rows);
  const onPaper = new Markup(`class="table${width > widestUpright ? " turned" : ""}" style="--em:${width}"`);
  return html`<figure ${onPaper}>${about}<div class="scroll" tabindex="0"><table>
<thead><tr>${columns.map(({ title }, i) => html`<th scope="col"${kind(i)}>${title}</th>`)}</tr></thead>
<tbody>
${rows.map(({ cells, marked }) => html`<tr${named(marked === true ? "marked" : "")}>${cells.map(cell)}</tr>\n`)}</tbody>
</table></div></figure>`;
}

function named(kind: string): Markup {
  return new Markup(kind === "" ? "" : ` class="${kind}"`);
}

function plainText(content: Markup | string): string {
  return typeof content === "string" ? content : content.text.replaceAll(/<[^>]*>|&[a-z]+;/g, " ");
}

/** Texts that are longer get room, lest they become a tall and narrow column. */
const shortText = 20;
/** So few letters, as of "Table 10", are no wider on one line than the column is anyway. */
const shortest = 8;

/** How a cell of text may begin new lines: a range, so many of so many, or a word with hyphens, not at all. */
function breaking(text: string): "whole" | "words" | "" {
  const isRange = /^(?:[\d.,%+\-−–±×<>()/\s]|(?:to|of)\b)+$/.test(text) && /\s/.test(text);
  if (isRange || (/^\S+[- ]\S+$/.test(text) && text.length <= (text.includes(" ") ? shortest : shortText)))
    return "whole";
  return text.length > shortText && /\s/.test(text) ? "words" : "";
}

/** Wider tables, in widths of an M, would be too small to read on paper that stands upright. */
const widestUpright = 74;

/** How narrow a table can get: words may begin new lines, numbers may not. */
function leastWidth(columns: readonly HtmlTableColumn[], rows: readonly HtmlTableRow[]): number {
  const longest = (content: Markup | string, whole: boolean) => {
    const text = plainText(content);
    return whole || breaking(text) === "whole"
      ? text.length
      : Math.max(...text.split(/\s+/).map(({ length }) => length));
  };
  const characters = columns.map(({ title, numeric = false }, i) =>
    rows.reduce(
      (most, { cells }) => Math.max(most, longest(cells[i] ?? "", numeric && i > 0)),
      longest(title, false),
    ),
  );
  return Math.ceil(characters.reduce((sum, count) => sum + 0.6 * count + 0.9, 1));
}

/** Names and what they are, such as settings. */
export function definitions(entries: readonly (readonly [string, Markup | string])[]): Markup {
  return html`<dl>${entries.map(([name, value]) => html`<dt>${name}</dt><dd>${value === "" ? "none" : value}</dd>\n`)}</dl>`;
}

/** A chart as `drawChart` gives it. */
export function figure(caption: Markup | string, svg: string): Markup {
  const width = new Markup(/<svg[^>]* width="(\d+)/.exec(svg)?.[1] ?? "512");
  return html`<figure><div class="scroll chart" tabindex="0" style="--drawn:${width}px">${new Markup(svg)}</div><figcaption>${caption}</figcaption></figure>`;
}

/** Two in a row, where there is room. */
export function besideEachOther(figures: readonly Markup[]): Markup {
  return html`<div class="beside">${figures}</div>`;
}

export interface PagePicture extends PictureFile {
  /** What is seen, for those who cannot see it. */
  alt: string;
  label: string;
}

/** Small pictures side by side, as many a row as there is room for. */
export function gallery(caption: Markup | string, pictures: readonly PagePicture[]): Markup {
  const longest = Math.max(0, ...pictures.map(({ width, height }) => Math.max(width, height)));
  // Several pictures in one, side by side, are looked at closely.
  const isStrip = pictures.some(({ width }) => width > 240);
  const kind = isStrip ? " strips" : longest > 100 ? " photographs" : "";
  return html`<figure class="pictures"><figcaption>${caption}</figcaption><ul class="gallery${kind}">${pictures.map(
    ({ png, alt, label, width, height }) =>
      html`<li><img src="${dataUri("image/png", png)}" alt="${alt}" width="${width}" height="${height}"><span>${breakable(label, kind === "" ? shortEnding : longEnding)}</span></li>\n`,
  )}</ul></figure>`;
}

/** The end of a file's name: what the file is, with what tells it from its neighbours. */
const shortEnding = /[^/\s]{0,4}\.[a-z][a-z0-9]{1,4}\b/i;
/** Below larger pictures there is room for most names. */
const longEnding = /(?:(?<=[/\s]|^)[^/\s]{0,12}|[^/\s]{0,4})\.[a-z][a-z0-9]{1,4}\b/i;

/** Paths may go on in a new line after a slash or a low line, and not within the ending of a name. */
function breakable(label: string, nameEnding: RegExp): Markup {
  const found = nameEnding.exec(label);
  if (found === null) return html`${partsOf(label)}`;
  const { 0: ending, index } = found;
  return html`${partsOf(label.slice(0, index))}<wbr><span class="whole">${ending}</span>${label.slice(index + ending.length)}`;
}

function partsOf(text: string): (Markup | string)[] {
  const [first = "", ...others] = text.split(/(?<=[/_])/);
  return [first, ...others.map((part) => html`<wbr>${part}`)];
}

function dataUri(type: string, bytes: Uint8Array): string {
  return `data:${type};base64,${Buffer.from(bytes).toString("base64")}`;
}

/** The page carries the font that its charts were measured with. */
async function fontFaces(): Promise<string> {
  const faces = ([400, 600] as const).map(async (weight) => {
    const source = dataUri("font/woff2", await readFile(latinFontFile(weight)));
    return `@font-face{font-family:Inter;font-weight:${weight};src:url(${source}) format("woff2")}\n`;
  });
  return (await Promise.all(faces)).join("");
}
