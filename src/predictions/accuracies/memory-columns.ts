/** A small table of accuracies that was put together from several files. */

import { type AccuracyTable, ColumnBuilder, cellNumber } from "./column-table.ts";

export function memoryColumns(
  path: string,
  columns: readonly string[],
  rows: readonly ReadonlyMap<string, string | number>[],
  remarks: readonly string[] = [],
): AccuracyTable {
  return {
    path,
    columns,
    remarks,
    read(request) {
      const builder = new ColumnBuilder(request);
      for (const [row, cells] of rows.entries()) {
        for (const [i, name] of request.numbers.entries()) {
          builder.setNumber(
            i,
            cellNumber(cells.get(name), () => `${path}, row ${row + 1}, column ${name}`),
          );
        }
        for (const [i, name] of request.texts.entries()) builder.setText(i, String(cells.get(name) ?? ""));
        builder.endRow();
      }
      return Promise.resolve(builder.finish());
    },
  };
}
