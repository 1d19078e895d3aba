/** Every cell of a Parquet file once, by the reader that bounds what a damaged page can ask for: before another one goes over it. */

import { openParquet } from "./open-parquet.ts";

export async function readThrough(path: string): Promise<void> {
  const table = await openParquet(path);
  const wanted = table.columns.map((name) => ({ name, as: "texts" as const }));
  for await (const { count, columns } of table.batches(wanted, { workers: 0 }))
    if (columns.some((column) => column.as === "texts" && column.texts.length !== count))
      throw new Error("columns of other lengths than there are rows");
}
