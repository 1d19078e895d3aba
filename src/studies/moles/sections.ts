/** The boards as tables and pictures, one a world, and one table over all. */

import { moleMatrix } from "../../audits/moles/figures.ts";
import { type Cell, type Figure, type Row, type Section, seedsCell, type Table } from "../../core/section.ts";
import { type CueVerdict, moleSentence } from "../../metrics/moles/index.ts";
import { budgetTable } from "../budget-table.ts";
import { labelsSpelled } from "../compared-methods.ts";
import { dotsFigure } from "../figures.ts";
import type { MeasuredCase, MeasuredRuns } from "../jobs/runs-job.ts";
import { type Board, ruleOfBoard } from "./board.ts";
import { changeCell, ratioCell } from "./cells.ts";
import { rowsNamed } from "./rows.ts";
import { gapOf, gapsBy, honestWords, labelsOf, missingVerdicts } from "./standings.ts";

/** Of one world: epochs chosen as papers do, then with no labels that a method was not given. */
export function worldSection({ job, cases }: MeasuredRuns, boards: readonly [Board, Board]): Section {
  const [oracle] = boards;
  return {
    name: job.name,
    heading: job.title,
    text: [
      ...oracle.rows.flatMap(({ label, judged }) => (judged ? [`${label}: ${moleSentence(judged)}`] : [])),
      honestWords,
      `${labelsSpelled(rowsNamed("all").filter(({ label }) => cases.some(({ method }) => method === label)))}.`,
    ].join("\n\n"),
    tables: [...boards.map((board) => boardTable(job.name, board)), budgetTable(`${job.name}-budget`, cases)],
    figures: oracle.rows.some(({ judged }) => judged)
      ? [matrixOf(job.name, job.title, oracle), changesFigure(job.name, oracle)]
      : [],
    remarks: missingVerdicts(cases, oracle.isUntrained),
  };
}

/** Read in ten seconds: curing one did what to the other. */
function matrixOf(name: string, title: string, { rows }: Board): Figure {
  const judged = rows.flatMap(({ label, judged }) => (judged ? [{ name: label, judged }] : []));
  return moleMatrix(`${name}-moles`, title, judged);
}

const chosenWords = {
  oracle: "epochs chosen by the worst of all groups",
  honest: "epochs chosen with no labels but those a method was given",
} as const;

function boardTable(name: string, board: Board): Table {
  const { cues, baseline, rows } = board;
  const caption = `${chosenWords[board.chosenBy]}: I.D. accuracy, gap of each cue and of all together in per cent, method less baseline in points with its interval, and the verdict`;
  return {
    name: `${name}-${board.chosenBy}`,
    caption: `${caption[0]!.toUpperCase()}${caption.slice(1)}`,
    columns: [
      { title: "Method" },
      { title: "Labels in selection" },
      { title: "I.D." },
      ...cues.flatMap((cue) => [
        { title: "gap", group: cue },
        { title: "less baseline", group: cue },
        { title: "ratio", group: cue },
        { title: "verdict", group: cue },
      ]),
      { title: "gap", group: cues.join(" + ") },
    ],
    rows: [
      ...(baseline === undefined ? [] : [rowOf(board, baseline.method, baseline, undefined)]),
      ...rows.map(({ label, case: each, judged }) => rowOf(board, label, each, judged?.cues)),
    ],
  };
}

function rowOf(
  board: Board,
  label: string,
  each: MeasuredCase,
  judged: readonly CueVerdict[] | undefined,
): Row {
  const rule = ruleOfBoard(board, each);
  const gaps = gapsBy(each, rule).map(({ gaps }) => gaps);
  if (gaps.length === 0) {
    const empty = Array<null>(4 * board.cues.length + 1).fill(null);
    return { cells: [label, labelsOf(rule), each.failures[0] ?? null, ...empty] };
  }
  const gapCell = (cues: readonly string[]) => seedsCell(gaps.map((own) => gapOf(own, cues)));
  return {
    cells: [
      label,
      labelsOf(rule),
      seedsCell(gaps.map(({ inDistribution }) => inDistribution)),
      ...board.cues.flatMap((cue): Cell[] => {
        const own = judged?.find(({ cues }) => cues.length === 1 && cues[0] === cue);
        return [gapCell([cue]), changeCell(own), ratioCell(own), own?.verdict ?? null];
      }),
      gapCell(board.cues),
    ],
  };
}

function changesFigure(name: string, { rows, cues }: Board): Figure {
  return dotsFigure(
    {
      name: `${name}-changes`,
      caption:
        "Method less baseline, each cue's gap: right of the line reliance went down, left of it it came up; intervals over seeds",
    },
    {
      value: { title: "change of the gap" },
      reference: { value: 0, label: "as the baseline" },
      points: rows.flatMap(({ label, judged }) =>
        cues.flatMap((cue) => {
          const own = judged?.cues.find((each) => each.cues.length === 1 && each.cues[0] === cue);
          if (own === undefined) return [];
          const { value, interval } = own.gap;
          return [
            { row: label, series: cue, value, ...(interval && { low: interval.low, high: interval.high }) },
          ];
        }),
      ),
    },
  );
}

/** Every method on every world, a verdict a cell. */
export function overallSection(boards: readonly Board[]): Section {
  const rows = boards.flatMap(({ world, rows: own }) =>
    own.flatMap(({ label, judged }): Row[] =>
      judged === undefined
        ? []
        : [
            {
              cells: [
                world.name,
                label,
                ...judged.cues
                  .filter(({ verdict }) => verdict !== null)
                  .map(({ cues, verdict }) => `${cues[0]}: ${verdict}`),
              ],
            },
          ],
    ),
  );
  return {
    name: "board",
    heading: "The board",
    ...(rows.length === 0 && { text: "No baseline has learned its task: there are no verdicts." }),
    tables: [
      {
        name: "board",
        caption:
          "What each method did to each of the two cues, by world; all cells are one family, adjusted by Holm",
        columns: [{ title: "World" }, { title: "Method" }, { title: "First cue" }, { title: "Second cue" }],
        rows,
      },
    ],
  };
}
