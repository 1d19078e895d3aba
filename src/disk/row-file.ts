/** Rows of numbers in a file, read and written by their numbers: for tables that are larger than memory should be. */

import { type FileHandle, open } from "node:fs/promises";
import { CuelabError } from "../core/errors.ts";
import { halvesInto } from "../core/half-floats.ts";
import { diskError } from "./disk-error.ts";
import { partialName } from "./partial-name.ts";
import { removeFile } from "./remove-file.ts";

/** So many reads wait for the disk at a time: the system serves them in the order that suits it. */
const atOnce = 16;

export class RowFile {
  readonly path: string;
  readonly width: number;
  readonly #file: FileHandle;
  readonly #firstByte: number;
  readonly #isOurs: boolean;
  /** Of a number. */
  readonly #bytes: 4 | 2;

  private constructor(
    path: string,
    file: FileHandle,
    width: number,
    { firstByte, isOurs, bytes = 4 }: { firstByte: number; isOurs: boolean; bytes?: 4 | 2 },
  ) {
    this.path = path;
    this.width = width;
    this.#file = file;
    this.#firstByte = firstByte;
    this.#isOurs = isOurs;
    this.#bytes = bytes;
  }

  /** Rows that somebody has stored, from a byte of the file on; of four bytes a number, or of two. */
  static async open(path: string, width: number, firstByte: number, bytes: 4 | 2 = 4): Promise<RowFile> {
    return new RowFile(path, await open(path, "r"), width, { firstByte, isOurs: false, bytes });
  }

  /**
   * For rows that are needed for a while: the file has a name that tells it is half-made, and is removed when it is closed, or by
   * whoever opens the folder after a kill.
   */
  static async spool(folder: string, name: string, width: number): Promise<RowFile> {
    const path = partialName(`${folder}/${name}`);
    const file = await open(path, "wx+").catch((cause: unknown) => {
      throw diskError(cause, folder);
    });
    return new RowFile(path, file, width, { firstByte: 0, isOurs: true });
  }

  /** Rows one after the other, from the row with this number on. */
  async write(rows: Float32Array, first: number): Promise<void> {
    const bytes = new Uint8Array(rows.buffer, rows.byteOffset, rows.byteLength);
    const from = this.#byteOf(first);
    for (let at = 0; at < bytes.length; ) {
      const { bytesWritten } = await this.#file
        .write(bytes, at, bytes.length - at, from + at)
        .catch((cause: unknown) => {
          throw diskError(cause, this.path);
        });
      at += bytesWritten;
    }
  }

  /** The rows with these numbers, in this order. */
  async read(numbers: Uint32Array, into: Float32Array): Promise<void> {
    const runs = neighbours(numbers);
    let next = 0;
    const reader = async () => {
      for (let run = runs[next++]; run !== undefined; run = runs[next++]) await this.#readRun(run, into);
    };
    await Promise.all(Array.from({ length: Math.min(atOnce, runs.length) }, reader));
  }

  async close(): Promise<void> {
    await this.#file.close();
    if (this.#isOurs) await removeFile(this.path);
  }

  async #readRun({ number, at, count }: Run, into: Float32Array): Promise<void> {
    const { width } = this;
    const halves = this.#bytes === 2 ? new Uint16Array(count * width) : undefined;
    const bytes =
      halves === undefined
        ? new Uint8Array(into.buffer, into.byteOffset + 4 * at * width, 4 * count * width)
        : new Uint8Array(halves.buffer);
    const from = this.#byteOf(number);
    for (let done = 0; done < bytes.length; ) {
      const { bytesRead } = await this.#file.read(bytes, done, bytes.length - done, from + done);
      if (bytesRead === 0)
        throw new CuelabError({
          kind: "input",
          what: "a file ends before the rows that it should have",
          where: this.path,
          expected: `row ${number + count - 1} of ${width} numbers`,
        });
      done += bytesRead;
    }
    if (halves !== undefined) halvesInto(halves, into.subarray(at * width, (at + count) * width));
  }

  #byteOf(row: number): number {
    return this.#firstByte + this.#bytes * row * this.width;
  }
}

interface Run {
  /** Of its first row in the file, and its place among those that are asked for. */
  number: number;
  at: number;
  count: number;
}

/** Rows that lie one after the other are read at once. */
function neighbours(numbers: Uint32Array): Run[] {
  const runs: Run[] = [];
  for (const [at, number] of numbers.entries()) {
    const last = runs.at(-1);
    if (last !== undefined && last.number + last.count === number) last.count++;
    else runs.push({ number, at, count: 1 });
  }
  return runs;
}
