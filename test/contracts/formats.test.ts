/** What every storage format must do, run on each of them. */

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Dataset } from "../../src/core/dataset.ts";
import { datasets } from "../../src/datasets/index.ts";
import { checkDataset } from "../../src/formats/check-dataset.ts";
import { convertDataset } from "../../src/formats/convert-dataset.ts";
import { formats, generalFormats } from "../../src/formats/index.ts";
import { openDataset } from "../../src/formats/open-dataset.ts";
import { writeDataset } from "../../src/formats/write-dataset.ts";
import { fingerprint, temporaryFolder } from "../helpers/files.ts";

const root = temporaryFolder();

/** Formats of one dataset alone have tests of their own. */
const general = generalFormats.map(({ name }) => name);

const source = (settings: Record<string, unknown> = {}) =>
  datasets.get("colored-mnist").build({ trainPerEnvironment: 60, ...settings }, 3);

const options = { force: false, workers: 0 };

async function write(name: string, formatName: string, dataset: Dataset) {
  const format = formats.get(formatName);
  const out = join(root, name);
  return {
    out,
    manifest: await writeDataset(dataset, { ...options, out, format, encoding: format.encodings[0]! }),
  };
}

describe.each(general)("%s", (format) => {
  test.each([
    ["RGB", {}],
    ["two channels at 14×14", { channels: 2, size: 14 }],
  ])("%s comes back as it went in", async (_, settings) => {
    const dataset = await source(settings);
    const { out, manifest } = await write(`${format}-${Object.keys(settings).length}`, format, dataset);
    expect(manifest.count).toBe(dataset.images.count);
    const { dataset: read } = await openDataset(out);
    expect(read.classNames).toEqual(dataset.classNames);
    expect(read.labels).toEqual(dataset.labels);
    expect(read.splits.names).toEqual(dataset.splits.names);
    expect(read.splits.values).toEqual(dataset.splits.values);
    for (const [name, attribute] of Object.entries(dataset.attributes)) {
      expect(read.attributes[name], name).toEqual(attribute);
    }
    expect(read.images.shape).toEqual(dataset.images.shape);
    for (const index of [0, 1, 59, 60, dataset.images.count - 1]) {
      const [got, expected] = [await read.images.pixels(index), await dataset.images.pixels(index)];
      expect({ ...got, data: [...got.data] }).toEqual({ ...expected, data: [...expected.data] });
      // A Buffer's slice would be a view: whoever changes "a copy" would change the picture.
      expect(Buffer.isBuffer(got.data)).toBe(false);
    }
    await read.images.close?.();
  });

  test("written twice it is the same, byte for byte", async () => {
    const first = await write(`${format}-once`, format, await source());
    const second = await write(`${format}-twice`, format, await source());
    expect(fingerprint(second.out)).toEqual(fingerprint(first.out));
    expect(fingerprint(first.out)).toHaveProperty("dataset.json");
  });

  test("the check finds it sound, with the hash that every other format has", async () => {
    const { out, manifest } = await write(`${format}-check`, format, await source());
    const report = await checkDataset(out, { mapping: {}, workers: 0 });
    expect(report.problems).toEqual([]);
    expect(report.hash).toBe(manifest.hash);
    const other = await write(`${format}-reference`, "npz", await source());
    expect(manifest.hash).toBe(other.manifest.hash);
  });

  test.each(general)("converts to %s without a change of content", async (to) => {
    const { out, manifest } = await write(`${format}-to-${to}-from`, format, await source());
    const converted = await convertDataset(out, {
      ...options,
      to,
      out: join(root, `${format}-to-${to}`),
      skipBroken: false,
      mapping: {},
    });
    expect(converted.hash).toBe(manifest.hash);
    expect(converted.format).toBe(to);
  });

  test("an empty split stays an empty split", async () => {
    const { out } = await write(`${format}-empty`, format, await source({ environments: [0.3] }));
    const { dataset } = await openDataset(out);
    expect(dataset.splits.names).toEqual(["train", "val", "test"]);
    expect(dataset.splits.values.includes(2)).toBe(false);
    await dataset.images.close?.();
  });

  test("changed content is noticed", async () => {
    const { out, manifest } = await write(`${format}-changed`, format, await source());
    const target = join(out, format === "folder" ? "train/000003.png" : manifest.files[0]!.path);
    const bytes = readFileSync(format === "folder" ? join(out, "train/000004.png") : target);
    if (format !== "folder") bytes[Math.floor(bytes.length / 3)]! ^= 0x55;
    writeFileSync(target, bytes);
    const outcome = await checkDataset(out, { mapping: {}, workers: 0 }).then(
      ({ problems }) => problems.join("\n"),
      (cause: Error) => cause.message,
    );
    expect(outcome).toMatch(/not what dataset.json says|has changed|cannot be read|damaged|cannot read/);
  });
});

test.each(formats.names)("docs/formats.md has a row for %s", (name) => {
  const page = readFileSync(join(import.meta.dirname, "../../docs/formats.md"), "utf8");
  expect(page.split("\n").some((line) => line.startsWith(`| \`${name}\``))).toBe(true);
});

test("JPEG folders hash what their files show, and round trip", async () => {
  const format = formats.get("folder");
  const out = join(root, "jpeg");
  const manifest = await writeDataset(await source(), { ...options, out, format, encoding: "jpeg" });
  const report = await checkDataset(out, { mapping: {}, workers: 0 });
  expect(report.problems).toEqual([]);
  const parquet = await convertDataset(out, {
    ...options,
    to: "parquet",
    out: join(root, "jpeg-parquet"),
    skipBroken: false,
    mapping: {},
  });
  const back = await convertDataset(join(root, "jpeg-parquet"), {
    ...options,
    to: "folder",
    out: join(root, "jpeg-back"),
    skipBroken: false,
    mapping: {},
  });
  expect([parquet.hash, back.hash]).toEqual([manifest.hash, manifest.hash]);
  expect(readdirSync(join(root, "jpeg-back/train"))).toContain("000000.jpg");
});

test("a format refuses an encoding that it cannot hold", async () => {
  const dataset = await source();
  const writing = writeDataset(dataset, {
    ...options,
    out: join(root, "no"),
    format: formats.get("npz"),
    encoding: "jpeg",
  });
  await expect(writing).rejects.toThrow(/"npz" does not store images as jpeg/);
});
