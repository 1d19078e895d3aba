/** A prediction table in a CSV file with a header. */

import { readCsv } from "../csv.ts";
import { batchRows, type PredictionTable, type TableBatch } from "./table.ts";

export async function openCsvTable(path: string): Promise<PredictionTable> {
  let columns: string[] = [];
  for await (const _ of readCsv(path, (names) => {
    columns = names;
  }))
    break;
  return { path, columns, remarks: [], batches: (wanted) => batches(path, columns, wanted) };
}

async function* batches(
  path: string,
  columns: readonly string[],
  wanted: readonly string[],
): AsyncGenerator<TableBatch> {
  const places = wanted.map((name) => columns.indexOf(name));
  const empty = () => places.map((): string[] => []);
  let [cells, first, count] = [empty(), 1, 0];
  for await (const row of readCsv(path, () => {})) {
    for (let i = 0; i < places.length; i++) cells[i]!.push(row[places[i]!]!);
    if (++count < batchRows) continue;
    yield { first, count, columns: cells };
    [cells, first, count] = [empty(), first + count, 0];
  }
  if (count > 0) yield { first, count, columns: cells };
}
