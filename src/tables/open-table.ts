/** A table by what its file holds: Parquet by its first bytes, else text. */

import { open } from "node:fs/promises";
import { openCsv } from "./open-csv.ts";
import { openParquet } from "./open-parquet.ts";
import type { TableFile } from "./table.ts";

/** Endings of files that are tables. */
export const tableEndings = [".csv", ".tsv", ".txt", ".parquet"] as const;

export function isTableName(path: string): boolean {
  return tableEndings.some((ending) => path.endsWith(ending));
}

export async function openTableFile(
  path: string,
): Promise<TableFile & { notes?: ReadonlyMap<string, string> }> {
  const named = path.endsWith(".parquet");
  const parquet = await beginsAsParquet(path);
  if (parquet && !named) {
    const table = await openParquet(path);
    return { ...table, remarks: [`${path}: a Parquet file by its content, and read as one`] };
  }
  return parquet || named ? openParquet(path) : openCsv(path);
}

async function beginsAsParquet(path: string): Promise<boolean> {
  const file = await open(path).catch(() => undefined);
  // Whoever opens it next says what is wrong.
  if (file === undefined) return false;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0);
    return bytesRead === 4 && buffer.toString("latin1") === "PAR1";
  } catch {
    return false;
  } finally {
    await file.close();
  }
}
