/** Columns that were put together in memory, as if they came from a file. */

import { NumberSink } from "./column-sinks.ts";
import { type BatchColumn, type ColumnRequest, type OddCell, TextCoder } from "./table.ts";

/** One wanted column over all batches of a table. */
export class MemoryColumn {
  readonly #request: ColumnRequest;
  readonly #coder = new TextCoder();

  constructor(request: ColumnRequest) {
    this.#request = request;
  }

  /** The cells of the rows from `first` on. */
  of(texts: readonly string[], first: number): BatchColumn {
    const { as } = this.#request;
    if (as === "texts") return { as, texts };
    if (as === "codes") {
      return this.#coder.column(Int32Array.from(texts, (text, row) => this.#coder.code(text, first + row)));
    }
    const sink = new NumberSink();
    sink.grow(texts.length);
    for (const [row, text] of texts.entries()) sink.text(text, row);
    const { numbers, missing, wrong } = sink.take(texts.length);
    const placed = (cell: OddCell | undefined) => cell && { ...cell, row: first + cell.row };
    return { as, numbers, missing: placed(missing), wrong: placed(wrong) };
  }
}
