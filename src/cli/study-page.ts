/** A study's report for a terminal: the narrow tables, wide ones being in the files, and then findings. */

import { textTable } from "../reports/as-text.ts";
import { progressOf, type StudyContext } from "../reports/study/study-pages.ts";
import { formattedTable } from "../reports/study/study-table.ts";
import type { StudyTable } from "../studies/study.ts";

/** What a study has come to, and what of it failed. */
export interface StudyOutcome extends Pick<StudyContext, "report" | "finished" | "measured" | "splits"> {
  failed: readonly { id: string; label: string; error: string }[];
}

/** What fits a terminal. */
const mostColumns = 10;

export function studyPage({ study, preset, finished, report }: StudyContext): string {
  const { sections, findings } = report;
  const { reduces, shows } = study.presets[preset];
  return [
    study.title,
    `preset ${preset}; smaller than the paper: ${reduces}`,
    `can show: ${shows}`,
    ...(finished.done < finished.total ? [`finished: ${progressOf(finished)}`] : []),
    ...sections.flatMap(({ heading, tables }) => {
      const narrow = tables.filter(({ columns }) => columns.length <= mostColumns);
      return narrow.length === 0
        ? []
        : ["", heading, ...narrow.flatMap((table) => ["", tableText(table), table.caption])];
    }),
    "",
    "Findings",
    ...findings.map(
      ({ claim, verdict, evidence }) => `  ${verdict.toUpperCase()}: ${claim}\n    ${evidence}`,
    ),
  ].join("\n");
}

function tableText(table: StudyTable): string {
  const { columns, rows } = formattedTable(table);
  const marks = { 1: " ★", 2: " ☆" } as const;
  return textTable(
    columns.map(({ title }) => title),
    rows.map((cells) => cells.map(({ text, rank }) => `${text}${rank === undefined ? "" : marks[rank]}`)),
  );
}
