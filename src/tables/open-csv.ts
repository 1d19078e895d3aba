/** A delimited text with a header, whatever its separator, as a table of columns. */

import type { FileHandle } from "node:fs/promises";
import { CuelabError } from "../core/errors.ts";
import { openPlain } from "../disk/plain-file.ts";
import { csvChunks } from "./csv-chunks.ts";
import { type CsvLayout, csvLayout, layoutRemarks } from "./csv-layout.ts";
import { readChunks } from "./read-chunks.ts";
import { type ColumnRequest, canCount, type ReadOptions, type TableBatch, type TableFile } from "./table.ts";
import { usualWorkers } from "./table-workers.ts";

const chunkBytes = 1 << 22;
/** Smaller files are read before a thread has started; parts are small then, too, and memory is bounded by them. */
const smallBytes = 1 << 22;
const smallChunkBytes = 1 << 18;

export async function openCsv(path: string): Promise<TableFile & { layout: CsvLayout }> {
  const layout = await withFile(path, (file) => csvLayout(path, file));
  const remarks = layoutRemarks(path, layout);
  return {
    path,
    columns: layout.columns,
    layout,
    remarks,
    batches: (wanted, options) =>
      batches(path, layout, wanted, options, (found) => {
        for (const remark of found) if (!remarks.includes(remark)) remarks.push(remark);
      }),
  };
}

async function* batches(
  path: string,
  layout: CsvLayout,
  wanted: readonly ColumnRequest[],
  { workers, chunk, signal, lines = false, equalOnce = false }: ReadOptions = {},
  onEnd: (remarks: string[]) => void,
): AsyncGenerator<TableBatch> {
  const file = await opened(path);
  try {
    const { size } = await file.stat();
    const small = size < smallBytes;
    yield* readChunks({
      path,
      line: layout.line,
      bytes: size,
      workers: workers ?? (small ? 0 : usualWorkers()),
      setup: { kind: "csv", layout, wanted, lines, equalOnce: equalOnce && canCount(wanted) },
      tasks: tasksOf(path, file, layout, chunk ?? (small ? smallChunkBytes : chunkBytes)),
      signal,
      onEnd,
    });
  } finally {
    await file.close();
  }
}

async function* tasksOf(path: string, file: FileHandle, layout: CsvLayout, chunk: number) {
  for await (const bytes of csvChunks(path, file, layout, chunk)) yield { bytes };
}

async function withFile<Result>(path: string, use: (file: FileHandle) => Promise<Result>): Promise<Result> {
  const file = await opened(path);
  try {
    return await use(file);
  } catch (cause) {
    if (cause instanceof CuelabError) throw cause;
    throw unreadable(path, cause);
  } finally {
    await file.close();
  }
}

async function opened(path: string): Promise<FileHandle> {
  try {
    return await openPlain(path);
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

function unreadable(path: string, cause: unknown): CuelabError {
  if (cause instanceof CuelabError) return cause;
  return new CuelabError({
    kind: "input",
    what: "the table cannot be read",
    where: path,
    got: (cause as Error).message,
    cause,
  });
}
