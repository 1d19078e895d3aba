import { deflateSync } from "node:zlib";
import fc from "fast-check";
import sharp from "sharp";
import { expect, test } from "vitest";
import type { Pixels } from "../core/dataset.ts";
import { decodeImage, encodeImage } from "./codec.ts";
import { decodePng, encodePng } from "./png.ts";

/** Noise is the hardest case for filters, smooth ramps for Paeth and average. */
function picture(width: number, height: number, channels: number, smooth: boolean): Pixels {
  const data = new Uint8Array(width * height * channels);
  for (let i = 0; i < data.length; i++)
    data[i] = smooth ? (i * 3 + (i % 7)) % 256 : Math.imul(i + 1, 2654435761) >>> 24;
  return { data, width, height, channels };
}

test.each([1, 2, 3])("round trip with %i channels", async (channels) => {
  for (const smooth of [true, false]) {
    const pixels = picture(13, 7, channels, smooth);
    const decoded = await decodeImage((await encodeImage(pixels, "png")).bytes, pixels);
    expect(decoded).toEqual(pixels);
  }
});

test("what we write, libpng reads the same", async () => {
  const pixels = picture(31, 17, 3, true);
  const { data, info } = await sharp(encodePng(pixels)).raw().toBuffer({ resolveWithObject: true });
  expect(info).toMatchObject({ width: 31, height: 17, channels: 3 });
  expect(new Uint8Array(data)).toEqual(pixels.data);
});

test("what libpng writes with its filters, we read the same", async () => {
  for (const smooth of [true, false]) {
    for (const channels of [1, 3] as const) {
      const pixels = picture(40, 33, channels, smooth);
      const raw = { width: 40, height: 33, channels };
      const file = await sharp(pixels.data, { raw })
        .toColourspace(channels === 1 ? "b-w" : "srgb")
        .png({ adaptiveFiltering: true })
        .toBuffer();
      const own = decodePng(file);
      expect(own?.channels).toBe(channels);
      expect(own?.data).toEqual(pixels.data);
    }
  }
});

test("each of the five row filters is undone (values worked by hand)", () => {
  // Two rows of three grey pixels; the second row is 12, 25, 31 under every filter.
  const first = [10, 20, 30];
  const second: Record<number, number[]> = {
    0: [12, 25, 31],
    1: [12, 13, 6],
    2: [2, 5, 1],
    3: [7, 9, 4],
    4: [2, 5, 1],
  };
  for (const [filter, bytes] of Object.entries(second)) {
    const file = withBody(encodePng({ data: new Uint8Array(6), width: 3, height: 2, channels: 1 }), [
      0,
      ...first,
      Number(filter),
      ...bytes,
    ]);
    expect([...decodePng(file)!.data], `filter ${filter}`).toEqual([...first, 12, 25, 31]);
  }
});

test("kinds of PNG that are not ours go to the general decoder", async () => {
  const transparent = await sharp({
    create: { width: 4, height: 3, channels: 4, background: { r: 9, g: 8, b: 7, alpha: 0.5 } },
  })
    .png()
    .toBuffer();
  expect(decodePng(transparent)).toBeUndefined();
  expect(await decodeImage(transparent)).toMatchObject({ width: 4, height: 3, channels: 3 });
  const palette = await sharp({ create: { width: 4, height: 3, channels: 3, background: "red" } })
    .png({ palette: true })
    .toBuffer();
  expect([...(await decodeImage(palette)).data.subarray(0, 3)]).toEqual([255, 0, 0]);
  const grey16 = await sharp(new Uint16Array(12).fill(0x8080), { raw: { width: 4, height: 3, channels: 1 } })
    .toColourspace("grey16")
    .png()
    .toBuffer();
  expect(await decodeImage(grey16)).toMatchObject({ channels: 1, width: 4 });
});

test("every truncation and every flipped byte is noticed or harmless, never a wrong picture", () => {
  const pixels = picture(9, 9, 3, true);
  const file = encodePng(pixels);
  for (let length = 0; length < file.length; length++) {
    const cut = file.subarray(0, length);
    if (length < 8) expect(decodePng(cut)).toBeUndefined();
    else expect(() => decodePng(cut), `cut at ${length}`).toThrow(/truncated/);
  }
  fc.assert(
    fc.property(
      fc.integer({ min: 8, max: file.length - 1 }),
      fc.integer({ min: 1, max: 255 }),
      (at, change) => {
        const damaged = Uint8Array.from(file);
        damaged[at] = damaged[at]! ^ change;
        expect(() => decodePng(damaged)).toThrow();
      },
    ),
  );
});

test("JPEG comes back close, and a truncated one is refused", async () => {
  const pixels = picture(64, 48, 3, true);
  for (let i = 0; i < pixels.data.length; i++) pixels.data[i] = (Math.floor(i / 3) % 64) * 3;
  const { bytes, extension } = await encodeImage(pixels, "jpeg");
  expect(extension).toBe("jpg");
  const decoded = await decodeImage(bytes);
  const worst = decoded.data.reduce((most, value, i) => Math.max(most, Math.abs(value - pixels.data[i]!)), 0);
  // Quality 95 on a ramp: quantisation steps are below 12.
  expect(worst).toBeLessThan(12);
  await expect(decodeImage(bytes.subarray(0, bytes.length / 2))).rejects.toThrow();
});

/** The same file with other rows, so that filters can be tested one by one. */
function withBody(file: Uint8Array, rows: number[]): Uint8Array {
  const body = deflateSync(Uint8Array.from(rows));
  const header = file.subarray(0, 33);
  const idat = chunkOf("IDAT", body);
  const end = file.subarray(file.length - 12);
  return Buffer.concat([header, idat, end]);
}

function chunkOf(type: string, body: Uint8Array): Buffer {
  const out = Buffer.alloc(12 + body.length);
  out.writeUInt32BE(body.length, 0);
  out.write(type, 4, "latin1");
  out.set(body, 8);
  out.writeUInt32BE(crc(out.subarray(4, 8 + body.length)), 8 + body.length);
  return out;
}

/** CRC-32 bit by bit, as the PNG standard defines it. */
function crc(bytes: Uint8Array): number {
  let value = 0xffffffff;
  for (const byte of bytes) {
    value ^= byte;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  }
  return (value ^ 0xffffffff) >>> 0;
}
