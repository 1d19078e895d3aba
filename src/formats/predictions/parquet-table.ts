/** A prediction table in a Parquet file: ours, or any with flat columns. Read by row groups. */

import type { AsyncBuffer, FileMetaData } from "hyparquet";
import { CuelabError } from "../../core/errors.ts";
import { reasonOf } from "../../sources/image-folder.ts";
import type { PredictionTable, TableBatch } from "./table.ts";

/** Larger row groups are read in parts, so that memory does not depend on how the file was written. */
const mostRows = 131_072;

export async function openParquetTable(path: string): Promise<PredictionTable> {
  const { asyncBufferFromFile, parquetMetadataAsync } = await import("hyparquet");
  try {
    const file = await asyncBufferFromFile(path);
    const metadata = await parquetMetadataAsync(file);
    const ours = ownMetadata(metadata);
    const classNames = ours?.classNames as string[] | undefined;
    return {
      path,
      columns: flatColumns(metadata),
      ...(classNames ? { classNames } : {}),
      ...(ours ? { ours } : {}),
      rows: Number(metadata.num_rows),
      remarks: [],
      batches: (wanted) => batches(path, file, metadata, wanted),
    };
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

async function* batches(
  path: string,
  file: AsyncBuffer,
  metadata: FileMetaData,
  wanted: readonly string[],
): AsyncGenerator<TableBatch> {
  let start = 0;
  for (const group of metadata.row_groups) {
    const end = start + Number(group.num_rows);
    for (; start < end; start += mostRows) {
      const stop = Math.min(end, start + mostRows);
      yield {
        first: start + 1,
        count: stop - start,
        columns: await readColumns(path, file, metadata, wanted, start, stop),
      };
    }
    start = end;
  }
}

async function readColumns(
  path: string,
  file: AsyncBuffer,
  metadata: FileMetaData,
  wanted: readonly string[],
  rowStart: number,
  rowEnd: number,
): Promise<ArrayLike<unknown>[]> {
  const { parquetRead } = await import("hyparquet");
  const { compressors } = await import("hyparquet-compressors");
  const columns = new Map(wanted.map((name) => [name, Array.from<unknown>({ length: rowEnd - rowStart })]));
  try {
    await parquetRead({
      file,
      metadata,
      columns: [...wanted],
      rowStart,
      rowEnd,
      compressors,
      onChunk: ({ columnName, columnData, rowStart: chunkStart }) => {
        const column = columns.get(columnName)!;
        // Pages reach beyond the rows that were asked for.
        const from = Math.max(0, rowStart - chunkStart);
        const to = Math.min(columnData.length, rowEnd - chunkStart);
        for (let i = from; i < to; i++) column[chunkStart + i - rowStart] = columnData[i];
      },
    });
  } catch (cause) {
    throw unreadable(path, cause);
  }
  return wanted.map((name) => columns.get(name)!);
}

function flatColumns({ schema }: FileMetaData): string[] {
  const names: string[] = [];
  const skip = (at: number): number => {
    let next = at + 1;
    for (let child = 0; child < (schema[at]!.num_children ?? 0); child++) next = skip(next);
    return next;
  };
  for (let at = 1; at < schema.length; at = skip(at)) {
    if ((schema[at]!.num_children ?? 0) === 0) names.push(schema[at]!.name);
  }
  return names;
}

/** Our files say in their metadata what they are about, the class names first of all. */
function ownMetadata({ key_value_metadata = [] }: FileMetaData): Record<string, unknown> | undefined {
  const text = key_value_metadata.find(({ key }) => key === "cuelab")?.value;
  return text === undefined ? undefined : (JSON.parse(text) as Record<string, unknown>);
}

function unreadable(path: string, cause: unknown): CuelabError {
  return new CuelabError({
    kind: "input",
    what: "cannot read the Parquet file",
    where: path,
    got: reasonOf(cause),
    cause,
  });
}
