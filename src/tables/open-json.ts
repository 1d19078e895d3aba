/**
 * A table in JSON: an object a line (`.jsonl`, `.ndjson`), or one list of objects, as `df.to_json(path, orient="records")` writes with
 * `lines=True` and without. Objects within objects are columns too, with a dot: DomainBed's `hparams.lr`; a list
 * of `logits` or `probs` is a column a class, as in an npz.
 */

import { CuelabError } from "../core/errors.ts";
import { parseExact } from "../core/exact-json.ts";
import { limited, requireLimit } from "../core/limits.ts";
import { utf8 } from "../core/utf8.ts";
import { guardedNow } from "../disk/guarded.ts";
import { openPlain, readPlain, streamPlain } from "../disk/plain-file.ts";
import { scoreArrays } from "./score-arrays.ts";
import type { TableFile } from "./table.ts";
import { mostPartRows, type ValuePart, valueBatches } from "./value-batches.ts";

type JsonCells = ReadonlyMap<string, string | number>;

/** A list is read at once; lines are not. */
const mostListBytes = 1 << 28;

export async function openJson(path: string): Promise<TableFile> {
  const rows = await readerOf(path);
  // Once for the names: rows need not have the same keys.
  const columns = new Set<string>();
  let [count, there] = [0, 0];
  for await (const cells of rows()) {
    for (const name of cells.keys()) columns.add(name);
    count++;
    there += cells.size;
  }
  requireFilled(path, { cells: count * columns.size, there });
  if (columns.size === 0) {
    throw new CuelabError({
      kind: "input",
      what: "the file holds no rows",
      where: path,
      expected: "objects",
    });
  }
  const remarks: string[] = [];
  return {
    path,
    columns: [...columns],
    rows: count,
    remarks,
    batches: (wanted, options) =>
      valueBatches(path, wanted, inParts(rows()), options, (found) => {
        for (const remark of found) if (!remarks.includes(remark)) remarks.push(remark);
      }),
  };
}

/** Rows that name a column of their own each make a table of far more cells than the file has. */
function requireFilled(path: string, { cells, there }: { cells: number; there: number }): void {
  if (cells <= 10 * there) return;
  const got = `${cells.toLocaleString("en")} cells, of which ${there.toLocaleString("en")} are in the file`;
  limited("the rows have hardly a column in common", path, () => requireLimit("entries", cells, got));
}

async function* inParts(rows: AsyncIterable<JsonCells>): AsyncGenerator<ValuePart> {
  let held: JsonCells[] = [];
  const part = (taken: readonly JsonCells[]): ValuePart => ({
    count: taken.length,
    cell: (column, row) => taken[row]!.get(column) ?? "",
  });
  for await (const cells of rows) {
    held.push(cells);
    if (held.length < mostPartRows) continue;
    yield part(held);
    held = [];
  }
  if (held.length > 0) yield part(held);
}

/** By its first character: a list, or lines. */
async function readerOf(path: string): Promise<() => AsyncIterable<JsonCells>> {
  const first = await firstCharacter(path);
  if (first !== "[") return () => linesOf(path);
  const list = await listOf(path);
  return async function* rows() {
    yield* list;
  };
}

async function firstCharacter(path: string): Promise<string | undefined> {
  try {
    const file = await openPlain(path);
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(4096), 0, 4096, 0);
      return /[^\s\ufeff]/.exec(buffer.toString("utf8", 0, bytesRead))?.[0];
    } finally {
      await file.close();
    }
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

async function* linesOf(path: string): AsyncGenerator<JsonCells> {
  let line = 0;
  for await (const bytes of byteLines(path)) {
    line++;
    const where = `${path}, line ${line}`;
    const text = guardedNow(where, () => utf8(bytes));
    if (text.trim() === "") continue;
    // Where two files were put together; others refuse it.
    if (line > 1 && text.startsWith("\ufeff")) throw noRow(where, "a byte order mark within the file");
    yield cellsOf(parsed(text, where), where);
  }
}

/** By line feeds alone: other characters that end lines elsewhere may stand within a text of JSON. */
async function* byteLines(path: string): AsyncGenerator<Buffer> {
  let begun: Buffer[] = [];
  for await (const chunk of (await streamPlain(path)) as AsyncIterable<Buffer>) {
    let first = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, first)) {
      yield Buffer.concat([...begun, chunk.subarray(first, at)]);
      begun = [];
      first = at + 1;
    }
    begun.push(chunk.subarray(first));
  }
  yield Buffer.concat(begun);
}

async function listOf(path: string): Promise<JsonCells[]> {
  const bytes = await readPlain(path).catch((cause: unknown) => {
    throw unreadable(path, cause);
  });
  if (bytes.length > mostListBytes) {
    throw new CuelabError({
      kind: "input",
      what: "the list is too large to be read at once",
      where: path,
      expected: `at most ${mostListBytes >> 20} MB`,
      got: `${bytes.length >> 20} MB`,
      todo: "write an object a line (.jsonl); in pandas: df.to_json(path, orient='records', lines=True)",
    });
  }
  const rows = parsed(
    guardedNow(path, () => utf8(bytes)),
    path,
  ) as unknown[];
  return rows.map((row, i) => cellsOf(row, `${path}, row ${i + 1}`));
}

function parsed(text: string, where: string): unknown {
  try {
    return parseExact(text);
  } catch (cause) {
    throw noRow(where, (cause as Error).message, cause);
  }
}

function cellsOf(row: unknown, where: string): JsonCells {
  if (typeof row !== "object" || row === null || Array.isArray(row))
    throw noRow(where, (JSON.stringify(row) ?? "nothing").slice(0, 80));
  return flattened(row, "", new Map());
}

function flattened(value: object, prefix: string, into: Map<string, string | number>): JsonCells {
  for (const [key, inner] of Object.entries(value) as [string, unknown][]) {
    if (typeof inner === "object" && inner !== null && !Array.isArray(inner)) {
      flattened(inner, `${prefix}${key}.`, into);
    } else if (Array.isArray(inner) && scoreArrays.has(key)) {
      for (const [i, score] of inner.entries()) into.set(`${scoreArrays.get(key)}${i}`, cellOf(score));
    } else into.set(`${prefix}${key}`, cellOf(inner));
  }
  return into;
}

function cellOf(value: unknown): string | number {
  if (typeof value === "number" || typeof value === "string") return value;
  return value === null || value === undefined ? "" : JSON.stringify(value);
}

function noRow(where: string, got: string, cause?: unknown): CuelabError {
  return new CuelabError({
    kind: "input",
    what: "a row is no JSON object",
    where,
    expected: '{"y_true": …, "y_pred": …}, one a line, or a list of them',
    got,
    cause,
  });
}

function unreadable(path: string, cause: unknown): CuelabError {
  if (cause instanceof CuelabError) return cause;
  return new CuelabError({
    kind: "input",
    what: "the table cannot be read",
    where: path,
    got: (cause as Error).message,
    cause,
  });
}
