/** Files as small things that can be compared: digests of what must not change, numbers in full where they are few. */

import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { asyncBufferFromFile, parquetReadObjects } from "hyparquet";
import { compressors } from "hyparquet-compressors";

/** Sixteen hexadecimal digits of SHA-256: enough to see a change, short enough to read. */
export function digest(bytes) {
  const view =
    typeof bytes === "string" ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return createHash("sha256").update(view).digest("hex").slice(0, 16);
}

/** Float bits, so that the first one that differs can be told. */
export function float32(values) {
  const bytes = Float32Array.from(values);
  return { float32: Buffer.from(bytes.buffer).toString("base64") };
}

/** Each tensor's type, shape and bits; the header's metadata apart. */
export function safetensors(path) {
  const bytes = readFileSync(path);
  const length = Number(bytes.readBigUInt64LE(0));
  const { __metadata__: metadata = {}, ...tensors } = JSON.parse(bytes.toString("utf8", 8, 8 + length));
  const data = bytes.subarray(8 + length);
  const told = Object.entries(tensors).map(
    ([
      name,
      {
        dtype,
        shape,
        data_offsets: [from, to],
      },
    ]) => [name, `${dtype} [${shape}] ${digest(data.subarray(from, to))}`],
  );
  return { metadata, tensors: Object.fromEntries(told) };
}

/** Each column of a Parquet file: logits as bits, others as a digest of their text. */
export async function parquetColumns(path) {
  const rows = await parquetReadObjects({ file: await asyncBufferFromFile(path), compressors });
  const names = Object.keys(rows[0] ?? {});
  return Object.fromEntries(
    names.map((name) => {
      const values = rows.map((row) => row[name]);
      if (/^logit_\d+$/.test(name)) return [name, float32(values)];
      return [name, `${values.length} values ${digest(values.map(String).join("\n"))}`];
    }),
  );
}

/** Columns of a small CSV file without quotes, by name, as text. */
export function csvColumns(path) {
  const [names, ...rows] = readFileSync(path, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => line.split(","));
  return Object.fromEntries(names.map((name, i) => [name, rows.map((row) => row[i])]));
}

/** The graph of an ONNX file (its nodes and initialisers) apart from what is said about it. */
export function onnxGraph(path) {
  const bytes = readFileSync(path);
  const graphs = [];
  for (let at = 0; at < bytes.length; ) {
    const [tag, afterTag] = varint(bytes, at);
    const [value, afterValue] = varint(bytes, afterTag);
    // Of a ModelProto's fields only numbers (0) and pieces with a length (2) occur; the graph is field 7.
    const end = (tag & 7) === 2 ? afterValue + value : afterValue;
    if (tag >> 3 === 7) graphs.push(bytes.subarray(afterValue, end));
    at = end;
  }
  return digest(Buffer.concat(graphs));
}

function varint(bytes, start) {
  let [value, at, scale] = [0, start, 1];
  for (;;) {
    const byte = bytes[at++];
    value += (byte & 127) * scale;
    if (byte < 128) return [value, at];
    scale *= 128;
  }
}

const images = /\.(png|jpe?g)$/;

/** Each file below a folder, and all its images as one. */
export function files(folder) {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
  const pictures = paths.filter((path) => images.test(path));
  const all = createHash("sha256");
  for (const path of pictures) all.update(`${path}\n`).update(readFileSync(join(folder, path)));
  const others = paths.filter((path) => !images.test(path));
  return {
    ...Object.fromEntries(others.map((path) => [path, digest(readFileSync(join(folder, path)))])),
    ...(pictures.length === 0
      ? {}
      : { "(images)": `${pictures.length} files ${all.digest("hex").slice(0, 16)}` }),
  };
}
