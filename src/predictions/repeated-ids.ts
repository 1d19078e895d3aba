/** Rows about the same image twice: intervals would be narrower than they are, and a mean would count some images more. */

import { CuelabError } from "../core/errors.ts";
import { type CodedColumn, textAt } from "../tables/table.ts";
import type { ColumnRoles } from "./roles.ts";
import type { PredictionTable } from "./table.ts";

/** Columns by which people tell several predictions of one image apart. */
const tellsApart = /^(seed|epoch|step|checkpoint|ckpt|run|model|fold|trial|iteration)s?$/i;

/** Ids beyond so many are not kept in memory. */
const mostIds = 4_000_000;

/** Refuses ids that occur twice within a split. */
export async function refuseRepeatedIds(
  table: PredictionTable,
  { id, split }: ColumnRoles,
  signal?: AbortSignal,
): Promise<void> {
  if (id === undefined) return;
  const wanted = [
    { name: id, as: "texts" as const },
    ...(split === undefined ? [] : [{ name: split, as: "codes" as const }]),
  ];
  const seen: Map<string, number>[] = [];
  let [kept, repeated] = [0, 0];
  let first: { id: string; row: number; before: number } | undefined;
  for await (const { count, columns, first: start } of table.batches(wanted, { signal })) {
    const splits = columns[1] as CodedColumn | undefined;
    for (let i = 0; i < count; i++) {
      const text = textAt(columns[0]!, i);
      // Nothing is said of which image this is.
      if (text === "") continue;
      const code = splits?.codes[i] ?? 0;
      seen[code] ??= new Map();
      const before = seen[code].get(text);
      if (before === undefined) {
        if (++kept > mostIds) return;
        seen[code].set(text, start + i);
      } else {
        repeated++;
        first ??= { id: text, row: start + i, before };
      }
    }
  }
  if (first !== undefined) throw repeatedIds(table, id, first, repeated);
}

function repeatedIds(
  { path, columns }: PredictionTable,
  column: string,
  { id, row, before }: { id: string; row: number; before: number },
  repeated: number,
): CuelabError {
  const apart = columns.find((name) => tellsApart.test(name));
  return new CuelabError({
    kind: "input",
    what: `${column} ${JSON.stringify(id)} occurs twice`,
    where: `${path}, rows ${before} and ${row}`,
    expected: "one row an image: a second would count it twice, and make intervals too narrow",
    got: `${repeated.toLocaleString("en")} rows repeat an id of their split`,
    todo:
      apart === undefined
        ? "remove the copies, or name the column that tells images apart with --id-column"
        : `write a table for each ${apart}, and give them all: cuelab eval ${apart}-0.csv ${apart}-1.csv …`,
  });
}
