/** Sections as parts of a page, and an answer as a page of its own. */

import { drawChart } from "../charts/chart.ts";
import { html, type Markup } from "../core/markup.ts";
import { type Gallery, type Section, type Table, verdictWords } from "../core/section.ts";
import { type FormattedCell, formattedTable } from "./formatted-table.ts";
import {
  besideEachOther,
  bulletList,
  commandLine,
  definitions,
  figure,
  gallery,
  type HtmlTableRow,
  htmlPage,
  htmlTable,
  type PageSection,
  paragraph,
} from "./html-page.ts";

export interface AnswerPage {
  title: string;
  /** A sentence or two under the title: what this is about. */
  lead: string;
  /** What came out, in a few sentences. */
  inShort?: readonly string[] | undefined;
  sections: readonly Section[];
}

export async function asHtml({ sections, ...head }: AnswerPage): Promise<string> {
  return htmlPage({ ...head, sections: await pageSections(sections) });
}

/** A section without a heading goes on with the one before it. */
async function pageSections(sections: readonly Section[]): Promise<PageSection[]> {
  const placed: { heading: string; id: string; body: Markup[] }[] = [];
  for (const section of sections) {
    const body = await bodyOf(section);
    const before = placed.at(-1);
    if (section.heading === "" && before) before.body.push(...body);
    else placed.push({ heading: section.heading || "Summary", id: section.name, body });
  }
  return placed;
}

async function bodyOf(section: Section): Promise<Markup[]> {
  const { text = "", facts = [], findings = [], tables = [], figures = [] } = section;
  const { galleries = [], remarks = [], commands = [] } = section;
  const drawn = await Promise.all(
    figures.map(async ({ caption, draw, beside = false }) => ({
      beside,
      markup: figure(caption, await drawChart(draw())),
    })),
  );
  const squares = drawn.filter(({ beside }) => beside).map(({ markup }) => markup);
  return [
    ...text
      .split("\n\n")
      .filter((part) => part !== "")
      .map(textMarkup),
    ...(facts.length === 0 ? [] : [definitions(facts)]),
    ...(findings.length === 0
      ? []
      : [
          bulletList(
            findings.map(
              (finding) =>
                html`<strong>${finding.claim}: ${verdictWords(finding)}.</strong> ${finding.evidence}.`,
            ),
          ),
        ]),
    ...tables.filter(({ rows }) => rows.length > 0).map(tableMarkup),
    ...drawn.filter(({ beside }) => !beside).map(({ markup }) => markup),
    ...(squares.length === 0 ? [] : [besideEachOther(squares)]),
    ...(await Promise.all(galleries.map(galleryMarkup))),
    ...(remarks.length === 0 ? [] : [bulletList(remarks)]),
    ...commands.flatMap(([does, command]) => [paragraph(`${does}:`), commandLine(command)]),
  ];
}

/** Lines that begin with a dash are a list. */
function textMarkup(part: string): Markup {
  const lines = part.split("\n");
  return lines.every((line) => line.startsWith("– "))
    ? bulletList(lines.map((line) => line.slice(2)))
    : paragraph(part);
}

async function galleryMarkup({ caption, pictures }: Gallery): Promise<Markup> {
  const drawn = pictures.map(async ({ label, alt, draw }) => ({ label, alt, ...(await draw()) }));
  return gallery(caption, await Promise.all(drawn));
}

function tableMarkup(table: Table): Markup {
  const { columns, rows } = formattedTable(table, "shown");
  const marked = ({ text, rank }: FormattedCell) =>
    rank === 1 ? html`<strong>${text}</strong>` : rank === 2 ? html`<em>${text}</em>` : text;
  const caption = [
    table.shown === undefined ? table.caption : table.caption.replace(/\.$/, ""),
    table.shown?.why ?? "",
  ]
    .filter((part) => part !== "")
    .join("; ");
  return htmlTable(
    caption,
    columns,
    rows.map((row): HtmlTableRow => ({ cells: row.cells.map(marked), marked: row.marked })),
  );
}
