/** The quantisation tables of a JPEG file, and the quality that they stand for. */

import { createHash } from "node:crypto";

export interface JpegTables {
  /** 1 to 100, as the Independent JPEG Group's library counts: that of the nearest of its tables. */
  quality: number;
  /** `standard` where the luminance table is that library's own, else a short digest: cameras and programs have their own. */
  tables: string;
}

/** ITU T.81, table K.1, in rows. */
const standardLuminance = [
  16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57, 69, 56, 14, 17, 22,
  29, 51, 87, 80, 62, 18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92, 49, 64, 78, 87, 103,
  121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99,
] as const;

/** ITU T.81, figure A.6: where the k-th number of a stored table belongs. */
const zigzag = [
  0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7,
  14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46,
  53, 60, 61, 54, 47, 55, 62, 63,
] as const;

const marker = { start: 0xd8, scan: 0xda, end: 0xd9, tables: 0xdb } as const;

/** Undefined where the file is no JPEG, or has no table before its first scan. */
export function jpegTables(bytes: Uint8Array): JpegTables | undefined {
  const tables = storedTables(bytes);
  const luminance = tables.get(0);
  if (luminance === undefined) return undefined;
  const { quality, distance } = nearestQuality(luminance);
  const digest = createHash("sha256");
  for (const [id, table] of [...tables].sort(([a], [b]) => a - b)) digest.update(`${id}:${table.join()};`);
  return { quality, tables: distance === 0 ? "standard" : `own ${digest.digest("hex").slice(0, 6)}` };
}

/** By their number: 0 is that of brightness. Damaged segments end the search: others judge the file. */
function storedTables(bytes: Uint8Array): Map<number, readonly number[]> {
  const found = new Map<number, readonly number[]>();
  if (bytes[0] !== 0xff || bytes[1] !== marker.start) return found;
  for (let at = 2; at + 4 <= bytes.length && bytes[at] === 0xff; ) {
    const kind = bytes[at + 1]!;
    // Filling bytes may stand before a marker.
    if (kind === 0xff) {
      at++;
      continue;
    }
    if (kind === marker.scan || kind === marker.end) break;
    const length = (bytes[at + 2]! << 8) | bytes[at + 3]!;
    if (kind === marker.tables) readTables(bytes.subarray(at + 4, at + 2 + length), found);
    at += 2 + length;
  }
  return found;
}

function readTables(segment: Uint8Array, found: Map<number, readonly number[]>): void {
  for (let at = 0; at < segment.length; ) {
    const wide = segment[at]! >> 4 === 1;
    const id = segment[at]! & 15;
    const size = wide ? 128 : 64;
    if (at + 1 + size > segment.length) return;
    const table = Array.from({ length: 64 }, () => 0);
    for (let k = 0; k < 64; k++) {
      const place = at + 1 + (wide ? 2 * k : k);
      table[zigzag[k]!] = wide ? (segment[place]! << 8) | segment[place + 1]! : segment[place]!;
    }
    found.set(id, table);
    at += 1 + size;
  }
}

const qualities = new Map<string, { quality: number; distance: number }>();
/** Files of one source share their tables, so few are ever asked for. */
const mostRemembered = 1000;

function nearestQuality(table: readonly number[]): { quality: number; distance: number } {
  const key = table.join();
  const known = qualities.get(key);
  if (known) return known;
  let best = { quality: 0, distance: Number.POSITIVE_INFINITY };
  for (let quality = 100; quality >= 1; quality--) {
    // jcparam.c, `jpeg_quality_scaling` and `jpeg_add_quant_table`.
    const scale = quality < 50 ? Math.floor(5000 / quality) : 200 - 2 * quality;
    let distance = 0;
    for (let k = 0; k < 64; k++) {
      const scaled = Math.floor((standardLuminance[k]! * scale + 50) / 100);
      distance += Math.abs(Math.min(255, Math.max(1, scaled)) - table[k]!);
    }
    if (distance < best.distance) best = { quality, distance };
  }
  if (qualities.size >= mostRemembered) qualities.clear();
  qualities.set(key, best);
  return best;
}
