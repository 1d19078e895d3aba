/** How large a zstd frame may become, from its headers alone: some bytes can stand for gigabytes (RFC 8878). */

import { CellError } from "../core/cell-error.ts";

const magic = 0xfd2fb528;
const blockBytes = 1 << 17;
const slackBytes = 1 << 24;

/** Throws where the frames would give more than they are said to. */
export function boundedZstd(bytes: Uint8Array, size: number): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let [at, most] = [0, 0];
  try {
    while (at < bytes.length) {
      if (view.getUint32(at, true) !== magic) throw wrong("no zstd frame");
      const descriptor = view.getUint8(at + 4);
      const single = (descriptor & 0x20) !== 0;
      const sizeBytes = [single ? 1 : 0, 2, 4, 8][descriptor >> 6]!;
      at += 5 + (single ? 0 : 1) + [0, 1, 2, 4][descriptor & 3]! + sizeBytes;
      for (let last = false; !last; ) {
        const header = view.getUint8(at) | (view.getUint8(at + 1) << 8) | (view.getUint8(at + 2) << 16);
        last = (header & 1) === 1;
        const [kind, length] = [(header >> 1) & 3, header >> 3];
        at += 3 + (kind === 1 ? 1 : length);
        most += kind === 2 ? blockBytes : length;
      }
      if ((descriptor & 4) !== 0) at += 4;
    }
  } catch (cause) {
    throw cause instanceof CellError ? cause : wrong((cause as Error).message);
  }
  // Compressed blocks are full but for the last, or where a writer was made to flush.
  if (most > 4 * size + slackBytes) {
    throw wrong(`up to ${most} bytes in a page of ${size}`);
  }
}

function wrong(got: string): CellError {
  return new CellError("the Parquet file is damaged, or in a form that is not known", { got });
}
