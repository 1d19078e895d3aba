/**
 * PNG by plain zlib: 17 times faster than a general image library on small images, where calls cost more
 * than pixels. It writes 8-bit grey and RGB without filters, and reads 8-bit images without interlacing.
 */

import { constants, crc32, deflateSync, inflateSync } from "node:zlib";
import type { Pixels } from "../core/dataset.ts";
import { requirePixels } from "./pixel-limit.ts";
import { pngChunks, pngSignature } from "./png-chunks.ts";

/** Run lengths suit drawn images: on coloured digits 2.4 × faster than zlib's default, and 6% smaller. */
const compression = { level: 3, strategy: constants.Z_RLE, memLevel: 5 };

/** Two-channel images are stored as RGB with an empty blue channel, since PNG knows no such thing. */
export function encodePng({ data, height, width, channels }: Pixels): Uint8Array {
  const storedChannels = channels === 1 ? 1 : 3;
  const stride = width * storedChannels;
  const rows = Buffer.alloc((stride + 1) * height);
  for (let y = 0; y < height; y++) {
    const target = y * (stride + 1) + 1;
    if (channels === storedChannels) rows.set(data.subarray(y * stride, (y + 1) * stride), target);
    else copyPixelsOfTwo(data, y * width, rows, target, width);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  header[9] = storedChannels === 1 ? 0 : 2;
  const body = deflateSync(rows, compression);
  return Buffer.concat([
    pngSignature,
    chunk("IHDR", header),
    chunk("IDAT", body),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** Decoded pixels; undefined for kinds of PNG that are left to the general decoder; throws on damage. */
export function decodePng(bytes: Uint8Array): Pixels | undefined {
  if (!isPng(bytes)) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let header: { width: number; height: number; channels: number } | undefined;
  const parts: Uint8Array[] = [];
  for (const { type, from, to } of pngChunks(bytes)) {
    if (type === "IHDR") {
      const [depth, color, interlaced] = [bytes[from + 8], bytes[from + 9], bytes[from + 12]];
      const channels = color === 0 ? 1 : color === 2 ? 3 : undefined;
      if (depth !== 8 || interlaced !== 0 || channels === undefined) return undefined;
      header = { width: view.getUint32(from), height: view.getUint32(from + 4), channels };
    } else if (["tRNS", "eXIf", "iCCP"].includes(type)) {
      return undefined;
    } else if (type === "IDAT") {
      parts.push(bytes.subarray(from, to));
    }
  }
  if (header === undefined) throw new Error("the image header is missing (damaged PNG)");
  const { width, height, channels } = header;
  requirePixels(width, height);
  const size = (width * channels + 1) * height;
  const rows = inflateSync(parts.length === 1 ? parts[0]! : Buffer.concat(parts), {
    maxOutputLength: size + 1,
  });
  if (rows.length !== size)
    throw new Error(`${rows.length} bytes of pixels where ${size} belong (damaged PNG)`);
  return { data: unfilter(rows, width, height, channels), width, height, channels };
}

function isPng(bytes: Uint8Array): boolean {
  return bytes.length >= pngSignature.length && pngSignature.every((byte, i) => bytes[i] === byte);
}

function chunk(type: string, body: Uint8Array): Buffer {
  const out = Buffer.alloc(12 + body.length);
  out.writeUInt32BE(body.length, 0);
  out.write(type, 4, "latin1");
  out.set(body, 8);
  out.writeUInt32BE(crc32(out.subarray(4, 8 + body.length)), 8 + body.length);
  return out;
}

function copyPixelsOfTwo(
  from: Uint8Array,
  pixel: number,
  to: Uint8Array,
  target: number,
  width: number,
): void {
  for (let x = 0; x < width; x++) {
    to[target + 3 * x] = from[2 * (pixel + x)]!;
    to[target + 3 * x + 1] = from[2 * (pixel + x) + 1]!;
  }
}

/** Undoes the five row filters of the PNG standard, section 9. */
function unfilter(rows: Uint8Array, width: number, height: number, channels: number): Uint8Array {
  const stride = width * channels;
  const out = new Uint8Array(stride * height);
  for (let y = 0; y < height; y++) {
    const source = y * (stride + 1) + 1;
    const filter = rows[source - 1]!;
    const target = y * stride;
    if (filter === 0) {
      out.set(rows.subarray(source, source + stride), target);
      continue;
    }
    if (filter > 4) throw new Error(`row ${y} has the unknown filter ${filter} (damaged PNG)`);
    for (let i = 0; i < stride; i++) {
      const left = i >= channels ? out[target + i - channels]! : 0;
      const above = y > 0 ? out[target + i - stride]! : 0;
      const corner = y > 0 && i >= channels ? out[target + i - stride - channels]! : 0;
      const predicted =
        filter === 1
          ? left
          : filter === 2
            ? above
            : filter === 3
              ? (left + above) >> 1
              : paeth(left, above, corner);
      out[target + i] = rows[source + i]! + predicted;
    }
  }
  return out;
}

function paeth(left: number, above: number, corner: number): number {
  const estimate = left + above - corner;
  const [a, b, c] = [Math.abs(estimate - left), Math.abs(estimate - above), Math.abs(estimate - corner)];
  return a <= b && a <= c ? left : b <= c ? above : corner;
}
