/** What unpacks pages, loaded by the codec that a file uses: all of them take longer to load than many a file to read. */

import type { CompressionCodec, Compressors } from "hyparquet";
import { requireUnpacked } from "../core/limits.ts";
import { boundedZstd } from "./zstd-bound.ts";

/** Gives what the bytes stand for; asked for so many bytes, it makes no more than about that. */
export type Decompress = (bytes: Uint8Array, size: number) => Uint8Array;

export async function decompressorOf(codec: CompressionCodec): Promise<Decompress> {
  switch (codec) {
    case "UNCOMPRESSED":
      return (bytes) => bytes;
    case "SNAPPY":
      return bounded((await import("hysnappy")).snappyUncompressor());
    case "ZSTD":
      return bounded(await zstd());
    case "GZIP":
    case "BROTLI":
      return bounded((await systems())[codec]);
    default: {
      const { compressors } = await import("hyparquet-compressors");
      return bounded(
        compressors[codec] ??
          (() => {
            throw new Error(`the compression ${codec}`);
          }),
      );
    }
  }
}

/** For readers of any column that hyparquet knows. */
export async function allDecompressors(): Promise<Compressors> {
  const { compressors } = await import("hyparquet-compressors");
  const all = { ...compressors, ...(await systems()), ZSTD: await zstd() };
  return Object.fromEntries(Object.entries(all).map(([codec, unpack]) => [codec, bounded(unpack)]));
}

/** None is begun that says it will be more than is allowed. */
function bounded(unpack: Decompress): Decompress {
  return (bytes, size) => {
    requireUnpacked(size, bytes.length);
    return unpack(bytes, size);
  };
}

/** Node's own stop where the page should end; the library's would go on to the end of what lies there. */
async function systems(): Promise<Record<"GZIP" | "BROTLI", Decompress>> {
  const { brotliDecompressSync, gunzipSync } = await import("node:zlib");
  // Slices of a Buffer are views, where those of an array are copies.
  const plain = ({ buffer, byteOffset, length }: Buffer) => new Uint8Array(buffer, byteOffset, length);
  const most = (size: number) => ({ maxOutputLength: Math.max(1, size) });
  return {
    GZIP: (bytes, size) => plain(gunzipSync(bytes, most(size))),
    BROTLI: (bytes, size) => plain(brotliDecompressSync(bytes, most(size))),
  };
}

/** Facebook's own decoder in WebAssembly: five times as fast as one in JavaScript, and it stops at the size it is asked for. */
async function zstd(): Promise<Decompress> {
  const { ZSTDDecoder } = await import("zstddec");
  const decoder = new ZSTDDecoder();
  await withoutFetch(() => decoder.init());
  // Asked for nothing, it would make what the bytes say of themselves.
  return (bytes, size) => {
    boundedZstd(bytes, size);
    return size === 0 ? new Uint8Array(0) : decoder.decode(bytes, size);
  };
}

/** Where there is a `fetch`, the decoder unpacks itself by it, and Node takes 30 ms to load that; without, it takes none. */
function withoutFetch<Result>(begin: () => Result): Result {
  const fetch = Object.getOwnPropertyDescriptor(globalThis, "fetch");
  if (!fetch?.configurable) return begin();
  try {
    Reflect.deleteProperty(globalThis, "fetch");
    return begin();
  } finally {
    Object.defineProperty(globalThis, "fetch", fetch);
  }
}
