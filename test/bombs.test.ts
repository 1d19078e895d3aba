/** Files that would become too much are refused before they do, and taken once people allow it. */

import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { crc32, deflateSync, gzipSync } from "node:zlib";
import sharp from "sharp";
import { afterEach, describe, expect, test } from "vitest";
import { type LimitName, limitOf, limits, parseLimit, resetLimits, setLimits } from "../src/core/limits.ts";
import { requireShortNames } from "../src/core/short-names.ts";
import { openDataset } from "../src/formats/open-dataset.ts";
import { decodeImage } from "../src/images/codec.ts";
import { decodeSegmentation } from "../src/layouts/coco/masks.ts";
import { readIdxPair } from "../src/sources/idx.ts";
import { openArrays } from "../src/tables/npz-archive.ts";
import { openTableFile } from "../src/tables/open-table.ts";
import { temporaryFolder } from "./helpers/files.ts";

afterEach(resetLimits);

/** A PNG of nothing but zeros, whose packed rows are made once and repeated. */
function zeros(width: number, height: number): Uint8Array {
  const chunk = (type: string, body: Uint8Array) => {
    const out = Buffer.alloc(12 + body.length);
    out.writeUInt32BE(body.length, 0);
    out.write(type, 4, "latin1");
    out.set(body, 8);
    out.writeUInt32BE(crc32(out.subarray(4, 8 + body.length)), 8 + body.length);
    return out;
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  const rows = deflateSync(Buffer.alloc((3 * width + 1) * Math.min(height, 200)));
  return Buffer.concat([
    Uint8Array.of(137, 80, 78, 71, 13, 10, 26, 10),
    chunk("IHDR", header),
    chunk("IDAT", rows),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

describe("images", () => {
  test("a PNG of 625 million pixels is refused by its header", async () => {
    await expect(decodeImage(zeros(25_000, 25_000))).rejects.toThrow(
      /25000 × 25000, or 625,000,000 pixels, where at most 100,000,000.*--limit pixels=625000000/,
    );
  });

  const picture = sharp({ create: { width: 90, height: 70, channels: 3, background: "#f80" } });
  test.each(["png", "jpeg", "webp", "gif", "tiff", "avif", "bmp"] as const)("%s", async (kind) => {
    const bytes = kind === "bmp" ? bitmap(90, 70) : await picture.clone().toFormat(kind).toBuffer();
    expect((await decodeImage(bytes)).width).toBe(90);
    setLimits({ pixels: 6299 });
    await expect(decodeImage(bytes)).rejects.toThrow(/90 × 70.*--limit pixels=6300/);
    setLimits({ pixels: 6300 });
    expect((await decodeImage(bytes)).width).toBe(90);
  });
});

function bitmap(width: number, height: number): Uint8Array {
  const row = 4 * Math.ceil((24 * width) / 32);
  const bytes = Buffer.alloc(54 + row * height, 128);
  bytes.fill(0, 0, 54);
  bytes.write("BM");
  bytes.writeUInt32LE(54, 10);
  bytes.writeUInt32LE(40, 14);
  bytes.writeInt32LE(width, 18);
  bytes.writeInt32LE(height, 22);
  bytes.writeUInt16LE(1, 26);
  bytes.writeUInt16LE(24, 28);
  return bytes;
}

describe("gzip", () => {
  const about = { name: "bomb", license: "none" };
  const pair = (count: number, held = count) => {
    const folder = temporaryFolder();
    const head = Buffer.alloc(16);
    head.set([0, 0, 8, 3]);
    [count, 100, 100].forEach((size, i) => void head.writeUInt32BE(size, 4 + 4 * i));
    const paths = { imagesPath: join(folder, "images.gz"), labelsPath: join(folder, "labels.gz") };
    writeFileSync(paths.imagesPath, gzipSync(Buffer.concat([head, Buffer.alloc(10_000 * held)])));
    const labels = Buffer.alloc(8 + count);
    labels.set([0, 0, 8, 1]);
    labels.writeUInt32BE(count, 4);
    writeFileSync(paths.labelsPath, gzipSync(labels));
    return paths;
  };

  test("what its header says is asked first, and what it becomes is bounded whatever it says", async () => {
    setLimits({ unpacked: 500_000 });
    await expect(readIdxPair(pair(60), about)).rejects.toThrow(
      /too large[\s\S]*images\.gz[\s\S]*600,016[\s\S]*--limit unpacked=600016/,
    );
    await expect(readIdxPair(pair(1, 60), about)).rejects.toThrow(/too large[\s\S]*more than 500,000/);
    setLimits({ unpacked: 700_000 });
    expect((await readIdxPair(pair(60), about)).count).toBe(60);
  });
});

describe("archives and pages", () => {
  test("npz, all its arrays together", async () => {
    const { ZipFile } = await import("yazl");
    const path = join(temporaryFolder(), "bomb.npz");
    const zip = new ZipFile();
    const head = `{'descr': '|u1', 'fortran_order': False, 'shape': (300000,), }`.padEnd(117, " ");
    const array = Buffer.concat([
      Buffer.from("\x93NUMPY\x01\x00\x76\x00", "latin1"),
      Buffer.from(`${head}\n`),
      Buffer.alloc(300_000),
    ]);
    for (const name of ["images", "labels"]) zip.addBuffer(array, `${name}.npy`);
    zip.end();
    const parts: Buffer[] = [];
    for await (const part of zip.outputStream) parts.push(part as Buffer);
    writeFileSync(path, Buffer.concat(parts));
    setLimits({ unpacked: 400_000 });
    await expect(openArrays(path)).rejects.toThrow(/cannot read the npz file[\s\S]*--limit unpacked=600256/);
    setLimits({ unpacked: 700_000, entries: 1 });
    await expect(openArrays(path)).rejects.toThrow(/2 entries.*--limit entries=2/);
    setLimits({ entries: 2 });
    const { arrays, close } = await openArrays(path);
    expect(arrays.map(({ bytes }) => bytes)).toEqual([300_000, 300_000]);
    await close();
  });

  test.each(["zstd", "gzip", "brotli", "snappy"])("a page of a table, %s", async (codec) => {
    const { DuckDBInstance } = await import("@duckdb/node-api");
    const duckdb = await (await DuckDBInstance.create(":memory:")).connect();
    const path = join(temporaryFolder(), "bomb.parquet");
    await duckdb.run(`copy (select repeat('x', 400000) || i as a from range(2) r(i))
      to '${path}' (format parquet, compression ${codec})`);
    const rows = async () => {
      const table = await openTableFile(path);
      let count = 0;
      for await (const batch of table.batches([{ name: "a", as: "codes" }], { workers: 0 }))
        count += batch.count;
      return count;
    };
    setLimits({ unpacked: 400_000 });
    // Snappy packs 20 to 1 at best, here; a tenth of it is no trap.
    await expect(rows()).rejects.toThrow(/would become too large[\s\S]*--limit unpacked=80/);
    setLimits({ unpacked: 1_000_000 });
    expect(await rows()).toBe(2);
  });

  test("pages of images", async () => {
    const { DuckDBInstance } = await import("@duckdb/node-api");
    const duckdb = await (await DuckDBInstance.create(":memory:")).connect();
    const path = join(temporaryFolder(), "bomb.parquet");
    await duckdb.run(`copy (select {'bytes': repeat('x', 400000)::blob, 'path': 'a.png'} as image, 0 as label
      from range(2)) to '${path}' (format parquet, compression zstd)`);
    setLimits({ unpacked: 300_000 });
    const { dataset } = await openDataset(path);
    await expect(dataset.images.pixels(0)).rejects.toThrow(/--limit unpacked=8/);
  });

  test("tar: a size that is none, one beyond the file, and too many entries", async () => {
    const entry = (size: string, body = Buffer.alloc(0)) => {
      const header = Buffer.alloc(512);
      header.write("a.png");
      header.write(size, 124);
      header[156] = 48;
      let sum = 256;
      header.forEach((byte, i) => {
        if (i < 148 || i > 155) sum += byte;
      });
      header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
      return Buffer.concat([header, body]);
    };
    const path = join(temporaryFolder(), "bad.tar");
    const end = Buffer.alloc(1024);
    for (const [size, words] of [
      ["-1000", /size is no number/],
      ["zzzz", /size is no number/],
      ["77777777777", /reaches beyond the end/],
    ] as const) {
      writeFileSync(path, Buffer.concat([entry(size), end]));
      await expect(openDataset(path)).rejects.toThrow(words);
    }
    setLimits({ entries: 1 });
    writeFileSync(path, Buffer.concat([entry("0"), entry("0"), entry("0"), end]));
    await expect(openDataset(path)).rejects.toThrow(/too many entries[\s\S]*--limit entries=2/);
  });
});

describe("masks of COCO", () => {
  const size = { height: 40, width: 50 };

  test.each([
    ["far outside", [[1e308, -1e308, 1e308, 1e308, 0, 0]]],
    ["very many", Array.from({ length: 2e6 }, () => [0, 0, 50, 0, 50, 40])],
  ])("polygons %s", (_, polygons) => {
    expect(() => decodeSegmentation(polygons, size, "a.json, annotation 1")).toThrow(
      /too many, or too far outside[\s\S]*a\.json, annotation 1, polygon \d+/,
    );
  });

  test("a polygon of more points than a call takes arguments", () => {
    const many = Array.from({ length: 400_000 }, (_, i) => (i * 7919) % 40);
    expect(decodeSegmentation([many], size, "a.json").length).toBe(2000);
  });

  test.each([[[[0, 0, 1, 0, 1, 1]]], [{ size: [1e9, 1e9], counts: [1e18] }]])(
    "an image of 10^18 pixels, %j",
    (segmentation) => {
      const large = { height: 1e9, width: 1e9 };
      expect(() => decodeSegmentation(segmentation, large, "a.json")).toThrow(/--limit pixels=/);
    },
  );
});

describe("names and the option", () => {
  test("a class named by a whole text", async () => {
    expect(() => requireShortNames(["x".repeat(1000)], "t.csv")).not.toThrow();
    expect(() => requireShortNames(["x".repeat(1001)], "t.csv")).toThrow(/too long[\s\S]*--limit name=1001/);
  });

  test("numbers as people type them", () => {
    expect(parseLimit("pixels=700M")).toEqual({ pixels: 700_000_000 });
    expect(parseLimit("unpacked=1.5GB")).toEqual({ unpacked: 1_500_000_000 });
    expect(() => parseLimit("pixel=7")).toThrow(/no limit "pixel"[\s\S]*pixels, unpacked, entries, name/);
    for (const text of ["pixels", "pixels=", "pixels=0", "pixels=-1", "=5", "pixels=many"])
      expect(() => parseLimit(text), text).toThrow(/limit/);
    for (const name of Object.keys(limits) as LimitName[]) expect(limitOf(name)).toBe(limits[name].most);
  });
});

test("the program refuses a bomb quickly and in little memory, and reads on where it is told to", async () => {
  const root = join(temporaryFolder(), "set");
  for (const name of ["cat", "dog"]) {
    mkdirSync(join(root, name), { recursive: true });
    writeFileSync(join(root, name, "small.png"), zeros(20, 20));
  }
  writeFileSync(join(root, "dog/bomb.png"), zeros(25_000, 25_000));
  const program = join(import.meta.dirname, "../dist/program/main.js");
  // A process begins with the peak of the one that started it, as the system counts, but for /proc where there is one.
  const measured = `
    import { readFileSync } from "node:fs";
    const peak = () => {
      try { return /VmHWM:\\s*(\\d+)/.exec(readFileSync("/proc/self/status", "utf8"))[1]; }
      catch { return process.resourceUsage().maxRSS; }
    };
    process.on("exit", () => process.stderr.write("peak " + peak() + "\\n"));`;
  const check = (...further: string[]) =>
    promisify(execFile)(process.execPath, [
      "--import",
      `data:text/javascript,${encodeURIComponent(measured)}`,
      program,
      "data",
      "check",
      root,
      "--json",
      ...further,
    ]).catch((failed: { code: number; stdout: string; stderr: string }) => failed);
  const refused = await check();
  const report = JSON.parse(refused.stdout) as { broken: { reason: string }[] };
  expect(report.broken.map(({ reason }) => reason)).toEqual([
    expect.stringContaining("--limit pixels=625000000"),
  ]);
  const peak = Math.max(...[...refused.stderr.matchAll(/peak (\d+)/g)].map(([, kb]) => Number(kb)));
  expect(peak).toBeGreaterThan(10_000);
  expect(peak).toBeLessThan(600_000);
  // In the threads that decode, too.
  const limited = await check("--limit", "pixels=300");
  expect((JSON.parse(limited.stdout) as typeof report).broken).toHaveLength(3);
});
