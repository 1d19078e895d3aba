/** Rows of features in blocks of one size, which many heads look at at once: in memory, or read as they are wanted. */

import { type FeatureScale, featureScale, scaled } from "../stages/standardise.ts";

/** Large enough that a product costs more than its call, small enough that it stays near the processor. */
export const blockRows = 2048;

export interface HeadRows {
  count: number;
  width: number;
  /** [blockRows, width]; the last one is filled up with zeros. Good until the next is asked for. */
  block(index: number): Promise<Float32Array>;
}

/** [rows, width] at some places, into memory that is there. */
export type ReadRows = (places: Uint32Array, into: Float32Array<ArrayBuffer>) => Promise<unknown>;

export interface ScaledRows extends HeadRows {
  scale: FeatureScale;
}

/** Of some images, standardised over themselves unless a scale is given; kept in memory up to so many bytes. */
export async function scaledRows(
  places: Uint32Array,
  read: ReadRows,
  { width, most, scale: given }: { width: number; most: number; scale?: FeatureScale | undefined },
): Promise<ScaledRows> {
  const blocks = Math.ceil(places.length / blockRows);
  const at = (block: number) => places.subarray(block * blockRows, (block + 1) * blockRows);
  const raw = async (block: number, into: Float32Array<ArrayBuffer>) => {
    const some = at(block);
    const rows = into.subarray(0, some.length * width);
    await read(some, rows);
    return rows;
  };
  const memory = new Float32Array(blockRows * width);
  const all = async function* () {
    for (let block = 0; block < blocks; block++) yield await raw(block, memory);
  };
  const scale = given ?? (await featureScale(all, places.length, width));
  const make = async (block: number, into: Float32Array<ArrayBuffer>) => {
    const rows = scaled(await raw(block, into), width, scale);
    into.fill(0, rows.length);
    return into;
  };
  const keeps = 4 * blocks * blockRows * width <= most;
  const kept: (Float32Array | undefined)[] = [];
  return {
    count: places.length,
    width,
    scale,
    async block(index) {
      if (!keeps) return make(index, memory);
      kept[index] ??= await make(index, new Float32Array(blockRows * width));
      return kept[index]!;
    },
  };
}

/** Every so-many-th block, for a first look. */
export function someBlocks(rows: HeadRows, every: number): HeadRows & { places: Uint32Array } {
  const blocks = Math.ceil(rows.count / blockRows);
  const chosen = Array.from({ length: Math.ceil(blocks / every) }, (_, i) => i * every).filter(
    // The last is not full, and counts would not fit.
    (block) => (block + 1) * blockRows <= rows.count,
  );
  const places = Uint32Array.from(
    { length: chosen.length * blockRows },
    (_, i) => chosen[Math.floor(i / blockRows)]! * blockRows + (i % blockRows),
  );
  return {
    count: places.length,
    width: rows.width,
    places,
    block: (index) => rows.block(chosen[index]!),
  };
}
