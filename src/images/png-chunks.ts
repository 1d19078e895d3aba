/** The chunks of a PNG file, each with its checksum looked at, and in an order that can be. */

import { crc32 } from "node:zlib";

export interface PngChunk {
  type: string;
  /** Where its body begins and ends. */
  from: number;
  to: number;
}

export const pngSignature = Uint8Array.of(137, 80, 78, 71, 13, 10, 26, 10);

/** What the pixels mean has to be known before they come, and is said once; decoders pass over the rest, each in its own way. */
const before = new Set(["IHDR", "PLTE", "tRNS", "iCCP"]);

export function* pngChunks(bytes: Uint8Array): Generator<PngChunk> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const seen = new Set<string>();
  for (let offset = pngSignature.length; ; ) {
    if (offset + 12 > bytes.length) throw new Error("the file ends before the image does (truncated PNG)");
    const to = offset + 8 + view.getUint32(offset);
    if (to + 4 > bytes.length) throw new Error("the file ends inside a chunk (truncated PNG)");
    const type = String.fromCharCode(...bytes.subarray(offset + 4, offset + 8));
    if (crc32(bytes.subarray(offset + 4, to)) !== view.getUint32(to))
      throw new Error(`checksum of chunk ${type} is wrong (damaged PNG)`);
    if (before.has(type) && (seen.has(type) || seen.has("IDAT")))
      throw new Error(`chunk ${type} cannot be at byte ${offset} (damaged PNG)`);
    seen.add(type);
    yield { type, from: offset + 8, to };
    if (type === "IEND") return;
    offset = to + 4;
  }
}

/** For those that another decoder reads: it takes some damage for none. */
export function requirePngChunks(bytes: Uint8Array): void {
  for (const _ of pngChunks(bytes));
}
