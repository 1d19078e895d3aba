/** Codes of cells by their bytes: a text is made once, when it is first seen. */

import { CellError } from "../core/cell-error.ts";

/** Texts of a column take no more than this. */
const mostBytes = 1 << 26;
/** A cell longer than this names nothing. */
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** As the scanner of records mixes them in, byte by byte. */
export function hashOf(bytes: Uint8Array, first: number, last: number): number {
  let hash = 0;
  for (let at = first; at < last; at++) hash = Math.imul(hash ^ bytes[at]!, 0x01000193);
  return hash;
}

export class TextDictionary {
  readonly #most: number;
  /** Code + 1; 0 is free. A power of two long, at most half full. */
  #slots = new Int32Array(256);
  #hashes = new Int32Array(128);
  /** Where the bytes of each code begin; one more entry says where the last ends. */
  #starts = new Int32Array(129);
  #bytes = new Uint8Array(2048);
  #size = 0;
  /** Texts that were new since they were last taken, with the row of each. */
  #fresh: { text: string; row: number }[] = [];
  overflowed = false;

  constructor(most: number) {
    this.#most = most;
  }

  /** `hash` is that of the bytes. */
  code(bytes: Uint8Array, first: number, last: number, hash: number, row: number): number {
    if (this.overflowed) return 0;
    const code = this.#known(bytes, first, last, hash);
    return code < 0 ? this.#insert(bytes, first, last, hash, row) : code;
  }

  /** The code of bytes that were met before; -1 for others. */
  find(bytes: Uint8Array, first: number, last: number): number {
    return this.#known(bytes, first, last, hashOf(bytes, first, last));
  }

  #known(bytes: Uint8Array, first: number, last: number, hash: number): number {
    const mask = this.#slots.length - 1;
    const starts = this.#starts;
    const length = last - first;
    let slot = (hash ^ (hash >>> 15)) & mask;
    for (;;) {
      const code = this.#slots[slot]! - 1;
      if (code < 0) return code;
      if (this.#hashes[code] === hash) {
        const start = starts[code]!;
        if (starts[code + 1]! - start === length) {
          let i = 0;
          while (i < length && this.#bytes[start + i] === bytes[first + i]) i++;
          if (i === length) return code;
        }
      }
      slot = (slot + 1) & mask;
    }
  }

  /** A text that did not come as bytes. */
  codeOf(text: string, row: number): number {
    const bytes = Buffer.from(text);
    return this.code(bytes, 0, bytes.length, hashOf(bytes, 0, bytes.length), row);
  }

  /** How many there are of these. */
  get freshCount(): number {
    return this.#fresh.length;
  }

  takeFresh(): { text: string; row: number }[] {
    const fresh = this.#fresh;
    this.#fresh = [];
    return fresh;
  }

  #insert(bytes: Uint8Array, first: number, last: number, hash: number, row: number): number {
    const end = this.#starts[this.#size]!;
    if (this.#size >= this.#most || end + last - first > mostBytes) {
      this.overflowed = true;
      return 0;
    }
    this.#fresh.push({ text: utf8Text(bytes, first, last), row });
    const code = this.#size++;
    if (this.#size * 2 > this.#slots.length) this.#grow();
    while (end + last - first > this.#bytes.length) this.#bytes = larger(this.#bytes, Uint8Array);
    this.#bytes.set(bytes.subarray(first, last), end);
    this.#starts[code + 1] = end + last - first;
    this.#hashes[code] = hash;
    this.#place(code);
    return code;
  }

  #grow(): void {
    this.#slots = new Int32Array(this.#slots.length * 2);
    this.#hashes = larger(this.#hashes, Int32Array);
    const starts = new Int32Array(this.#hashes.length + 1);
    starts.set(this.#starts);
    this.#starts = starts;
    for (let code = 0; code < this.#size - 1; code++) this.#place(code);
  }

  #place(code: number): void {
    const mask = this.#slots.length - 1;
    const hash = this.#hashes[code]!;
    let slot = (hash ^ (hash >>> 15)) & mask;
    while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
    this.#slots[slot] = code + 1;
  }
}

/** Two texts with bytes that mean nothing would both be "�", and one value. */
export function utf8Text(bytes: Uint8Array, first: number, last: number): string {
  const part = bytes.subarray(first, last);
  if (part.includes(0)) {
    throw new CellError("a cell holds a NUL byte", { todo: "save the table as plain text in UTF-8" });
  }
  try {
    return decoder.decode(part);
  } catch {
    const latin = Buffer.from(part.slice(0, 40)).toString("latin1");
    throw new CellError("a cell is not in UTF-8", {
      got: `bytes that spell ${JSON.stringify(latin)} in Latin-1`,
      todo: "save the table in UTF-8",
    });
  }
}

function larger<Numbers extends Uint8Array | Int32Array>(
  numbers: Numbers,
  make: new (length: number) => Numbers,
): Numbers {
  const result = new make(numbers.length * 2);
  result.set(numbers);
  return result;
}
