/** A file of records that grows at its end, and is gone on with after a kill: a head, then records of equal size. */

import { createHash, type Hash } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { diskError } from "./disk-error.ts";

export interface GrowingOptions {
  head: Uint8Array;
  /** Bytes of a record. */
  record: number;
  /** What is there is cut to a multiple of so many records: the rest would be made in other company. */
  unit?: number;
}

/** Read at a time for the digest of what is there already. */
const piece = 1 << 22;

export class GrowingFile {
  readonly path: string;
  /** Whole records that are there. */
  count: number;
  readonly #file: FileHandle;
  readonly #options: GrowingOptions;
  readonly #hash: Hash = createHash("sha256");

  private constructor(path: string, file: FileHandle, options: GrowingOptions, count: number) {
    this.path = path;
    this.#file = file;
    this.#options = options;
    this.count = count;
  }

  /** Records of a file with another head are dropped. `keep` comes before anything is added. */
  static async open(path: string, options: GrowingOptions): Promise<GrowingFile> {
    const { head, record, unit = 1 } = options;
    try {
      const file = await open(path, constants.O_RDWR | constants.O_CREAT);
      const there = new Uint8Array(head.length);
      const { bytesRead } = await file.read(there, 0, head.length, 0);
      const isSame = bytesRead === head.length && there.every((byte, i) => byte === head[i]);
      const { size } = await file.stat();
      const count = isSame ? wholeUnits((size - head.length) / record, unit) : 0;
      if (!isSame) {
        await file.truncate(0);
        await file.write(head, 0, head.length, 0);
      }
      return new GrowingFile(path, file, options, count);
    } catch (cause) {
      throw diskError(cause, path);
    }
  }

  /** The first so many records, once; all others go. */
  async keep(count: number): Promise<void> {
    const { head, record } = this.#options;
    const end = head.length + count * record;
    this.#hash.update(head);
    await this.#file.truncate(end);
    const bytes = new Uint8Array(Math.min(piece, Math.max(1, end - head.length)));
    for (let at = head.length; at < end; ) {
      const { bytesRead } = await this.#file.read(bytes, 0, Math.min(bytes.length, end - at), at);
      this.#hash.update(bytes.subarray(0, bytesRead));
      at += bytesRead;
    }
    this.count = count;
  }

  async add(bytes: Uint8Array): Promise<void> {
    const { head, record } = this.#options;
    const from = head.length + this.count * record;
    for (let at = 0; at < bytes.length; ) {
      const { bytesWritten } = await this.#file
        .write(bytes, at, bytes.length - at, from + at)
        .catch((cause: unknown) => {
          throw diskError(cause, this.path);
        });
      at += bytesWritten;
    }
    this.#hash.update(bytes);
    this.count += bytes.length / record;
  }

  /** SHA-256 of all that is there. */
  async finish(): Promise<string> {
    await this.#file.sync();
    await this.#file.close();
    return this.#hash.digest("hex");
  }

  async close(): Promise<void> {
    await this.#file.close().catch(() => {});
  }
}

function wholeUnits(records: number, unit: number): number {
  return Math.floor(Math.floor(records) / unit) * unit;
}
