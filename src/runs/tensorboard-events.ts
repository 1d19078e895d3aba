/**
 * TensorBoard's files of events: records with a masked CRC-32C of their length and content (TFRecord), each a protocol buffer
 * `Event` with a step and scalars. Written here in full, since nothing else of it is needed.
 */

export interface ScalarEvent {
  step: number;
  /** Seconds since 1970. */
  wallTime: number;
  scalars: Readonly<Record<string, number>>;
}

/** Every file begins with one. */
export function firstRecord(wallTime: number): Buffer {
  return record(Buffer.concat([double(1, wallTime), text(3, "brain.Event:2")]));
}

export function scalarRecord({ step, wallTime, scalars }: ScalarEvent): Buffer {
  const values = Object.entries(scalars).map(([tag, value]) =>
    message(1, Buffer.concat([text(1, tag), float(2, value)])),
  );
  return record(Buffer.concat([double(1, wallTime), whole(2, step), message(5, Buffer.concat(values))]));
}

/** Length as eight bytes, its checksum, the content, its checksum; all little-endian. */
function record(content: Buffer): Buffer {
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(content.length));
  return Buffer.concat([length, checksum(length), content, checksum(content)]);
}

/** Turned and shifted by a constant, so that a checksum of data with checksums in it means something. */
function checksum(bytes: Buffer): Buffer {
  const crc = crc32c(bytes);
  const masked = (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
  const out = Buffer.alloc(4);
  out.writeUInt32LE(masked);
  return out;
}

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte;
  for (let bit = 0; bit < 8; bit++) remainder = (remainder >>> 1) ^ (remainder & 1 ? 0x82f63b78 : 0);
  return remainder;
});

/** Castagnoli's polynomial, as in RFC 3720. */
export function crc32c(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = table[(crc ^ byte) & 0xff]! ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

const wire = { varint: 0, eightBytes: 1, lengthDelimited: 2, fourBytes: 5 };

function key(field: number, kind: number): Buffer {
  return varint((field << 3) | kind);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) | 0x80);
    rest = Math.floor(rest / 0x80);
  }
  return Buffer.from([...bytes, rest]);
}

function whole(field: number, value: number): Buffer {
  return Buffer.concat([key(field, wire.varint), varint(value)]);
}

function double(field: number, value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return Buffer.concat([key(field, wire.eightBytes), bytes]);
}

function float(field: number, value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return Buffer.concat([key(field, wire.fourBytes), bytes]);
}

function message(field: number, content: Buffer): Buffer {
  return Buffer.concat([key(field, wire.lengthDelimited), varint(content.length), content]);
}

function text(field: number, value: string): Buffer {
  return message(field, Buffer.from(value, "utf8"));
}
