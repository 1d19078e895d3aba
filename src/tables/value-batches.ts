/** Rows that come as values, from JSON or arrays, as batches of columns: checked and coded like those of texts. */

import { setImmediate } from "node:timers/promises";
import { sinkFor } from "./column-sinks.ts";
import { ChunkMerger } from "./merge-chunks.ts";
import type { ColumnRequest, ReadOptions, TableBatch } from "./table.ts";

/** Rows of a part at most: what is in memory at once, and how long others wait. */
export const mostPartRows = 8192;

/** Consecutive rows, at most so many. */
export interface ValuePart {
  count: number;
  /** The cell of one column; "" where there is nothing. */
  cell: (column: string, row: number) => string | number;
}

export async function* valueBatches(
  path: string,
  wanted: readonly ColumnRequest[],
  parts: AsyncIterable<ValuePart> | Iterable<ValuePart>,
  { signal }: ReadOptions = {},
  onEnd: (remarks: readonly string[]) => void = () => {},
): AsyncGenerator<TableBatch> {
  const merger = new ChunkMerger({ path, wanted });
  const sinks = wanted.map((request) => {
    const sink = sinkFor(request);
    sink.grow(mostPartRows);
    return sink;
  });
  for await (const { count, cell } of parts) {
    signal?.throwIfAborted();
    for (const [i, { name }] of wanted.entries()) {
      const sink = sinks[i]!;
      for (let row = 0; row < count; row++) {
        const value = cell(name, row);
        if (typeof value === "number" && sink.as === "numbers") sink.number(value, row);
        else sink.text(String(value), row);
      }
    }
    yield merger.merge({ rows: count, lines: 0, columns: sinks.map((sink) => sink.take(count)) }, 0);
    await setImmediate();
  }
  onEnd(merger.remarks());
}
