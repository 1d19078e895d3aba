/** How runs came to what they found: losses and accuracies by epoch, runs of one label together. */

import { lineChart } from "../charts/line-chart.ts";
import type { Figure } from "../core/section.ts";
import { meanOverSeeds } from "../core/statistics/index.ts";
import { percentText } from "../core/words.ts";
import { runFiles } from "./run-folder.ts";
import { checkedText } from "./run-manifest.ts";

export interface CurveGroup {
  label: string;
  /** Of its runs, one a seed. */
  folders: readonly string[];
}

export interface HistoryRow {
  stage: string;
  epoch: number;
  numbers: Readonly<Record<string, number | null>>;
}

const curves = [
  { name: "validation-accuracy", column: "val_accuracy", title: "validation accuracy", format: ".1~%" },
  { name: "training-loss", column: "train_loss", title: "training loss", format: ".4~g" },
] as const;

/** Columns of the history that say which share of the validation images' predictions follow the class, or a cue. */
export const preferencePrefix = "val_follows_";

/** More figures than these are a wall. */
const mostPreferences = 6;

/** More lines than colours tell nothing apart. */
const mostLines = 8;

const mostTicks = 8;

/** A figure a number that any run has of two epochs or more; the mean over seeds, with Student's 95% interval. */
export function learningCurves(
  groups: readonly CurveGroup[],
  { title: heading, width }: { title?: string | undefined; width?: number | undefined } = {},
): Figure[] {
  const shown = groups.slice(0, mostLines);
  const histories = shown.map(({ folders }) => folders.map(readHistory));
  const preferences = shown.flatMap(({ label }, i) => preferenceFigure(label, histories[i]!, i));
  const learned = curves.flatMap(({ name, column, title, format }) => {
    const points = shown.flatMap(({ label }, i) => pointsOf(label, histories[i]!, column));
    if (new Set(points.map(({ x }) => x)).size < 2) return [];
    const ends = shown.flatMap(({ label }) => {
      const last = points.findLast(({ series }) => series === label);
      return last === undefined ? [] : [`${label} ends at ${ended(last.y, format)}`];
    });
    const left = groups.length > mostLines ? `; the first ${mostLines} of ${groups.length} are drawn` : "";
    const seeds = shown.some(({ folders }) => folders.length > 1)
      ? ", mean over seeds with 95% interval"
      : "";
    const caption = `${title} by epoch${seeds}: ${ends.join(", ")}${left}`;
    const y = { title, format };
    const x = {
      title: "epoch",
      // "d" would be taken for a reason to leave labels away.
      format: ".0f",
      values: wholeTicks(Math.max(...points.map((point) => point.x))),
    };
    return [
      {
        name,
        caption,
        draw: () => lineChart({ description: caption, title: heading, width, x, y, points }),
      },
    ];
  });
  return [...learned, ...preferences.slice(0, mostPreferences)];
}

/** Which of object and cues a network follows, and when: Li et al. 2023, Fig. 6. */
function preferenceFigure(
  label: string,
  histories: readonly (readonly HistoryRow[])[],
  place: number,
): Figure[] {
  const columns = Object.keys(histories.flat()[0]?.numbers ?? {}).filter((name) =>
    name.startsWith(preferencePrefix),
  );
  const points = columns.flatMap((column) =>
    pointsOf(column.slice(preferencePrefix.length), histories, column),
  );
  if (new Set(points.map(({ x }) => x)).size < 2) return [];
  const ends = distinctSeries(points).map((series) => {
    const own = points.filter((point) => point.series === series);
    return `${series} from ${ended(own[0]!.y, "%")} to ${ended(own.at(-1)!.y, "%")}`;
  });
  const caption =
    `${label}: share of validation predictions that equal the class, and the class that each cue names, by epoch; groups of ` +
    `class and cues count the same: ${ends.join(", ")}`;
  const x = {
    title: "epoch",
    format: ".0f",
    values: wholeTicks(Math.max(...points.map((point) => point.x))),
  };
  return [
    {
      name: place === 0 ? "cue-preference" : `cue-preference-${place + 1}`,
      caption,
      draw: () =>
        lineChart({
          description: caption,
          title: label,
          x,
          y: { title: "predictions that follow" },
          points,
        }),
    },
  ];
}

function distinctSeries(points: readonly { series: string }[]): string[] {
  return [...new Set(points.map(({ series }) => series))];
}

/** Epochs to write on the axis: half of one is none. */
function wholeTicks(last: number): number[] {
  const apart = Math.ceil(last / mostTicks);
  return Array.from({ length: Math.floor(last / apart) }, (_, i) => (i + 1) * apart);
}

function ended(value: number, format: string): string {
  return format.endsWith("%") ? percentText(value) : value.toPrecision(3);
}

function isShare(name: string): boolean {
  return (
    name.startsWith(preferencePrefix) ||
    curves.some(({ column, format }) => column === name && format.endsWith("%"))
  );
}

/** Epochs of all stages one after the other; those that only some seeds have are means of these. */
function pointsOf(series: string, histories: readonly (readonly HistoryRow[])[], column: string) {
  const longest = Math.max(0, ...histories.map(({ length }) => length));
  return Array.from({ length: longest }, (_, epoch) => {
    const values = histories.flatMap((history) => history[epoch]?.numbers[column] ?? []);
    if (values.length === 0) return undefined;
    const { mean, low, high } = meanOverSeeds(values);
    // Few seeds have wide intervals; no share lies outside of these.
    const within = (end: number | undefined) =>
      end === undefined || !isShare(column) ? end : Math.min(1, Math.max(0, end));
    return { x: epoch + 1, y: mean, series, low: within(low), high: within(high) };
  }).filter((point) => point !== undefined);
}

/** Empty for a run that keeps none. */
export function readHistory(folder: string): HistoryRow[] {
  const text = checkedText(folder, runFiles.history);
  if (text === undefined) return [];
  const [head = "", ...lines] = text.trimEnd().split("\n");
  const [, , ...columns] = cellsOf(head);
  return lines.map((line) => {
    const [stage = "", epoch = "", ...cells] = cellsOf(line);
    const numbers = columns.map((name, i) => {
      const cell = cells[i] ?? "";
      return [name, cell === "" ? null : Number(cell)] as const;
    });
    return { stage, epoch: Number(epoch), numbers: Object.fromEntries(numbers) };
  });
}

/** Names of stages and columns may be quoted; none holds a line break. */
function cellsOf(line: string): string[] {
  return [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
    ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? "",
  );
}
