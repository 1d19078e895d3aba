/** DuckDB, which reads tables with code that is not ours. */

import { DuckDBInstance } from "@duckdb/node-api";

let connection: Promise<Awaited<ReturnType<DuckDBInstance["connect"]>>> | undefined;

export async function duckRows(query: string): Promise<Record<string, unknown>[]> {
  connection ??= DuckDBInstance.create(":memory:", { threads: "1" }).then((instance) => instance.connect());
  const reader = await (await connection).runAndReadAll(query);
  return reader.getRowObjectsJS() as Record<string, unknown>[];
}

/** A cell as our tables have it: nothing for nothing. */
export function duckText(cell: unknown): string {
  return cell === null || cell === undefined ? "" : String(cell as string | number | bigint | boolean);
}
