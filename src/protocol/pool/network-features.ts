/** Features by a network of all images of a pool, made once and kept beside its parts as a NumPy array. */

import { mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { CuelabError } from "../../core/errors.ts";
import { diskError } from "../../formats/disk-error.ts";
import { npyHeader, parseNpyHeader } from "../../formats/npy.ts";
import type { Features, ImageBytes } from "./feature-kinds.ts";
import type { FeatureNetwork } from "./feature-networks.ts";

export interface KeepOptions {
  /** Where they are kept. */
  path: string;
  /** Opened only where they are not there yet. */
  network: () => Promise<FeatureNetwork>;
  signal?: AbortSignal | undefined;
}

export async function networkFeatures(
  images: ImageBytes,
  { path, network, signal }: KeepOptions,
): Promise<Features> {
  const kept = await readFile(path).catch(() => undefined);
  if (kept === undefined) {
    const opened = await network();
    try {
      await write(path, images, opened, signal);
    } finally {
      await opened.close();
    }
  }
  return parse(kept ?? (await readFile(path)), images.count, path);
}

/** Batch by batch into a file that is there whole or not at all. */
async function write(
  path: string,
  { shape, count, data }: ImageBytes,
  { width, batch, run }: FeatureNetwork,
  signal: AbortSignal | undefined,
): Promise<void> {
  const bytes = shape.height * shape.width * shape.channels;
  const partial = `${path}.cuelab-partial-${process.pid}`;
  await mkdir(dirname(path), { recursive: true });
  const file = await open(partial, "w").catch((cause: unknown) => {
    throw diskError(cause, path);
  });
  try {
    await file.appendFile(npyHeader("<f4", [count, width]));
    // The last batch is filled up with images of the one before, whose further features are not kept.
    const some = new Uint8Array(batch * bytes);
    for (let start = 0; start < count; start += batch) {
      await new Promise((resolve) => setImmediate(resolve));
      signal?.throwIfAborted();
      const here = Math.min(batch, count - start);
      some.set(data.subarray(start * bytes, (start + here) * bytes));
      const rows = (await run(some)).subarray(0, here * width);
      await file.appendFile(new Uint8Array(rows.buffer, rows.byteOffset, rows.byteLength));
    }
    await file.close();
    await rename(partial, path);
  } catch (cause) {
    await file.close().catch(() => {});
    await rm(partial, { force: true });
    throw diskError(cause, path);
  }
}

function parse(bytes: Buffer, count: number, path: string): Features {
  const { shape, headerLength } = parseNpyHeader(bytes, path);
  const [rows, width = 0] = shape;
  if (rows !== count || bytes.length !== headerLength + 4 * count * width) {
    throw new CuelabError({
      kind: "input",
      what: "kept features are damaged",
      where: path,
      expected: `${count} rows`,
      got: `${rows} rows of ${width}, ${bytes.length} bytes`,
      todo: "delete the file and give the same command again: it is made anew",
    });
  }
  // Copied, since numbers of four bytes must begin at a multiple of four.
  const values = new Float32Array(count * width);
  new Uint8Array(values.buffer).set(bytes.subarray(headerLength, headerLength + values.byteLength));
  return { values, width, channels: undefined };
}
