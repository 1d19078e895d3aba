/**
 * Thrift's compact protocol against what is expected of it: kinds of fields, numbers that stand for words, what may not be missing.
 * Reading without asking makes numbers of whatever stands there, where other programs refuse the file.
 */

/** `below`: a number that stands for a word, one of so many; `except` of those that no word has. */
export type ThriftShape =
  | { kind: "i16" | "i32" | "i64" | "binary" | "bool" | "any" }
  | { kind: "word"; below: number; except?: number }
  | { kind: "list"; of: ThriftShape }
  | {
      kind: "struct";
      name: string;
      fields: Readonly<Record<number, ThriftShape>>;
      wanted: readonly number[];
    };

/** What was read: structs by field, of binary its length only. Of what is not described, nothing. */
export type ThriftValue = number | boolean | undefined | ThriftValue[] | ThriftFields;
export interface ThriftFields {
  readonly [field: number]: ThriftValue;
}

/** Kinds by their numbers in the protocol. */
const [stop, yes, no, byte, i16, i32, i64, double, binary, list, struct] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12];
const numbers = { i16, i32, i64, binary, word: i32, list, struct };
const mostDepth = 32;

export interface ThriftReader {
  view: DataView;
  offset: number;
}

/** Moves the reader behind the struct. */
export function readThrift(reader: ThriftReader, shape: ThriftShape & { kind: "struct" }): ThriftFields {
  return readStruct(reader, shape, 0);
}

function readStruct(reader: ThriftReader, shape: ThriftShape, depth: number): ThriftFields {
  if (depth > mostDepth) throw new Error(`more than ${mostDepth} things within each other`);
  const fields: Record<number, ThriftValue> = {};
  const described = shape.kind === "struct" ? shape : undefined;
  const whose = described?.name ?? "something";
  for (let field = 0; ; ) {
    const head = reader.view.getUint8(reader.offset++);
    const kind = head & 15;
    if (kind === stop) break;
    field = head >> 4 === 0 ? zigzag(reader) : field + (head >> 4);
    const expected = described?.fields[field] ?? any;
    requireKind(kind, expected, `field ${field} of ${whose}`);
    fields[field] =
      kind === yes || kind === no ? kind === yes : readValue(reader, kind, expected, depth, whose);
  }
  const missing = described?.wanted.find((field) => fields[field] === undefined);
  if (missing !== undefined) throw new Error(`${whose} lacks its field ${missing}`);
  return fields;
}

const any: ThriftShape = { kind: "any" };

function requireKind(kind: number, { kind: expected }: ThriftShape, what: string): void {
  const fits =
    expected === "any" || (expected === "bool" ? kind === yes || kind === no : numbers[expected] === kind);
  if (!fits) throw new Error(`${what} is of another kind`);
}

/** Of lists of booleans, too, which stand in bytes. */
function readValue(
  reader: ThriftReader,
  kind: number,
  shape: ThriftShape,
  depth: number,
  whose: string,
): ThriftValue {
  switch (kind) {
    case yes:
    case no:
    case byte:
      return reader.view.getInt8(reader.offset++);
    case i16:
    case i32:
    case i64: {
      const value = zigzag(reader);
      if (shape.kind === "word" && !(value >= 0 && value < shape.below && value !== shape.except))
        throw new Error(`${whose} has a ${value} where it stands for no word`);
      return value;
    }
    case double:
      return skip(reader, 8);
    case binary: {
      const length = varint(reader);
      skip(reader, length);
      return length;
    }
    case list: {
      const head = reader.view.getUint8(reader.offset++);
      const count = head >> 4 === 15 ? varint(reader) : head >> 4;
      // Each takes a byte at least.
      if (count > reader.view.byteLength - reader.offset) throw new Error(`a list of ${count} in ${whose}`);
      const inner = shape.kind === "list" ? shape.of : any;
      if (count > 0) requireKind(head & 15, inner, `an element of a list of ${whose}`);
      else if ((head & 15) > struct) throw new Error(`a list of kind ${head & 15} in ${whose}`);
      return Array.from({ length: count }, () => readValue(reader, head & 15, inner, depth + 1, whose));
    }
    case struct:
      return readStruct(reader, shape, depth + 1);
    default:
      throw new Error(`a field of kind ${kind} in ${whose}`);
  }
}

function skip(reader: ThriftReader, bytes: number): undefined {
  if (bytes > reader.view.byteLength - reader.offset)
    throw new Error(`${bytes} bytes that end behind all that there is`);
  reader.offset += bytes;
}

/** Without a sign; exact as long as it is a whole number to JavaScript. */
function varint(reader: ThriftReader): number {
  let value = 0;
  for (let scale = 1; ; scale *= 128) {
    const part = reader.view.getUint8(reader.offset++);
    value += (part & 127) * scale;
    if (part < 128) return value;
    if (scale > 2 ** 63) throw new Error("a number of too many bytes");
  }
}

function zigzag(reader: ThriftReader): number {
  const value = varint(reader);
  return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
}
