/** Small tables as CSV, with a header, whole in memory, and with the line of each row for messages. */

import { readFile } from "node:fs/promises";
import { parse } from "csv-parse/sync";
import { CuelabError } from "../core/errors.ts";
import { reasonOf } from "./image-folder.ts";

export interface TableRow {
  /** Counted from 1, as editors do. */
  line: number;
  /** By the name of the column. */
  values: Readonly<Record<string, string>>;
}

/** `required` columns must be there, in any order; others are kept. */
export async function readTable(path: string, required: readonly string[]): Promise<TableRow[]> {
  let parsed: { record: string[]; info: { lines: number } }[];
  try {
    parsed = parse(await readFile(path), {
      bom: true,
      skip_empty_lines: true,
      trim: true,
      info: true,
    }) as unknown as typeof parsed;
  } catch (cause) {
    throw new CuelabError({
      kind: "input",
      what: "the table cannot be read",
      where: path,
      expected: `CSV with the columns ${required.join(", ")}`,
      got: reasonOf(cause),
      cause,
    });
  }
  const [header, ...rows] = parsed;
  const missing = required.filter((name) => header?.record.includes(name) !== true);
  if (missing.length > 0) {
    throw new CuelabError({
      kind: "input",
      what: `the table has no column "${missing[0]}"`,
      where: `${path}, line 1`,
      expected: `a header with ${required.join(", ")}`,
      got: header === undefined ? "an empty file" : header.record.join(", "),
    });
  }
  if (rows.length === 0) {
    throw new CuelabError({ kind: "input", what: "the table has no rows", where: path });
  }
  return rows.map(({ record, info }) => ({
    line: info.lines,
    values: Object.fromEntries(header!.record.map((name, i) => [name, record[i]!])),
  }));
}
