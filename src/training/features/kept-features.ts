/** Features by a network of images in memory, made once for several processes and kept as a NumPy array. */

import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { ImageShape } from "../../core/dataset.ts";
import { CuelabError } from "../../core/errors.ts";
import { Lock } from "../../disk/lock.ts";
import { makeFolder } from "../../disk/make-folder.ts";
import { lockBeside } from "../../disk/partial-name.ts";
import { readPlain } from "../../disk/plain-file.ts";
import { writeWhole } from "../../disk/write-whole.ts";
import { npyHeader, parseNpyHeader } from "../../tables/npy.ts";
import { type FeatureNetwork, featureRows } from "./feature-network.ts";

/** Bytes of all images, one after the other. */
export interface ImageBytes {
  shape: ImageShape;
  count: number;
  data: Uint8Array;
}

export interface FeatureArray {
  /** [images, width] */
  values: Float32Array;
  width: number;
}

export interface KeepOptions {
  /** Where they are kept. */
  path: string;
  /** Opened only where they are not there yet. */
  network: () => Promise<FeatureNetwork>;
  signal?: AbortSignal | undefined;
}

export async function keptFeatures(
  images: ImageBytes,
  { path, network, signal }: KeepOptions,
): Promise<FeatureArray> {
  await makeFolder(dirname(path));
  for (;;) {
    signal?.throwIfAborted();
    const kept = await readPlain(path).catch(() => undefined);
    if (kept !== undefined) return parse(kept, images.count, path);
    // Only one process makes them; the others look again.
    const lock = await Lock.tryTake(lockBeside(path));
    if (lock === undefined) await wait(lookMs);
    else
      await write(path, images, { network, signal, confirm: () => lock.check() }).finally(() =>
        lock.release(),
      );
  }
}

/** How often to look whether another process of the pool has made them. */
const lookMs = 100;

/** Batch by batch into a file that is there whole or not at all. */
async function write(
  path: string,
  images: ImageBytes,
  { network, signal, confirm }: Omit<KeepOptions, "path"> & { confirm: () => Promise<void> },
): Promise<void> {
  const { count } = images;
  const opened = await network();
  const describe = (image: number) => `${basename(path, ".npy")}, image ${image}`;
  const fill = async (file: FileHandle) => {
    const hash = createHash("sha256");
    const append = async (bytes: Uint8Array) => {
      hash.update(bytes);
      await file.appendFile(bytes);
    };
    await append(npyHeader("<f4", [count, opened.width]));
    for await (const rows of featureRows(opened, batchesOf(images, opened.batch, signal), {
      count,
      describe,
    }))
      await append(new Uint8Array(rows.buffer, rows.byteOffset, rows.byteLength));
    // After the array, where NumPy does not look.
    await file.appendFile(hash.digest());
  };
  try {
    await writeWhole(path, fill, { overwrite: true, confirm });
  } finally {
    await opened.close();
  }
}

/** All in the same memory: the last one is filled up with images of the one before. */
async function* batchesOf(
  { shape, count, data }: ImageBytes,
  batch: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  const bytes = shape.height * shape.width * shape.channels;
  const some = new Uint8Array(batch * bytes);
  for (let start = 0; start < count; start += batch) {
    // A moment for Ctrl-C: networks themselves never let go of the thread.
    await new Promise((resolve) => setImmediate(resolve));
    signal?.throwIfAborted();
    some.set(data.subarray(start * bytes, Math.min(start + batch, count) * bytes));
    yield some;
  }
}

function parse(bytes: Buffer, count: number, path: string): FeatureArray {
  const { shape, headerLength } = parseNpyHeader(bytes, path);
  const [rows, width = 0] = shape;
  const end = headerLength + 4 * count * width;
  const digest = bytes.subarray(end);
  // Those of earlier versions have none.
  const isAsWritten =
    digest.length === 0 || digest.equals(createHash("sha256").update(bytes.subarray(0, end)).digest());
  if (rows !== count || bytes.length < end || !isAsWritten) {
    throw new CuelabError({
      kind: "input",
      what: "kept features are damaged",
      where: path,
      expected: `${count} rows, as they were written`,
      got: isAsWritten ? `${rows} rows of ${width}, ${bytes.length} bytes` : "other bytes",
      todo: "delete the file and give the same command again: it is made anew",
    });
  }
  // Copied, since numbers of four bytes must begin at a multiple of four.
  const values = new Float32Array(count * width);
  new Uint8Array(values.buffer).set(bytes.subarray(headerLength, headerLength + values.byteLength));
  return { values, width };
}
