/**
 * BMP, as Windows and OS/2 write it: 1, 4, 8, 16, 24 and 32 bits, run lengths of 4 and 8 bits, rows in either direction. No
 * library at hand reads it, and it is short.
 */

import type { Pixels } from "../core/dataset.ts";
import { requirePixels } from "./pixel-limit.ts";

/** RGBA, from the top; alpha is 255 unless the file says otherwise. `isGrey` where its palette has greys alone. */
export function decodeBmp(bytes: Uint8Array): Pixels & { isGrey: boolean } {
  const header = readHeader(bytes);
  const { width, height, bits, compression } = header;
  const indices =
    compression === runLengths8 || compression === runLengths4
      ? readRuns(bytes, header)
      : bits <= 8
        ? readIndices(bytes, header)
        : undefined;
  const rgba = indices ? coloured(indices, header) : readColours(bytes, header);
  const data = header.fromTop ? rgba : upsideDown(rgba, width, height);
  return { data, width, height, channels: 4, isGrey: indices !== undefined && isGrey(header.palette) };
}

const [plain, runLengths8, runLengths4, bitFields, alphaBitFields] = [0, 1, 2, 3, 6];

interface BmpHeader {
  width: number;
  height: number;
  fromTop: boolean;
  bits: number;
  compression: number;
  /** Where the pixels begin. */
  start: number;
  /** RGBA of each colour that there is. */
  palette: Uint8Array;
  /** Red, green, blue and alpha, of 16 and 32 bits. */
  masks: readonly [number, number, number, number];
}

function readHeader(bytes: Uint8Array): BmpHeader {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 26) throw new Error("the file ends within its header (truncated BMP)");
  const [start, size] = [view.getUint32(10, true), view.getUint32(14, true)];
  const isOs2 = size === 12;
  if (bytes.length < 14 + size) throw new Error("the file ends within its header (truncated BMP)");
  const width = isOs2 ? view.getUint16(18, true) : view.getInt32(18, true);
  const rows = isOs2 ? view.getUint16(20, true) : view.getInt32(22, true);
  const bits = view.getUint16(isOs2 ? 24 : 28, true);
  const compression = isOs2 ? plain : view.getUint32(30, true);
  const height = Math.abs(rows);
  if (width <= 0 || height === 0) throw new Error(`${width} × ${height} pixels (damaged BMP)`);
  requirePixels(width, height);
  checkKind(bits, compression);
  const maskBytes = size > 40 ? 0 : compression === bitFields ? 12 : compression === alphaBitFields ? 16 : 0;
  if (bytes.length < 14 + size + maskBytes)
    throw new Error("the file ends within its header (truncated BMP)");
  if (start < 14 + size + maskBytes) throw new Error("its pixels begin within its header (damaged BMP)");
  const colours = isOs2 ? 0 : view.getUint32(46, true);
  return {
    width,
    height,
    fromTop: rows < 0,
    bits,
    compression,
    start,
    palette: readPalette(bytes, { at: 14 + size + maskBytes, start, bits, colours, step: isOs2 ? 3 : 4 }),
    masks: masksOf(view, { bits, compression, hasAlpha: size >= 56 || maskBytes === 16 }),
  };
}

function checkKind(bits: number, compression: number): void {
  const allowed: Record<number, number[]> = {
    [plain]: [1, 4, 8, 16, 24, 32],
    [runLengths8]: [8],
    [runLengths4]: [4],
    [bitFields]: [16, 32],
    [alphaBitFields]: [16, 32],
  };
  if (allowed[compression]?.includes(bits)) return;
  throw new Error(`a BMP of ${bits} bits with compression ${compression}, which is not read`);
}

interface PaletteChoice {
  at: number;
  start: number;
  bits: number;
  colours: number;
  step: number;
}

function readPalette(bytes: Uint8Array, { at, start, bits, colours, step }: PaletteChoice): Uint8Array {
  if (bits > 8) return new Uint8Array(0);
  if (colours > 2 ** bits) throw new Error(`a palette of ${colours} colours for ${bits} bits (damaged BMP)`);
  const count = colours || 2 ** bits;
  if (at + step * count > start)
    throw new Error(`${count} colours have no room before its pixels (damaged BMP)`);
  const palette = new Uint8Array(4 * count).fill(255);
  for (let i = 0; i < count; i++)
    for (let c = 0; c < 3; c++) palette[4 * i + c] = bytes[at + step * i + 2 - c]!;
  return palette;
}

function masksOf(
  view: DataView,
  { bits, compression, hasAlpha }: { bits: number; compression: number; hasAlpha: boolean },
): BmpHeader["masks"] {
  if (compression === bitFields || compression === alphaBitFields)
    return [54, 58, 62, 66].map((at, i) => (i < 3 || hasAlpha ? view.getUint32(at, true) : 0)) as never;
  return bits === 16 ? [0x7c00, 0x3e0, 0x1f, 0] : [0xff0000, 0xff00, 0xff, 0];
}

/** Rows end at multiples of four bytes. */
function rowBytes({ width, bits }: BmpHeader): number {
  return 4 * Math.ceil((width * bits) / 32);
}

function checkLength(bytes: Uint8Array, header: BmpHeader): void {
  const expected = header.start + rowBytes(header) * header.height;
  if (bytes.length < expected) throw new Error("the file ends before the image does (truncated BMP)");
}

function readIndices(bytes: Uint8Array, header: BmpHeader): Uint8Array {
  checkLength(bytes, header);
  const { width, height, bits, start } = header;
  const [stride, perByte, mask] = [rowBytes(header), 8 / bits, 2 ** bits - 1];
  const indices = new Uint8Array(width * height);
  for (let y = 0, to = 0; y < height; y++) {
    for (let x = 0; x < width; x++, to++) {
      const byte = bytes[start + y * stride + Math.floor(x / perByte)]!;
      indices[to] = (byte >> (8 - bits * ((x % perByte) + 1))) & mask;
    }
  }
  return indices;
}

/** Pixels that no run names have index 0. */
function readRuns(bytes: Uint8Array, { width, height, compression, start }: BmpHeader): Uint8Array {
  const indices = new Uint8Array(width * height);
  const nibbles = compression === runLengths4;
  let [at, x, y] = [start, 0, 0];
  const put = (index: number) => {
    // Programs differ in what they make of the rest.
    if (x >= width) throw new Error(`a run goes beyond row ${y} of ${width} pixels (damaged BMP)`);
    indices[y * width + x++] = index;
  };
  const nth = (byte: number, i: number) => (nibbles ? (i % 2 === 0 ? byte >> 4 : byte & 15) : byte);
  while (y < height) {
    if (at + 2 > bytes.length) throw new Error("the file ends before the image does (truncated BMP)");
    const [count, value] = [bytes[at]!, bytes[at + 1]!];
    at += 2;
    if (count > 0) for (let i = 0; i < count; i++) put(nth(value, i));
    else if (value === 0) {
      if (x === 0) throw new Error(`row ${y} has no pixels (damaged BMP)`);
      [x, y] = [0, y + 1];
    } else if (value === 1) {
      if (y < height - 1 || x < width)
        throw new Error("its end is said before the last row's (truncated BMP)");
      break;
    } else if (value === 2) {
      x += bytes[at] ?? 0;
      y += bytes[at + 1] ?? 0;
      at += 2;
    } else {
      const length = nibbles ? Math.ceil(value / 2) : value;
      if (at + length > bytes.length) throw new Error("the file ends before the image does (truncated BMP)");
      for (let i = 0; i < value; i++) put(nth(bytes[at + (nibbles ? i >> 1 : i)]!, i));
      // Such runs end at even places.
      at += length + (length % 2);
    }
  }
  return indices;
}

function coloured(indices: Uint8Array, { palette }: BmpHeader): Uint8Array {
  const rgba = new Uint8Array(4 * indices.length);
  for (let i = 0; i < indices.length; i++) {
    const from = 4 * indices[i]!;
    if (from >= palette.length)
      throw new Error(`colour ${indices[i]} of ${palette.length / 4} (damaged BMP)`);
    for (let c = 0; c < 4; c++) rgba[4 * i + c] = palette[from + c]!;
  }
  return rgba;
}

function readColours(bytes: Uint8Array, header: BmpHeader): Uint8Array {
  checkLength(bytes, header);
  const { width, height, bits, start, masks } = header;
  const stride = rowBytes(header);
  const channels = masks.map(scaling);
  const rgba = new Uint8Array(4 * width * height);
  for (let y = 0, to = 0; y < height; y++) {
    for (let x = 0, from = start + y * stride; x < width; x++, to += 4, from += bits / 8) {
      const low = bytes[from]! | (bytes[from + 1]! << 8);
      const high = bits === 16 ? 0 : bytes[from + 2]! | (bits === 32 ? bytes[from + 3]! << 8 : 0);
      const value = (low | (high << 16)) >>> 0;
      for (let c = 0; c < 4; c++) rgba[to + c] = channels[c]!(value);
    }
  }
  return rgba;
}

/** A channel's bits spread over 0 to 255; one without bits is full. */
function scaling(mask: number): (value: number) => number {
  if (mask === 0) return () => 255;
  const shift = Math.clz32(mask & -mask) ^ 31;
  const largest = mask >>> shift;
  // Rounded down, as others do.
  return (value) => Math.floor((((value & mask) >>> shift) * 255) / largest);
}

function isGrey(palette: Uint8Array): boolean {
  for (let at = 0; at < palette.length; at += 4)
    if (palette[at] !== palette[at + 1] || palette[at] !== palette[at + 2]) return false;
  return true;
}

function upsideDown(rgba: Uint8Array, width: number, height: number): Uint8Array {
  const turned = new Uint8Array(rgba.length);
  for (let y = 0; y < height; y++)
    turned.set(rgba.subarray(y * 4 * width, (y + 1) * 4 * width), (height - 1 - y) * 4 * width);
  return turned;
}
