/** A copy of a WILDS dataset as WILDS downloads it, opened by its table. */

import { stat } from "node:fs/promises";
import { join } from "node:path";
import { CuelabError } from "../../core/errors.ts";
import { lookUp } from "../../core/look-up.ts";
import { ImageFiles } from "../../sources/image-folder.ts";
import { csvColumns, csvRows } from "../../tables/csv-rows.ts";
import { ReadColumn } from "../columns.ts";
import type { StoredDataset } from "../stored-dataset.ts";
import { wildsLayoutOf, wildsTables } from "./index.ts";
import type { WildsLayout } from "./layout.ts";

/** Undefined where the folder has no such table; `tableName` says which file is meant. */
export async function openWilds(
  root: string,
  names: readonly string[],
  tableName: string | undefined,
): Promise<StoredDataset | undefined> {
  for (const name of tableName === undefined ? wildsTables : [tableName]) {
    if (!names.includes(name)) continue;
    const table = join(root, name);
    const header = await csvColumns(table);
    const layout = wildsLayoutOf(header);
    if (layout) return readTable(root, table, header, layout);
  }
  return undefined;
}

async function readTable(
  root: string,
  table: string,
  header: readonly string[],
  layout: WildsLayout,
): Promise<StoredDataset> {
  const { classNames, attributes, environment } = layout;
  const read = await layout.open(table);
  const at = new Map(header.map((name, i) => [name, i]));
  const paths: string[] = [];
  const [label, split] = [new ReadColumn("y"), new ReadColumn("split")];
  const columns = attributes.map((name) => new ReadColumn(name));
  let [row, leftOut] = [0, 0];
  for await (const { cells } of csvRows(table, () => {})) {
    const meant = read((name) => cells[lookUp(at, name)]!, row++);
    if (meant === undefined) {
      leftOut++;
      continue;
    }
    if (meant.image === undefined) throw noImages(layout, table);
    if (paths.length === 0) await refuseAbsent(join(root, meant.image), layout, `${table}, row ${row}`);
    paths.push(meant.image);
    label.push(classNames?.[Number(meant.label)] ?? meant.label);
    split.push(meant.split);
    for (const [i, column] of columns.entries()) column.push(meant.values[i]!);
  }
  if (paths.length === 0) throw noRows(layout, table, leftOut);
  return {
    images: new ImageFiles(root, paths),
    columns: new Map([label, split, ...columns].map((column) => [column.name, column])),
    labelColumn: "y",
    table,
    ...(classNames && { valueOrder: { y: classNames } }),
    roles: Object.fromEntries(attributes.map((name) => [name, "other" as const])),
    ...(environment !== undefined && { statisticsBy: environment }),
    shiftedSplits: layout.shiftedSplits,
    warnings: [
      `read as ${layout.title} of WILDS, with its official splits`,
      ...(leftOut === 0 ? [] : [`${leftOut} rows that are in none of them were left out`]),
    ],
  };
}

/** Where patches were not unpacked, or lie elsewhere, every single one would be missing. */
async function refuseAbsent(path: string, { title }: WildsLayout, where: string): Promise<void> {
  if (await stat(path).catch(() => undefined)) return;
  throw new CuelabError({
    kind: "input",
    what: "the first image of the table is not there",
    where,
    expected: `a file at ${path}`,
    todo: `the table is ${title}'s, whose images lie beside it as WILDS unpacks them`,
  });
}

function noImages({ title }: WildsLayout, table: string): CuelabError {
  return new CuelabError({
    kind: "input",
    what: `${title} is text, not images`,
    where: table,
    todo: `evaluate predictions about it: cuelab eval <predictions> --labels ${table}`,
  });
}

function noRows({ title }: WildsLayout, table: string, leftOut: number): CuelabError {
  return new CuelabError({
    kind: "input",
    what: "the table has no rows",
    where: table,
    expected: `rows of ${title}'s official splits`,
    got: leftOut === 0 ? "none" : `${leftOut} rows of none of them`,
  });
}
