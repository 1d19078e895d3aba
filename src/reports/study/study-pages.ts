/** What a study leaves beside its runs: a page, its text, every table and every figure as files of their own. */

import { chartPng } from "../../charts/chart.ts";
import { html, type Markup } from "../../core/markup.ts";
import type { PresetName, StudyHead, StudyReport } from "../../studies/study.ts";
import {
  besideEachOther,
  bulletList,
  commands,
  definitions,
  figure,
  htmlPage,
  type PageSection,
  paragraph,
} from "../html-page.ts";
import { latexTable, markdownTable, seedsNote } from "../table-formats.ts";
import { type DrawnFigure, drawFigure, type SplitPoints } from "./study-figure.ts";
import { formattedTable, studyTableCsv, studyTableHtml } from "./study-table.ts";

export interface StudyContext {
  study: StudyHead;
  preset: PresetName;
  report: StudyReport;
  /** How many are finished, and how many there are to be, of what the study is made of. */
  finished: { of: "runs" | "classifiers"; done: number; total: number };
  /** Every number that the report rests on. */
  measured: readonly object[];
  /** For figures of splits. */
  splits?: SplitPoints;
  /** What to type to make it again. */
  command: string;
}

/** By their names within the study's folder. */
export type StudyFiles = ReadonlyMap<string, string | Buffer>;

export async function studyFiles(context: StudyContext): Promise<StudyFiles> {
  const { report, splits = new Map() } = context;
  const files = new Map<string, string | Buffer>();
  const drawn = new Map<string, DrawnFigure[]>();
  for (const { name, figures, tables } of report.sections) {
    const own = await Promise.all(figures.map((figure) => drawFigure(figure, splits)));
    drawn.set(name, own);
    for (const { name, svg } of own) {
      files.set(`figures/${name}.svg`, svg);
      files.set(`figures/${name}.png`, await chartPng(svg));
    }
    for (const table of tables) {
      files.set(`tables/${table.name}.csv`, studyTableCsv(table));
      files.set(`tables/${table.name}.tex`, latexTable(formattedTable(table), table.caption));
    }
  }
  files.set("study.json", `${JSON.stringify(studyJson(context), null, 2)}\n`);
  files.set("report.md", markdownReport(context));
  files.set("report.html", await htmlReport(context, drawn));
  return files;
}

/** Every number, and what it came from. */
export function studyJson({ study, preset, measured, finished, command, report }: StudyContext) {
  return {
    study: study.name,
    preset,
    ...study.presets[preset],
    command,
    [finished.of]: { done: finished.done, total: finished.total },
    findings: report.findings,
    sections: report.sections,
    measured,
  };
}

/** In words. */
export function progressOf({ of, done, total }: StudyContext["finished"]): string {
  return `${done.toLocaleString("en")} of ${total.toLocaleString("en")} ${of}`;
}

function markdownReport({ study, preset, finished, command, report }: StudyContext): string {
  const { reduces, shows } = study.presets[preset];
  return `${[
    `# ${study.title}`,
    `${study.question} After ${study.paper}.`,
    `Preset \`${preset}\`. Smaller than the paper: ${reduces}. It can show ${shows}. Finished: ${progressOf(finished)}. Made by \`${command}\`.`,
    ...seedsText(report).map((text) => `${text}.`),
    "## Findings",
    report.findings
      .map(({ claim, verdict, evidence }) => `- **${claim}: ${verdict}.** ${evidence}.`)
      .join("\n"),
    ...report.sections.flatMap(({ heading, text, tables, figures }) => [
      `## ${heading}`,
      text,
      ...tables.map((table) => `${table.caption}:\n\n${markdownTable(formattedTable(table)).trimEnd()}`),
      ...figures.map(({ name, caption }) => `![${caption}](figures/${name}.png)\n\n${caption}.`),
    ]),
  ].join("\n\n")}\n`;
}

/** What is behind the numbers of tables, where they are of seeds. */
function seedsText({ sections }: Pick<StudyContext["report"], "sections">): string[] {
  const cells = sections.flatMap(({ tables }) =>
    tables.flatMap(({ rows }) => rows.flatMap((row) => row.cells)),
  );
  const ofSeeds = cells.some(
    (cell) => typeof cell === "object" && cell !== null && "runs" in cell && cell.runs > 0,
  );
  return ofSeeds ? [`Accuracies are in per cent, ${seedsNote}; published ones are as printed`] : [];
}

/** Splits are many and square; other figures have the width of the page. */
function figuresOf(drawn: readonly DrawnFigure[]): Markup[] {
  const shown = (beside: boolean) =>
    drawn.filter((each) => each.beside === beside).map(({ caption, svg }) => figure(caption, svg));
  const squares = shown(true);
  return [...shown(false), ...(squares.length === 0 ? [] : [besideEachOther(squares)])];
}

async function htmlReport(
  { study, preset, finished, command, report: { sections, findings } }: StudyContext,
  drawn: ReadonlyMap<string, readonly DrawnFigure[]>,
): Promise<string> {
  const { reduces, shows, cost } = study.presets[preset];
  const found: PageSection = {
    heading: "Findings",
    body: [
      bulletList(
        findings.map(
          ({ claim, verdict, evidence }): Markup => html`<strong>${claim}: ${verdict}.</strong> ${evidence}.`,
        ),
      ),
    ],
  };
  const parts = sections.map(
    ({ name, heading, text, tables }): PageSection => ({
      heading,
      id: name,
      body: [paragraph(text), ...tables.map(studyTableHtml), ...figuresOf(drawn.get(name) ?? [])],
    }),
  );
  const made: PageSection = {
    heading: "How it was made",
    body: [
      definitions([
        ["Preset", preset],
        ["Smaller than the paper", reduces],
        ["It can show", shows],
        ["Cost", cost],
        ["Finished", progressOf(finished)],
        ...seedsText({ sections }).map((text): [string, string] => ["Numbers", text]),
      ]),
      commands([command]),
    ],
  };
  return htmlPage({
    title: study.title,
    lead: `${study.question} After ${study.paper}.`,
    sections: [found, ...parts, made],
  });
}
