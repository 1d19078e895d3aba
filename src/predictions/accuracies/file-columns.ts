/** Some columns of a table of accuracies in a CSV or Parquet file. */

import { CuelabError } from "../../core/errors.ts";
import { openTableFile } from "../../tables/open-table.ts";
import type { CodedColumn, ColumnRequest as FileRequest, NumberColumn } from "../../tables/table.ts";
import type { AccuracyTable } from "./column-table.ts";

/** Models may be told apart by a text each. */
const mostTexts = 16_000_000;

export async function openFileColumns(path: string): Promise<AccuracyTable> {
  const table = await openTableFile(path);
  return {
    path,
    columns: table.columns,
    remarks: table.remarks,
    async read(request, { signal, onRows } = {}) {
      const numbers = request.numbers.map(() => new FileRows(Float64Array));
      const codes = request.texts.map(() => new FileRows(Uint32Array));
      const values: (readonly string[])[] = request.texts.map(() => []);
      const wanted: FileRequest[] = [
        ...request.numbers.map((name) => ({ name, as: "numbers" as const })),
        ...request.texts.map((name) => ({ name, as: "codes" as const, most: mostTexts })),
      ];
      let rows = 0;
      for await (const { count, columns } of table.batches(wanted, { signal })) {
        for (const [i, name] of request.numbers.entries()) {
          const column = columns[i] as NumberColumn;
          if (column.wrong) throw noNumber(path, name, column.wrong);
          numbers[i]!.add(column.numbers);
        }
        for (const [i, name] of request.texts.entries()) {
          const column = columns[request.numbers.length + i] as CodedColumn;
          if (column.overflowed) throw tooManyTexts(path, name);
          codes[i]!.add(column.codes);
          values[i] = column.texts;
        }
        rows += count;
        onRows?.(rows);
      }
      return {
        rows,
        numbers: new Map(request.numbers.map((name, i) => [name, numbers[i]!.all()])),
        texts: new Map(
          request.texts.map((name, i) => [name, { codes: codes[i]!.all(), values: values[i]! }]),
        ),
      };
    },
  };
}

/** One column while its batches come in. */
class FileRows<Numbers extends Float64Array | Uint32Array> {
  readonly #make: new (
    length: number,
  ) => Numbers;
  readonly #parts: ArrayLike<number>[] = [];
  #length = 0;

  constructor(make: new (length: number) => Numbers) {
    this.#make = make;
  }

  add(part: ArrayLike<number>): void {
    this.#parts.push(part);
    this.#length += part.length;
  }

  all(): Numbers {
    const all = new this.#make(this.#length);
    let at = 0;
    // Each part is let go once it is copied.
    for (let part = this.#parts.shift(); part !== undefined; part = this.#parts.shift()) {
      all.set(part, at);
      at += part.length;
    }
    return all;
  }
}

function noNumber(
  path: string,
  column: string,
  { row, line, text }: { row: number; line?: number | undefined; text: string },
): CuelabError {
  return new CuelabError({
    kind: "input",
    what: "a cell is no number",
    where: `${path}, ${line === undefined ? `row ${row}` : `line ${line}`}, column ${column}`,
    expected: "a number, or nothing",
    got: JSON.stringify(text),
    ...(/±|\(/.test(text) && { todo: "keep the number alone, and its spread in a column of its own" }),
  });
}

function tooManyTexts(path: string, column: string): CuelabError {
  return new CuelabError({
    kind: "input",
    what: `column "${column}" has too many different texts to tell rows apart`,
    where: path,
    expected: "at most 64 MB of them",
    got: "more",
  });
}
