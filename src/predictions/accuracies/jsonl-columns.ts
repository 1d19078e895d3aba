/** One JSON object a line, as DomainBed's results.jsonl: `args.dataset` and `hparams.lr` are columns too. */

import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { CuelabError } from "../../core/errors.ts";
import { cellText } from "../codebook.ts";
import { type AccuracyTable, ColumnBuilder, cellNumber } from "./column-table.ts";

type JsonCells = Map<string, unknown>;

/** Reads the file twice, once for the names: lines need not have the same keys. */
export async function openJsonlColumns(path: string): Promise<AccuracyTable> {
  const names = new Set<string>();
  for await (const { cells } of records(path)) for (const name of cells.keys()) names.add(name);
  if (names.size === 0) {
    throw new CuelabError({ kind: "input", what: "the file holds no results", where: path });
  }
  return {
    path,
    columns: [...names],
    remarks: [],
    async read(request, { signal, onRows } = {}) {
      const builder = new ColumnBuilder(request);
      for await (const { cells, line } of records(path)) {
        signal?.throwIfAborted();
        for (const [i, name] of request.numbers.entries()) {
          const place = () => `${path}, line ${line}, ${name}`;
          builder.setNumber(i, cellNumber(cells.get(name), place));
        }
        for (const [i, name] of request.texts.entries()) builder.setText(i, cellText(cells.get(name)));
        builder.endRow();
        if (builder.rows % 10_000 === 0) onRows?.(builder.rows);
      }
      return builder.finish();
    },
  };
}

async function* records(path: string): AsyncGenerator<{ cells: JsonCells; line: number }> {
  const input = createReadStream(path);
  let line = 0;
  try {
    for await (const text of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      line++;
      if (text.trim() === "") continue;
      yield { cells: flattened(parsed(text, path, line)), line };
    }
    // The lines end quietly where the file cannot be read.
    if (input.errored) throw input.errored;
  } finally {
    input.destroy();
  }
}

function parsed(text: string, path: string, line: number): object {
  let value: unknown;
  try {
    // Python writes NaN and Infinity bare, which JSON does not have.
    value = JSON.parse(text.replace(/(?<=[:[,]\s*)(?:NaN|-?Infinity)(?=\s*[,\]}])/g, "null"));
  } catch (cause) {
    throw notJson(path, line, (cause as Error).message, cause);
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw notJson(path, line, text.slice(0, 80));
}

function flattened(value: object, prefix = "", into: JsonCells = new Map()): JsonCells {
  for (const [key, inner] of Object.entries(value) as [string, unknown][]) {
    if (typeof inner === "object" && inner !== null && !Array.isArray(inner)) {
      flattened(inner, `${prefix}${key}.`, into);
    } else into.set(`${prefix}${key}`, inner);
  }
  return into;
}

function notJson(path: string, line: number, got: string, cause?: unknown): CuelabError {
  return new CuelabError({
    kind: "input",
    what: "a line is no JSON object",
    where: `${path}, line ${line}`,
    got,
    cause,
  });
}
