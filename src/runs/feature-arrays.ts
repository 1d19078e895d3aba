/** Arrays of features in their files: looked through once, against their digest, and read into memory where that is wanted. */

import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import { halvesInto } from "../core/half-floats.ts";
import { harmedRow } from "../core/not-finite.ts";
import { openPlain, readPlain, requirePlain } from "../disk/plain-file.ts";
import { digestOf } from "../disk/vouched.ts";
import { parseNpyHeader } from "../tables/npy.ts";
import { numberBytes, numpyTypes } from "./feature-numbers.ts";
import { damagedFeatures as damaged, type FeatureType } from "./features-about.ts";

export interface FeatureArrayFile {
  path: string;
  count: number;
  width: number;
  type: FeatureType;
  sha256: string;
  /** Which image a row is of, in words. */
  describe: (row: number) => string;
}

/** Read at a time: one read of the system gives at most two gigabytes. */
const pieceBytes = 64 * 2 ** 20;

/** Before memory is taken for what the description says. */
export async function checkSize({ path, count, width, type }: FeatureArrayFile): Promise<void> {
  await requirePlain(path).catch((cause: unknown) => {
    throw unreadable(cause, path);
  });
  const { size } = await stat(path);
  if (numberBytes[type] * count * width > size)
    throw damaged(path, `${size} bytes of ${count} × ${width} features`);
}

/** Reads the array once, into memory where that is given; the length of its header. */
export async function checkArray(
  { path, count, width, type, sha256, describe }: FeatureArrayFile,
  into: Float32Array | undefined,
): Promise<number> {
  const file = await openPlain(path).catch((cause: unknown) => {
    throw unreadable(cause, path);
  });
  try {
    const start = Buffer.alloc(1024);
    await file.read(start, 0, start.length, 0);
    const { dtype, shape, headerLength } = parseNpyHeader(start, path);
    const { size } = await file.stat();
    const bytesEach = numberBytes[type];
    const isAsTold = dtype === numpyTypes[type] && shape[0] === count && shape[1] === width;
    if (!isAsTold || size !== headerLength + bytesEach * count * width)
      throw damaged(path, `${dtype} [${shape.join(", ")}] in ${size} bytes`);
    const hash = createHash("sha256").update(start.subarray(0, headerLength));
    const rows = Math.max(1, Math.floor(pieceBytes / (4 * width)));
    const memory = into === undefined ? new Float32Array(Math.min(rows, count) * width) : undefined;
    const halves = type === "float16" ? new Uint16Array(Math.min(rows, count) * width) : undefined;
    let harmed: ReturnType<typeof harmedRow>;
    for (let row = 0; row < count; row += rows) {
      const numbers = Math.min(rows, count - row) * width;
      const piece = memory?.subarray(0, numbers) ?? into!.subarray(row * width, row * width + numbers);
      const stored = halves?.subarray(0, numbers) ?? piece;
      const bytes = new Uint8Array(stored.buffer, stored.byteOffset, stored.byteLength);
      await file.read(bytes, 0, bytes.length, headerLength + bytesEach * row * width);
      hash.update(bytes);
      if (halves !== undefined) halvesInto(halves.subarray(0, numbers), piece);
      const found = harmed === undefined ? harmedRow(piece, width) : undefined;
      if (found !== undefined) harmed = { row: row + found.row, count: found.count };
    }
    if (hash.digest("hex") !== sha256) throw damaged(path, "other bytes than were written");
    if (harmed !== undefined)
      throw damaged(
        path,
        `${harmed.count} of ${width} features of ${describe(harmed.row)} are NaN or infinite`,
      );
    return headerLength;
  } finally {
    await file.close();
  }
}

/** A small array beside the features, whole. */
export async function readNumbers<Numbers extends Int32Array | Float32Array>(
  path: string,
  { count, width, dtype, sha256 }: { count: number; width: number; dtype: string; sha256: string },
  make: (buffer: ArrayBuffer) => Numbers,
): Promise<Numbers> {
  const bytes = await readPlain(path).catch((cause: unknown) => {
    throw unreadable(cause, path);
  });
  if (digestOf(bytes) !== sha256) throw damaged(path, "other bytes than were written");
  const { dtype: found, shape, headerLength } = parseNpyHeader(bytes, path);
  if (
    found !== dtype ||
    shape[0] !== count ||
    shape[1] !== width ||
    bytes.length !== headerLength + 4 * count * width
  )
    throw damaged(path, `${found} [${shape.join(", ")}] in ${bytes.length} bytes`);
  return make(Uint8Array.from(bytes.subarray(headerLength)).buffer);
}

export function unreadable(cause: unknown, path: string) {
  const { code, message } = cause as NodeJS.ErrnoException;
  return damaged(path, code === "ENOENT" ? "no such file" : message, cause);
}
