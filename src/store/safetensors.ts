/** The safetensors format: named float arrays and texts in one file that Python reads too. */

import { CuelabError } from "../core/errors.ts";

export interface TensorFile {
  tensors: ReadonlyMap<string, { shape: readonly number[]; data: Float32Array }>;
  metadata: Readonly<Record<string, string>>;
}

interface Entry {
  dtype: string;
  shape: number[];
  data_offsets: [number, number];
}

/** Eight bytes of header length, the header as JSON, then the numbers. */
export function encodeSafetensors({ tensors, metadata }: TensorFile): Uint8Array {
  let offset = 0;
  const entries = [...tensors].map(([name, { shape, data }]) => {
    const start = offset;
    offset += data.byteLength;
    return [
      name,
      { dtype: "F32", shape: [...shape], data_offsets: [start, offset] } satisfies Entry,
    ] as const;
  });
  const json = JSON.stringify({ __metadata__: metadata, ...Object.fromEntries(entries) });
  // Padded with spaces so that the numbers are aligned.
  const header = Buffer.from(
    json.padEnd(Math.ceil(Buffer.byteLength(json) / 8) * 8 - Buffer.byteLength(json) + json.length),
  );
  const out = Buffer.alloc(8 + header.length + offset);
  out.writeBigUInt64LE(BigInt(header.length), 0);
  out.set(header, 8);
  let at = 8 + header.length;
  for (const { data } of tensors.values()) {
    out.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), at);
    at += data.byteLength;
  }
  return out;
}

export function decodeSafetensors(bytes: Uint8Array, where: string): TensorFile {
  const damaged = (got: string) =>
    new CuelabError({ kind: "input", what: "not a usable safetensors file", where, got });
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer.length < 8) throw damaged(`${buffer.length} bytes`);
  const start = 8 + Number(buffer.readBigUInt64LE(0));
  if (start > buffer.length) throw damaged("a header that reaches beyond the end (truncated)");
  let header: Record<string, Entry> & { __metadata__?: Record<string, string> };
  try {
    header = JSON.parse(buffer.toString("utf8", 8, start)) as typeof header;
  } catch (cause) {
    throw damaged(`a header that is no JSON: ${(cause as Error).message}`);
  }
  const { __metadata__: metadata = {}, ...entries } = header;
  const tensors = new Map<string, { shape: readonly number[]; data: Float32Array }>();
  for (const [
    name,
    {
      dtype,
      shape,
      data_offsets: [from, to],
    },
  ] of Object.entries(entries)) {
    if (dtype !== "F32") throw damaged(`tensor "${name}" of type ${dtype}; only F32 is read`);
    const length = shape.reduce((product, n) => product * n, 1);
    if (start + to > buffer.length || to - from !== 4 * length)
      throw damaged(`tensor "${name}" is cut short`);
    const data = new Float32Array(length);
    new Uint8Array(data.buffer).set(buffer.subarray(start + from, start + to));
    tensors.set(name, { shape, data });
  }
  return { tensors, metadata };
}
