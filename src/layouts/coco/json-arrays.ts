/**
 * Walks a JSON file of any size and hands on the elements of arrays of its top object one at a time: LVIS's annotations
 * are a gigabyte, more than a text may hold. Brackets and texts are followed byte by byte; what lies in an element is
 * parsed only by who wants it.
 */

import type { Hash } from "node:crypto";
import { CuelabError } from "../../core/errors.ts";
import { parseExact } from "../../core/exact-json.ts";
import { utf8 } from "../../core/utf8.ts";
import { openPlain } from "../../disk/plain-file.ts";
import { reasonOf } from "../../sources/image-folder.ts";

/** Gets the bytes of one element, valid during the call, and where it is. */
export type Visit = (element: Buffer, place: ElementPlace) => void;

export interface ElementPlace {
  /** The byte of the file at which it begins. */
  offset: number;
  /** The array's name and the element's number in it, from 1, for messages. */
  item: string;
}

const chunkLength = 1 << 20;
/** An element longer than this is a bracket that was never closed. */
const longestElement = 1 << 26;
/** What nobody asked for is looked at as far as it is no longer than this: a remark, a licence. */
const longestOther = 1 << 20;
const longestScalar = 1000;
const deepest = 64;

const [quote, backslash, colon, comma] = [0x22, 0x5c, 0x3a, 0x2c];
const [openObject, closeObject, openArray, closeArray] = [0x7b, 0x7d, 0x5b, 0x5d];

/** 0 for bytes that change nothing outside texts. */
const kinds = new Uint8Array(256);
for (const byte of [quote, openObject, closeObject, openArray, closeArray]) kinds[byte] = 1;

/** Every name of `visits` must be an array of objects; those without a function are passed over. */
export async function walkJsonArrays(
  path: string,
  visits: Readonly<Record<string, Visit | null>>,
  hash?: Hash,
): Promise<void> {
  const file = await openPlain(path).catch((cause: unknown) => {
    throw new CuelabError({
      kind: "input",
      what: "the annotations cannot be read",
      where: path,
      expected: "a JSON file",
      got: reasonOf(cause),
      cause,
    });
  });
  try {
    const walker = new Walker(path, visits);
    const chunk = Buffer.allocUnsafe(chunkLength);
    for (;;) {
      const { bytesRead } = await file.read(chunk, 0, chunkLength);
      if (bytesRead === 0) break;
      const part = chunk.subarray(0, bytesRead);
      hash?.update(part);
      walker.feed(part);
    }
    walker.finish();
  } finally {
    await file.close();
  }
}

/** An element's value; an error tells the element and the byte of the file. */
export function parseElement(path: string, element: Buffer, { offset, item }: ElementPlace): unknown {
  try {
    return parseExact(utf8(element));
  } catch (cause) {
    const at = /position (\d+)/.exec((cause as Error).message)?.[1];
    throw brokenJson(`${path}, ${item}`, offset + Number(at ?? 0), (cause as Error).message);
  }
}

/** Where in the top object the walker is. */
type ArrayPlace =
  | "start"
  | "first key"
  | "key"
  | "text of key"
  | "colon"
  | "value"
  | "scalar"
  | "nested"
  | "array"
  | "comma"
  | "end";

class Walker {
  readonly #path: string;
  readonly #visits: Readonly<Record<string, Visit | null>>;
  readonly #seen = new Set<string>();
  #place: ArrayPlace = "start";
  /** Bytes before the present chunk. */
  #base = 0;
  #key = "";
  /** The array being walked; undefined in other values. */
  #array: string | undefined;
  /** Elements of the array so far, with the present one. */
  #elements = 0;
  /** What is being walked, for messages. */
  #chunk: Buffer = Buffer.alloc(0);
  /** Whether the array's next element needs a comma before it. */
  #separated = true;
  #inText = false;
  #escaped = false;
  readonly #open = new Uint8Array(deepest);
  #depth = 0;
  /** Earlier chunks' share of the present element or key. */
  #pending: Buffer[] = [];
  #pendingLength = 0;

  constructor(path: string, visits: Readonly<Record<string, Visit | null>>) {
    this.#path = path;
    this.#visits = visits;
  }

  feed(chunk: Buffer): void {
    this.#chunk = chunk;
    for (let at = 0; at < chunk.length; ) {
      if (this.#place === "nested") at = this.#nested(chunk, at);
      else if (this.#place === "text of key") at = this.#keyText(chunk, at);
      else {
        const byte = chunk[at]!;
        if (!isBlank(byte)) this.#step(byte, at);
        else this.#endScalar(at);
        // What begins with this byte is followed from this byte on.
        if ((this.#place as ArrayPlace) !== "nested") at++;
      }
    }
    this.#base += chunk.length;
  }

  finish(): void {
    if (this.#place !== "end") {
      throw new CuelabError({
        kind: "input",
        what: "the JSON file is cut off",
        where: `${this.#where()}, byte ${this.#base}`,
        expected: this.#place === "start" ? "an object" : "its closing brackets",
        got: "the end of the file",
        todo: "download or unpack it again",
      });
    }
    const missing = Object.keys(this.#visits).find((name) => !this.#seen.has(name));
    if (missing === undefined) return;
    throw new CuelabError({
      kind: "input",
      what: `the JSON file has no "${missing}"`,
      where: this.#path,
      expected: `an object with the arrays ${Object.keys(this.#visits).join(", ")}, as COCO and LVIS have`,
      got: this.#seen.size === 0 ? "none of them" : [...this.#seen].join(", "),
    });
  }

  /** One byte that is not blank, between values. */
  #step(byte: number, at: number): void {
    switch (this.#place) {
      case "start":
        this.#expect(byte === openObject, at, "{");
        this.#place = "first key";
        return;
      case "first key":
      case "key":
        if (byte === closeObject && this.#place === "first key") this.#place = "end";
        else {
          this.#expect(byte === quote, at, "the name of a field");
          this.#place = "text of key";
        }
        return;
      case "colon":
        this.#expect(byte === colon, at, ":");
        this.#place = "value";
        return;
      case "value":
        this.#value(byte, at);
        return;
      case "scalar":
      case "comma": {
        const isOver = byte === comma || byte === closeObject;
        if (isOver) {
          this.#endScalar(at);
          this.#place = byte === comma ? "key" : "end";
        } else {
          const goesOn = this.#place === "scalar" && this.#pendingLength < longestScalar;
          this.#expect(goesOn && !kinds[byte] && byte !== colon, at, ", or }");
          this.#keep(this.#chunk.subarray(at, at + 1));
        }
        return;
      }
      case "array":
        this.#inArray(byte, at);
        return;
      case "end":
        throw this.#broken(at, "something after the end of the object");
      case "nested":
      case "text of key":
        throw new Error(`${this.#place} is not walked by single bytes`);
      default:
        this.#place satisfies never;
    }
  }

  #value(byte: number, at: number): void {
    if (Object.hasOwn(this.#visits, this.#key)) {
      this.#expect(byte === openArray, at, `[, since "${this.#key}" is a list`);
      if (this.#seen.has(this.#key)) {
        throw this.#broken(at, `a second "${this.#key}"`);
      }
      this.#seen.add(this.#key);
      this.#array = this.#key;
      this.#elements = 0;
      this.#separated = true;
      this.#place = "array";
      return;
    }
    this.#array = undefined;
    if (byte === quote || byte === openObject || byte === openArray) this.#place = "nested";
    else {
      this.#expect(!kinds[byte] && byte !== comma && byte !== colon, at, "a value");
      this.#place = "scalar";
      this.#keep(this.#chunk.subarray(at, at + 1));
    }
  }

  #inArray(byte: number, at: number): void {
    if (byte === closeArray) {
      this.#place = "comma";
    } else if (byte === comma && !this.#separated) {
      this.#separated = true;
    } else {
      if (this.#separated) this.#elements++;
      this.#expect(byte === openObject && this.#separated, at, this.#separated ? "an object" : ", or ]");
      this.#separated = false;
      this.#place = "nested";
    }
  }

  /** Follows a text, object or list to its end, which may lie in a later chunk; returns where it stopped. */
  #nested(chunk: Buffer, from: number): number {
    const { length } = chunk;
    const open = this.#open;
    let [at, depth] = [from, this.#depth];
    while (at < length) {
      if (this.#inText) {
        at = this.#text(chunk, at);
        if (this.#inText || depth > 0) continue;
        return this.#close(chunk, from, at);
      }
      // Nearly all bytes are parts of numbers, which end here.
      while (at < length && kinds[chunk[at]!] === 0) at++;
      if (at === length) break;
      const byte = chunk[at++]!;
      if (byte === quote) this.#inText = true;
      else if (byte === openObject || byte === openArray) {
        if (depth === deepest) throw this.#broken(at, "brackets too deep");
        open[depth++] = byte;
      } else {
        // In ASCII a closing bracket is two after the one that opens it.
        const expected = open[--depth]! + 2;
        if (byte !== expected) this.#expect(false, at - 1, String.fromCharCode(expected));
        if (depth === 0) {
          this.#depth = 0;
          return this.#close(chunk, from, at);
        }
      }
    }
    this.#depth = depth;
    this.#keep(chunk.subarray(from));
    return at;
  }

  #close(chunk: Buffer, from: number, end: number): number {
    if (this.#array === undefined) {
      this.#place = "comma";
      this.#checkOther(chunk.subarray(from, end), end);
      return end;
    }
    this.#place = "array";
    const visit = this.#visits[this.#array];
    if (visit) {
      const offset = this.#base + from - this.#pendingLength;
      visit(this.#taken(chunk.subarray(from, end)), { offset, item: this.#item(this.#array) });
    }
    this.#forget();
    return end;
  }

  #text(chunk: Buffer, from: number): number {
    for (let at = from; at < chunk.length; at++) {
      const byte = chunk[at]!;
      if (this.#escaped) this.#escaped = false;
      else if (byte === backslash) this.#escaped = true;
      else if (byte === quote) {
        this.#inText = false;
        return at + 1;
      } else if (byte < 0x20) throw this.#broken(at, "a line break inside a text");
    }
    return chunk.length;
  }

  #keyText(chunk: Buffer, from: number): number {
    this.#inText = true;
    const end = this.#text(chunk, from);
    if (this.#inText) this.#keep(chunk.subarray(from, end));
    else {
      this.#key = this.#taken(chunk.subarray(from, end - 1)).toString("utf8");
      this.#forget();
      this.#place = "colon";
    }
    return end;
  }

  #taken(last: Buffer): Buffer {
    return this.#pending.length === 0 ? last : Buffer.concat([...this.#pending, last]);
  }

  #keep(part: Buffer): void {
    if (this.#array !== undefined && !this.#visits[this.#array] && this.#place !== "text of key") return;
    this.#pending.push(Buffer.from(part));
    this.#pendingLength += part.length;
    const isOther = this.#array === undefined && this.#place !== "text of key";
    if (isOther && this.#pendingLength > longestOther) this.#pending = [];
    else if (this.#pendingLength > longestElement) {
      throw this.#broken(0, `an element of more than ${longestElement} bytes`);
    }
  }

  /** A number or a word ends with whatever comes next. */
  #endScalar(at: number): void {
    if (this.#place !== "scalar") return;
    this.#place = "comma";
    this.#checkOther(Buffer.alloc(0), at);
  }

  /** A value that nobody asked for, with its last part up to `end`, must be JSON all the same. */
  #checkOther(last: Buffer, end: number): void {
    const length = this.#pendingLength + last.length;
    const place = { offset: this.#base + end - length, item: `"${this.#key}"` };
    if (length <= longestOther) parseElement(this.#path, this.#taken(last), place);
    this.#forget();
  }

  #forget(): void {
    this.#pending = [];
    this.#pendingLength = 0;
  }

  #expect(holds: boolean, at: number, expected: string): void {
    if (!holds) throw this.#broken(at, startOf(this.#chunk.subarray(at)), expected);
  }

  #broken(at: number, got: string, expected?: string): CuelabError {
    return brokenJson(this.#where(), this.#base + at, got, expected);
  }

  /** The file, and the element where one has begun. */
  #where(): string {
    const inArray = this.#place === "array" || this.#place === "nested";
    if (!inArray || this.#array === undefined || this.#elements === 0) return this.#path;
    return `${this.#path}, ${this.#item(this.#array)}`;
  }

  #item(array: string): string {
    return `item ${this.#elements} of "${array}"`;
  }
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** How it goes on, for messages. */
function startOf(bytes: Buffer): string {
  const text = bytes.toString("utf8", 0, 40).split("\n")[0]!;
  return text.length > 24 ? `${text.slice(0, 24)}…` : text;
}

function brokenJson(where: string, offset: number, got: string, expected?: string): CuelabError {
  return new CuelabError({
    kind: "input",
    what: "the JSON file is broken",
    where: `${where}, byte ${offset}`,
    ...(expected === undefined ? {} : { expected }),
    got,
    todo: "download or unpack it again",
  });
}
