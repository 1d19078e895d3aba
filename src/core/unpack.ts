/** Compressed bytes made whole in memory, never beyond what is allowed: what they say of their size is asked first. */

import { constants, gunzipSync, inflateSync } from "node:zlib";
import { mostUnpacked, requireUnpacked, unpackedBeyond } from "./limits.ts";

/** Enough packed bytes for the beginning of what is in them; they become a few megabytes at most. */
const headBytes = 4096;

/** Bytes of the whole, as the beginning of the unpacked bytes says. */
export type SizeSaid = (head: Uint8Array) => number;

export function gunzipped(bytes: Uint8Array, said: SizeSaid): Uint8Array {
  return unpacked(gunzipSync, bytes, said);
}

export function inflated(bytes: Uint8Array, said: SizeSaid): Uint8Array {
  return unpacked(inflateSync, bytes, said);
}

function unpacked(unpack: typeof inflateSync, bytes: Uint8Array, said: SizeSaid): Uint8Array {
  const packed = bytes.length;
  const head = unpack(bytes.subarray(0, headBytes), { finishFlush: constants.Z_SYNC_FLUSH });
  requireUnpacked(said(head), packed);
  try {
    return unpack(bytes, { maxOutputLength: mostUnpacked(packed) });
  } catch (cause) {
    throw (cause as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE" ? unpackedBeyond(packed) : cause;
  }
}
