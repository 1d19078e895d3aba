/** Features by a network of all images of a pool, made once and kept beside its parts as a NumPy array. */

import { type FileHandle, readFile } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { CuelabError } from "../../core/errors.ts";
import { harmedRow } from "../../core/not-finite.ts";
import { Lock } from "../../disk/lock.ts";
import { makeFolder } from "../../disk/make-folder.ts";
import { lockBeside } from "../../disk/partial-name.ts";
import { writeWhole } from "../../disk/write-whole.ts";
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
  await makeFolder(dirname(path));
  for (;;) {
    signal?.throwIfAborted();
    const kept = await readFile(path).catch(() => undefined);
    if (kept !== undefined) return parse(kept, images.count, path);
    // Only one process makes them; the others look again.
    const lock = await Lock.tryTake(lockBeside(path));
    if (lock === undefined) await wait(lookMs);
    else await write(path, images, network, signal).finally(() => lock.release());
  }
}

/** How often to look whether another process of the pool has made them. */
const lookMs = 100;

/** Batch by batch into a file that is there whole or not at all. */
async function write(
  path: string,
  { shape, count, data }: ImageBytes,
  network: KeepOptions["network"],
  signal: AbortSignal | undefined,
): Promise<void> {
  const bytes = shape.height * shape.width * shape.channels;
  const { width, batch, run, close } = await network();
  const fill = async (file: FileHandle) => {
    await file.appendFile(npyHeader("<f4", [count, width]));
    // The last batch is filled up with images of the one before, whose further features are not kept.
    const some = new Uint8Array(batch * bytes);
    for (let start = 0; start < count; start += batch) {
      await new Promise((resolve) => setImmediate(resolve));
      signal?.throwIfAborted();
      const here = Math.min(batch, count - start);
      some.set(data.subarray(start * bytes, (start + here) * bytes));
      const rows = (await run(some)).subarray(0, here * width);
      const harmed = harmedRow(rows, width);
      if (harmed !== undefined) throw notFinite(path, start + harmed.row, width, harmed.count);
      await file.appendFile(new Uint8Array(rows.buffer, rows.byteOffset, rows.byteLength));
    }
  };
  try {
    await writeWhole(path, fill, { overwrite: true });
  } finally {
    await close();
  }
}

function notFinite(path: string, image: number, width: number, count: number): CuelabError {
  return new CuelabError({
    kind: "failure",
    what: "the network gives features that are not finite",
    where: `${basename(path, ".npy")}, image ${image} of the pool's`,
    expected: `${width} finite numbers`,
    got: `${count} that are NaN or infinite`,
    todo: "leave this network away, or give it pixels as it wants them",
  });
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
