/** Small tables as CSV, with a header, whole in memory, and with the line of each row for messages. */

import { CuelabError } from "../core/errors.ts";
import { csvRows } from "../tables/csv-rows.ts";

export interface TableRow {
  /** Counted from 1, as editors do. */
  line: number;
  /** By the name of the column. */
  values: Readonly<Record<string, string>>;
}

/** `required` columns must be there, in any order; others are kept. */
export async function readTable(path: string, required: readonly string[]): Promise<TableRow[]> {
  let names: readonly string[] = [];
  const rows: TableRow[] = [];
  for await (const { line, cells } of csvRows(path, (header) => {
    refuseMissing(path, header, required);
    names = header;
  })) {
    rows.push({ line, values: Object.fromEntries(names.map((name, i) => [name, cells[i]!])) });
  }
  if (rows.length === 0) {
    throw new CuelabError({ kind: "input", what: "the table has no rows", where: path });
  }
  return rows;
}

function refuseMissing(path: string, header: readonly string[], required: readonly string[]): void {
  const missing = required.find((name) => !header.includes(name));
  if (missing === undefined) return;
  throw new CuelabError({
    kind: "input",
    what: `the table has no column "${missing}"`,
    where: `${path}, line 1`,
    expected: `a header with ${required.join(", ")}`,
    got: header.join(", "),
  });
}
