/**
 * WILDS' files as a table with one row a model: the logs that its training writes (`id_val_eval.csv`, `test_eval.csv`,
 * a row an epoch), and its prediction files together with the labels.
 */

import { basename, dirname } from "node:path";
import { readCsv } from "../csv.ts";
import { cellText } from "../predictions/codebook.ts";
import { rolesOf } from "../predictions/roles.ts";
import type { PredictionTable } from "../predictions/table.ts";
import { openWildsTable, wildsFile } from "../predictions/wilds-table.ts";
import type { AccuracyTable } from "./column-table.ts";
import { memoryColumns } from "./memory-columns.ts";

const logName = /^(.+)_eval\.csv$/;

export function isWildsLog(path: string): boolean {
  return logName.test(basename(path));
}

type Row = Map<string, string | number>;

/** Columns such as `id_val.acc_avg`, with the run's folder and the epoch. */
export async function openWildsLogs(path: string, files: readonly string[]): Promise<AccuracyTable> {
  const rows = new Map<string, Row>();
  const columns = new Set(["run", "epoch"]);
  for (const file of files) {
    const split = logName.exec(basename(file))![1]!;
    let names: string[] = [];
    let place = -1;
    for await (const cells of readCsv(file, (header) => {
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

/** A column a split with the share of right predictions, and the folder, seed and epoch that the names tell. */
export async function openWildsPredictions(
  path: string,
  files: readonly string[],
  labels: PredictionTable,
  mapping: { label?: string | undefined; split: string },
): Promise<AccuracyTable> {
  const rows = new Map<string, Row>();
  const columns = new Set(["run", "seed", "epoch"]);
  for (const file of files) {
    const { split, seed, epoch } = wildsFile(file)!;
    const table = openWildsTable(file, labels, mapping.split);
    const { label } = rolesOf(table, { label: mapping.label });
    let [right, all] = [0, 0];
    for await (const batch of table.batches([label, "y_pred"])) {
      const [truth, predicted] = batch.columns as [ArrayLike<unknown>, ArrayLike<unknown>];
      for (let i = 0; i < batch.count; i++) if (cellText(truth[i]) === cellText(predicted[i])) right++;
      all += batch.count;
    }
    const run = dirname(file);
    columns.add(split);
    existing(rows, `${run}\n${seed}\n${epoch}`, { run, seed, epoch }).set(split, right / all);
  }
  return memoryColumns(path, [...columns], [...rows.values()]);
}

function existing(rows: Map<string, Row>, key: string, begin: Record<string, string>): Row {
  const row = rows.get(key) ?? new Map<string, string | number>(Object.entries(begin));
  rows.set(key, row);
  return row;
}
