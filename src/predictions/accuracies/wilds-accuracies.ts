/** The logs that WILDS' training writes (`id_val_eval.csv`, `test_eval.csv`, a row an epoch) as one table. */

import { basename, dirname } from "node:path";
import { csvRows } from "../../tables/csv-rows.ts";
import type { AccuracyTable } from "./column-table.ts";
import { memoryColumns } from "./memory-columns.ts";

const logName = /^(.+)_eval\.csv$/;

export function isWildsLog(path: string): boolean {
  return logName.test(basename(path));
}

type WildsAccuracyRow = Map<string, string | number>;

/** Columns such as `id_val.acc_avg`, with the run's folder and the epoch. */
export async function openWildsLogs(path: string, files: readonly string[]): Promise<AccuracyTable> {
  const rows = new Map<string, WildsAccuracyRow>();
  const columns = new Set(["run", "epoch"]);
  for (const file of files) {
    const split = logName.exec(basename(file))![1]!;
    let names: string[] = [];
    let place = -1;
    for await (const { cells } of csvRows(file, (header) => {
      names = header;
      place = header.indexOf("epoch");
    })) {
      const run = dirname(file);
      const epoch = cells[place] ?? "";
      const row = existing(rows, `${run}\n${epoch}`, { run, epoch });
      for (const [i, name] of names.entries()) {
        if (i === place || name === "") continue;
        columns.add(`${split}.${name}`);
        row.set(`${split}.${name}`, cells[i]!);
      }
    }
  }
  return memoryColumns(path, [...columns], [...rows.values()]);
}

function existing(
  rows: Map<string, WildsAccuracyRow>,
  key: string,
  begin: Record<string, string>,
): WildsAccuracyRow {
  const row = rows.get(key) ?? new Map<string, string | number>(Object.entries(begin));
  rows.set(key, row);
  return row;
}
