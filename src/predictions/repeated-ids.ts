/** Rows about the same image twice: intervals would be narrower than they are, and a mean would count some images more. */

import { CuelabError } from "../core/errors.ts";
import { splitName } from "../core/split-names.ts";
import { type CodedColumn, type ColumnRequest, type NumberColumn, textAt } from "../tables/table.ts";
import type { ColumnRoles } from "./roles.ts";
import type { PredictionTable } from "./table.ts";

/** Columns by which people tell several predictions of one image apart. */
const tellsApart = /^(seed|epoch|step|checkpoint|ckpt|run|model|fold|trial|iteration)s?$/i;

/** Ids beyond so many are not kept in memory. */
const mostIds = 4_000_000;

export interface RepeatedIdsOptions {
  /** A split whose rows are counts of training images, and may be copies. */
  except?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** Refuses ids that occur twice within a split. */
export async function refuseRepeatedIds(
  table: PredictionTable,
  { id, split }: ColumnRoles,
  { except, signal }: RepeatedIdsOptions = {},
): Promise<void> {
  if (id === undefined || (await areDifferentNumbers(table, id, split, signal))) return;
  const seen: Map<string, number>[] = [];
  let [kept, repeated] = [0, 0];
  let first: { id: string; row: number; before: number } | undefined;
  for await (const { count, columns, first: start } of table.batches(wantedOf(id, split, "texts"), {
    signal,
  })) {
    const splits = columns[1] as CodedColumn | undefined;
    for (let i = 0; i < count; i++) {
      const text = textAt(columns[0]!, i);
      const code = splits?.codes[i] ?? 0;
      // Without an id nothing is said of which image this is.
      if (text === "" || (splits && splitName(splits.texts[code]!) === except)) continue;
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

/** Numbers are read and compared much faster; where they are equal or none, texts decide: 7 and 007 may be two. */
async function areDifferentNumbers(
  table: PredictionTable,
  id: string,
  split: string | undefined,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const seen: Set<number>[] = [];
  let kept = 0;
  try {
    for await (const { count, columns } of table.batches(wantedOf(id, split, "numbers"), { signal })) {
      const [ids, splits] = columns as [NumberColumn, CodedColumn | undefined];
      if (ids.missing || ids.wrong) return false;
      kept += count;
      if (kept > mostIds) return true;
      for (let i = 0; i < count; i++) {
        const code = splits?.codes[i] ?? 0;
        seen[code] ??= new Set();
        if (seen[code].has(ids.numbers[i]!)) return false;
        seen[code].add(ids.numbers[i]!);
      }
    }
    return true;
  } catch (cause) {
    // What could be two numbers is a text like any.
    if (cause instanceof CuelabError) return false;
    throw cause;
  }
}

function wantedOf(id: string, split: string | undefined, as: "texts" | "numbers"): ColumnRequest[] {
  return [{ name: id, as }, ...(split === undefined ? [] : [{ name: split, as: "codes" as const }])];
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
