/** A list of runs as a table of chosen columns: what is known of each, places in its spec, accuracies. */

import { duration } from "../core/duration.ts";
import { CuelabError } from "../core/errors.ts";
import { didYouMean } from "../core/nearest.ts";
import { ourWords } from "../core/other-words.ts";
import { type Cell, percentCell, type Table } from "../core/section.ts";
import { leavesOf } from "../core/spec-differences.ts";
import type { ListedRun } from "../runs/listed-runs.ts";
import { runFormatVersion } from "../runs/run-folder.ts";
import { slicesIn, wholeNames } from "./comparison.ts";

/** A number is told from a text, so that columns sort as people expect. */
interface ColumnKind {
  title?: string;
  of: (run: ListedRun, leaves: ReadonlyMap<string, string>) => Cell;
}

const text = (value: string | null | undefined): Cell => (value === undefined || value === "" ? null : value);

/** Columns by name; places in the spec and slices are columns, too. */
const kinds: Readonly<Record<string, ColumnKind>> = {
  run: {
    of: ({ id, format }) =>
      format === null || format === runFormatVersion ? id : `${id} (format ${format})`,
  },
  state: { of: ({ state }) => state },
  started: { of: ({ started }) => text(minuteOf(started)) },
  ended: { of: ({ ended }) => text(minuteOf(ended)) },
  took: { of: ({ seconds }) => (seconds === null ? null : { value: seconds, text: duration(seconds) }) },
  "core-seconds": {
    of: ({ coreSeconds }) =>
      coreSeconds === null ? null : { value: coreSeconds, text: coreSeconds.toFixed(1) },
  },
  sweep: { of: ({ sweep }) => sweep },
  label: { of: ({ label }) => label },
  detail: { of: ({ detail }) => text(detail) },
  data: { of: (_, leaves) => leaves.get("data.name") ?? leaves.get("data.path") ?? null },
  model: { of: (_, leaves) => leaves.get("model.name") ?? null },
  method: { of: (_, leaves) => leaves.get("method.name") ?? null },
  explicit: { of: (_, leaves) => text(leaves.get("method.explicit")) },
  seed: { of: (_, leaves) => leafCell(leaves.get("seed")) },
  epoch: { of: ({ epoch }) => (epoch === null ? null : { value: epoch, text: String(epoch) }) },
  host: { of: ({ host }) => host },
  version: { of: ({ version }) => version },
  build: { of: ({ builds }) => text(builds.join(" then ")) },
  command: { of: ({ command }) => command },
  note: { of: ({ notes }) => text(notes.join("; ")) },
  error: { of: ({ error }) => error },
  folder: { of: ({ folder }) => folder },
};

export const runColumnNames: readonly string[] = Object.keys(kinds);

/** Those that most people want, where any run has something to say there. */
const usual = [
  "run",
  "state",
  "started",
  "took",
  "label",
  "data",
  "model",
  "method",
  "explicit",
  "seed",
  "note",
  "error",
];
const mostSlices = 4;

export interface RunTableOptions {
  /** By default what most people want. */
  columns?: readonly string[] | undefined;
  /** Accuracies, after the columns; by default the first few. */
  slices?: readonly string[] | undefined;
  /** A column; the largest or latest first with a minus before it. */
  sort?: string | undefined;
}

/** The runs in the order of the table beside it. */
export function runTable(
  runs: readonly ListedRun[],
  { columns, slices, sort }: RunTableOptions,
): { table: Table; runs: ListedRun[] } {
  const known = new RunColumns(runs);
  const [descending, by] = sort?.startsWith("-") ? [true, sort.slice(1)] : [false, sort];
  const order = by === undefined ? runs.map((_, i) => i) : known.order(known.kind(by, "--sort"), descending);
  const names = columns === undefined ? usual : known.whole(columns);
  const asked = names.map((name) => ({ name, kind: known.kind(name, "--columns") }));
  const shown = asked.filter(
    ({ name, kind }) =>
      columns !== undefined || name === "run" || known.cells(kind).some((cell) => cell !== null),
  );
  const accuracies = slices ?? (columns === undefined ? known.slices.slice(0, mostSlices) : []);
  const all = [...shown, ...accuracies.map((name) => ({ name, kind: sliceKind(name) }))];
  const cells = all.map(({ kind }) => known.cells(kind));
  return {
    table: {
      name: "runs",
      caption: "",
      columns: all.map(({ name }) => ({ title: name })),
      rows: order.map((row) => ({ cells: cells.map((column) => column[row]!) })),
    },
    runs: order.map((row) => runs[row]!),
  };
}

class RunColumns {
  readonly slices: string[];
  readonly #runs: readonly ListedRun[];
  readonly #leaves: Map<string, string>[];
  readonly #paths: string[];

  constructor(runs: readonly ListedRun[]) {
    this.#runs = runs;
    this.#leaves = runs.map(({ spec }) => leavesOf(spec));
    this.#paths = [...new Set(this.#leaves.flatMap((leaves) => [...leaves.keys()]))];
    this.slices = slicesIn(runs);
  }

  /** Slices have commas in their names, which a list by commas has cut. */
  whole(parts: readonly string[]): string[] {
    return wholeNames(parts, this.slices);
  }

  kind(name: string, where: string): ColumnKind {
    const own = kinds[name];
    if (own !== undefined) return own;
    if (this.slices.includes(name)) return sliceKind(name);
    if (this.#paths.includes(name)) return { of: (_, leaves) => leafCell(leaves.get(name)) };
    const all = [...runColumnNames, ...this.slices, ...this.#paths];
    const word = ourWords(name).find((ours) => all.includes(ours));
    throw new CuelabError({
      kind: "usage",
      what: `runs have no column "${name}"`,
      where,
      expected: `some of: ${[...runColumnNames, ...this.slices].join(", ")}; or a place in the spec, such as optimiser.rate`,
      ...(word === undefined ? didYouMean(name, all) : { todo: `did you mean "${word}"?` }),
    });
  }

  cells({ of }: ColumnKind): Cell[] {
    return this.#runs.map((run, i) => of(run, this.#leaves[i]!));
  }

  /** Rows by a column; those without a value last, whichever way. */
  order(kind: ColumnKind, descending: boolean): number[] {
    const keys = this.cells(kind).map((cell) =>
      typeof cell === "object" && cell !== null && "value" in cell ? cell.value : (cell as string | null),
    );
    const places = keys.map((_, i) => i);
    return places.sort((a, b) => {
      const [one, other] = [keys[a], keys[b]];
      if (one === null || one === undefined || other === null || other === undefined)
        return Number(one === null) - Number(other === null) || a - b;
      return (one < other ? -1 : one > other ? 1 : 0) * (descending ? -1 : 1) || a - b;
    });
  }
}

function sliceKind(slice: string): ColumnKind {
  return {
    of: ({ accuracy }) => {
      const found = accuracy.find((row) => row.slice === slice);
      return found === undefined ? null : percentCell(found.accuracy);
    },
  };
}

function leafCell(leaf: string | undefined): Cell {
  if (leaf === undefined || leaf === "") return null;
  const value = Number(leaf);
  return Number.isFinite(value) ? { value, text: leaf } : leaf;
}

/** 2026-11-18 07:30, by the clock of who reads it. */
function minuteOf(iso: string | null): string | undefined {
  if (iso === null) return undefined;
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return iso;
  const two = (n: number) => String(n).padStart(2, "0");
  const day = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  return `${day} ${two(time.getHours())}:${two(time.getMinutes())}`;
}
