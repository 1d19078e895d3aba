/** What a WOFF file tells about its font: which characters it draws, and how high a line of it reaches. */

import { inflateSync } from "node:zlib";
import { CuelabError } from "../../core/errors.ts";

export interface FontTables {
  /** Of the line, above its baseline, in parts of the font's size. */
  ascent: number;
  /** Whether there is a glyph for a character, and not only the box that stands for none. */
  draws(codePoint: number): boolean;
}

const signature = 0x774f4646; // wOFF
const headerBytes = 44;
const entryBytes = 20;

export function readWoff(bytes: Uint8Array, where: string): FontTables {
  const file = viewOf(bytes);
  if (bytes.length < headerBytes || file.getUint32(0) !== signature) throw unknownFont(where, "no WOFF file");
  const table = (name: string) => {
    const found = tableOf(bytes, name);
    if (found === undefined) throw unknownFont(where, `a font without its table ${name}`);
    return found;
  };
  const unitsPerEm = table("head").getUint16(18);
  return { ascent: table("hhea").getInt16(4) / unitsPerEm, draws: charactersOf(table("cmap"), where) };
}

/** Tables lie one after the other, each compressed by itself unless that would not make it smaller. */
function tableOf(bytes: Uint8Array, name: string): DataView | undefined {
  const file = viewOf(bytes);
  for (let i = 0; i < file.getUint16(12); i++) {
    const entry = headerBytes + i * entryBytes;
    if (String.fromCharCode(...bytes.subarray(entry, entry + 4)) !== name) continue;
    const [offset, stored, whole] = [4, 8, 12].map((at) => file.getUint32(entry + at)) as [
      number,
      number,
      number,
    ];
    const data = bytes.subarray(offset, offset + stored);
    return viewOf(stored < whole ? inflateSync(data) : data);
  }
  return undefined;
}

/** The largest Unicode table of the two kinds that fonts for the web have: all planes, or the first alone. */
function charactersOf(cmap: DataView, where: string): FontTables["draws"] {
  const tables = Array.from({ length: cmap.getUint16(2) }, (_, i) => {
    const offset = cmap.getUint32(4 + 8 * i + 4);
    return { platform: cmap.getUint16(4 + 8 * i), format: cmap.getUint16(offset), offset };
  }).filter(({ platform }) => platform === 0 || platform === 3);
  const all = tables.find(({ format }) => format === 12);
  if (all) return allPlanes(cmap, all.offset);
  const first = tables.find(({ format }) => format === 4);
  if (first) return firstPlane(cmap, first.offset);
  throw unknownFont(where, "a font without a Unicode character table");
}

/** Format 12: groups of first character, last character and first glyph. */
function allPlanes(cmap: DataView, offset: number): FontTables["draws"] {
  const groups = Array.from({ length: cmap.getUint32(offset + 12) }, (_, i) => offset + 16 + 12 * i);
  return (code) => {
    const group = groups.find((at) => code >= cmap.getUint32(at) && code <= cmap.getUint32(at + 4));
    return group !== undefined && cmap.getUint32(group + 8) + code - cmap.getUint32(group) !== 0;
  };
}

/** Format 4: segments whose glyphs follow from the character by a difference, or are listed. */
function firstPlane(cmap: DataView, offset: number): FontTables["draws"] {
  const segments = cmap.getUint16(offset + 6) / 2;
  const ends = offset + 14;
  const starts = ends + 2 * segments + 2;
  const differences = starts + 2 * segments;
  const lists = differences + 2 * segments;
  return (code) => {
    for (let i = 0; i < segments; i++) {
      if (code > cmap.getUint16(ends + 2 * i)) continue;
      const start = cmap.getUint16(starts + 2 * i);
      if (code < start) return false;
      const difference = cmap.getUint16(differences + 2 * i);
      const list = cmap.getUint16(lists + 2 * i);
      if (list === 0) return ((code + difference) & 0xffff) !== 0;
      // The list's place counts from the very place where it is told.
      return cmap.getUint16(lists + 2 * i + list + 2 * (code - start)) !== 0;
    }
    return false;
  };
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

function unknownFont(where: string, got: string): CuelabError {
  return new CuelabError({ kind: "failure", what: "a font cannot be read", where, got });
}
