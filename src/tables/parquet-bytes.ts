/** Columns of bytes in a Parquet file, at the top or within structs: pictures, of which a row group is read at a time. */

import { closeSync } from "node:fs";
import type { FileMetaData, SchemaElement } from "hyparquet";
import { CellError } from "../core/cell-error.ts";
import { openPlainSync } from "../disk/plain-file.ts";
import { decompressorOf } from "./decompressors.ts";
import { placeOf } from "./open-parquet.ts";
import { PageReader } from "./parquet-pages.ts";
import { readBytes } from "./parquet-part.ts";

/** A column of single values, wherever it is in the tree of columns. */
export interface ParquetLeaf {
  /** Names from the top down. */
  path: readonly string[];
  element: SchemaElement;
  /** How many of these may be absent. */
  levels: number;
  /** Whether it lies in a list. */
  repeated: boolean;
}

export function leavesOf({ schema }: FileMetaData): ParquetLeaf[] {
  const leaves: ParquetLeaf[] = [];
  const visit = (at: number, above: Pick<ParquetLeaf, "path" | "levels" | "repeated">): number => {
    const element = schema[at]!;
    const path = [...above.path, element.name];
    const repeated = above.repeated || element.repetition_type === "REPEATED";
    const levels = above.levels + Number(element.repetition_type === "OPTIONAL");
    const children = element.num_children ?? 0;
    if (children === 0) leaves.push({ path, element, levels, repeated });
    let next = at + 1;
    for (let child = 0; child < children; child++) next = visit(next, { path, levels, repeated });
    return next;
  };
  for (let at = 1; at < schema.length; ) at = visit(at, { path: [], levels: 0, repeated: false });
  return leaves;
}

/** The cells of one row group; undefined where there is none. */
export async function readByteCells(
  file: string,
  size: number,
  { row_groups }: FileMetaData,
  group: number,
  leaf: ParquetLeaf,
): Promise<(Uint8Array | undefined)[]> {
  const { path } = leaf;
  const { columns, num_rows } = row_groups[group]!;
  const chunk = columns.find(({ meta_data }) => meta_data?.path_in_schema.join("\n") === path.join("\n"));
  if (chunk === undefined) throw new CellError(`row group ${group} has no column ${path.join(".")}`);
  const place = placeOf(file, chunk, leaf, Number(num_rows), size);
  const decompress = await decompressorOf(place.codec);
  const opened = openPlainSync(file);
  try {
    const read = (offset: number, length: number) => readBytes(opened, offset, length);
    const pages = new PageReader(read, place, decompress, { indices: new Int32Array(0) });
    const cells: (Uint8Array | undefined)[] = [];
    while (cells.length < place.rows) addPage(pages, cells);
    return cells;
  } finally {
    closeSync(opened);
  }
}

function addPage(pages: PageReader, cells: (Uint8Array | undefined)[]): void {
  const page = pages.pageOf(cells.length);
  const indices = pages.indicesOf(page);
  const values = indices ? pages.dictionary : page.values;
  if (values?.kind !== "texts") throw new CellError("a column of bytes holds something else");
  for (let i = 0, held = 0; i < page.count; i++) {
    if (page.present?.[i] === 0) {
      cells.push(undefined);
      continue;
    }
    const at = indices ? indices[held]! : held;
    held++;
    if (at >= values.starts.length) throw new CellError("a place beyond the dictionary");
    cells.push(values.bytes.subarray(values.starts[at]!, values.ends[at]!));
  }
}
