/** What unpacks pages, loaded by the codec that a file uses: all of them take longer to load than many a file to read. */

import type { CompressionCodec, Compressors } from "hyparquet";

/** Gives what the bytes stand for; asked for so many bytes, it makes no more than about that. */
export type Decompress = (bytes: Uint8Array, size: number) => Uint8Array;

export async function decompressorOf(codec: CompressionCodec): Promise<Decompress> {
  switch (codec) {
    case "UNCOMPRESSED":
      return (bytes) => bytes;
    case "SNAPPY":
      return (await import("hysnappy")).snappyUncompressor();
    case "ZSTD":
      return zstd();
    default: {
      const { compressors } = await import("hyparquet-compressors");
      return (
        compressors[codec] ??
        (() => {
          throw new Error(`the compression ${codec}`);
        })
      );
    }
  }
}

/** For readers of any column that hyparquet knows. */
export async function allDecompressors(): Promise<Compressors> {
  const { compressors } = await import("hyparquet-compressors");
  return { ...compressors, ZSTD: await zstd() };
}

/** Facebook's own decoder in WebAssembly: five times as fast as one in JavaScript, and it stops at the size it is asked for. */
async function zstd(): Promise<Decompress> {
  const { ZSTDDecoder } = await import("zstddec");
  const decoder = new ZSTDDecoder();
  await withoutFetch(() => decoder.init());
  // Asked for nothing, it would make what the bytes say of themselves.
  return (bytes, size) => (size === 0 ? new Uint8Array(0) : decoder.decode(bytes, size));
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
