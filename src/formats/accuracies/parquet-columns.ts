/** Some columns of a Parquet file of accuracies. */

import { cellText } from "../predictions/codebook.ts";
import { openParquetTable } from "../predictions/parquet-table.ts";
import { type AccuracyTable, ColumnBuilder, cellNumber } from "./column-table.ts";

export async function openParquetColumns(path: string): Promise<AccuracyTable> {
  const table = await openParquetTable(path);
  return {
    path,
    columns: table.columns,
    remarks: [],
    async read(request, { signal, onRows } = {}) {
      const builder = new ColumnBuilder(request);
      const { numbers, texts } = request;
      for await (const { count, columns } of table.batches([...numbers, ...texts])) {
        signal?.throwIfAborted();
        for (let row = 0; row < count; row++) {
          const place = (column: string) => () => `${path}, row ${builder.rows + 1}, column ${column}`;
          for (let i = 0; i < numbers.length; i++) {
            const cell = columns[i]![row];
            builder.setNumber(i, typeof cell === "number" ? cell : cellNumber(cell, place(numbers[i]!)));
          }
          for (let i = 0; i < texts.length; i++)
            builder.setText(i, cellText(columns[numbers.length + i]![row]));
          builder.endRow();
        }
        onRows?.(builder.rows);
      }
      return builder.finish();
    },
  };
}
