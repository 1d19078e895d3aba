/**
 * Rows of numbers that a long work leaves beside its target while it goes on, so that whoever does the same work again after a
 * kill goes on behind them. A line at the file's beginning says of which work they are.
 */

import { existsSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { CuelabError } from "../core/errors.ts";
import { diskError } from "./disk-error.ts";
import { isLocked, Lock } from "./lock.ts";
import { lockBeside } from "./partial-name.ts";
import { removeFile } from "./remove-file.ts";

const headBytes = 256;

export class KeptRows {
  readonly path: string;
  readonly width: number;
  /** Whole rows that are there. */
  count: number;
  readonly #file: FileHandle;
  readonly #lock: Lock;

  private constructor(
    path: string,
    file: FileHandle,
    lock: Lock,
    { width, count }: { width: number; count: number },
  ) {
    this.path = path;
    this.#file = file;
    this.#lock = lock;
    this.width = width;
    this.count = count;
  }

  /** Rows of the work with this key, which may be there already; those of another work of ours are dropped. */
  static async open(path: string, { key, width }: { key: string; width: number }): Promise<KeptRows> {
    const lock = await Lock.take(lockBeside(path), "prediction");
    try {
      const head = Buffer.alloc(headBytes, " ");
      head.write(`cuelab rows of ${width} for ${key}`);
      const file = await open(path, "a+").then(async (made) => {
        await made.close();
        return open(path, "r+");
      });
      const there = Buffer.alloc(headBytes);
      const { bytesRead } = await file.read(there, 0, headBytes, 0);
      if (bytesRead > 0 && !isOurs(there)) throw notOurs(path);
      const { size } = await file.stat();
      const isSame = bytesRead === headBytes && there.equals(head);
      const count = isSame ? Math.floor((size - headBytes) / (4 * width)) : 0;
      if (!isSame) {
        await file.truncate(0);
        await file.write(head, 0, headBytes, 0);
      }
      return new KeptRows(path, file, lock, { width, count });
    } catch (cause) {
      lock.release();
      throw diskError(cause, path);
    }
  }

  /** Removes rows that nobody will go on from; those that somebody is at stay. */
  static async tidy(path: string): Promise<void> {
    const lockPath = lockBeside(path);
    const [isThere, hasLock] = [existsSync(path), existsSync(lockPath)];
    if ((!isThere && !hasLock) || (await isLocked(lockPath))) return;
    if (isThere && !(await beginsAsOurs(path))) return;
    const lock = await Lock.take(lockPath, "prediction");
    await removeFile(path);
    lock.release();
  }

  /** Behind those that are there. */
  async add(rows: Float32Array): Promise<void> {
    const bytes = new Uint8Array(rows.buffer, rows.byteOffset, rows.byteLength);
    for (let at = 0, from = headBytes + 4 * this.count * this.width; at < bytes.length; ) {
      const { bytesWritten } = await this.#file
        .write(bytes, at, bytes.length - at, from + at)
        .catch((cause: unknown) => {
          throw diskError(cause, this.path);
        });
      at += bytesWritten;
    }
    this.count += rows.length / this.width;
  }

  /** Drops all rows but the first so many. */
  keep(count: number): void {
    this.count = Math.min(this.count, count);
  }

  async read(first: number, count: number): Promise<Float32Array> {
    const rows = new Float32Array(count * this.width);
    const bytes = new Uint8Array(rows.buffer);
    for (let done = 0, from = headBytes + 4 * first * this.width; done < bytes.length; ) {
      const { bytesRead } = await this.#file.read(bytes, done, bytes.length - done, from + done);
      if (bytesRead === 0) throw diskError(new Error("it ends too early"), this.path);
      done += bytesRead;
    }
    return rows;
  }

  /** Kept for who goes on, or removed with what is done. */
  async close({ done }: { done: boolean }): Promise<void> {
    await this.#file.close();
    if (done) await removeFile(this.path);
    this.#lock.release();
  }
}

const isOurs = (head: Buffer) => head.toString("latin1", 0, 12) === "cuelab rows ";

async function beginsAsOurs(path: string): Promise<boolean> {
  const file = await open(path, "r");
  try {
    const head = Buffer.alloc(headBytes);
    await file.read(head, 0, headBytes, 0);
    return isOurs(head);
  } finally {
    await file.close();
  }
}

function notOurs(path: string): CuelabError {
  return new CuelabError({
    kind: "input",
    what: "a file is in the way of rows that are kept there for a while",
    where: path,
    got: "something that Cuelab has not written",
    todo: "move it, or choose another --out",
  });
}
