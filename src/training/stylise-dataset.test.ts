/** `data stylise` from files to files: names and labels stay, pictures are those of AdaIN, the seed chooses the styles. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { hashUniform } from "../../test/helpers/hash-uniform.ts";
import { parseAssignments } from "../core/settings.ts";
import { datasets } from "../datasets/index.ts";
import { formats } from "../formats/index.ts";
import { openDataset } from "../formats/open-dataset.ts";
import { encodeImage } from "../images/codec.ts";
import { encodeSafetensors } from "../runs/safetensors.ts";
import { writeStylised } from "./stylise-dataset.ts";

const root = mkdtempSync(join(tmpdir(), "stylise-"));
const place = (name: string) => join(root, name);
afterAll(() => rmSync(root, { recursive: true }));

/** Nine convolutions of these channels. */
function weights(channels: readonly number[]): Uint8Array {
  const tensors = new Map<string, { shape: readonly number[]; data: Float32Array }>(
    channels.slice(1).flatMap((filters, at) => {
      const shape = [filters, channels[at]!, 3, 3];
      const data = Float32Array.from(hashUniform(filters * channels[at]! * 9, at), (value) => value - 0.4);
      return [
        [`${at}.weight`, { shape, data }],
        [`${at}.bias`, { shape: [filters], data: new Float32Array(filters) }],
      ] as const;
    }),
  );
  return encodeSafetensors({ tensors, metadata: {} });
}

beforeAll(async () => {
  mkdirSync(place("styles"));
  writeFileSync(place("encoder.safetensors"), weights([3, 2, 2, 2, 2, 2, 2, 2, 2, 2]));
  writeFileSync(place("decoder.safetensors"), weights([2, 2, 2, 2, 2, 2, 2, 2, 2, 3]));
  for (const [name, period] of [
    ["stripes", 3],
    ["dots", 7],
  ] as const) {
    const data = Uint8Array.from({ length: 40 * 50 * 3 }, (_, at) => (at % period === 0 ? 230 : 20));
    const { bytes } = await encodeImage({ data, height: 40, width: 50, channels: 3 }, "png");
    writeFileSync(join(place("styles"), `${name}.png`), bytes);
  }
});

const definition = datasets.get("urban-cars");
const cars = () => {
  const counts = ["size=64", "count.train=4", "count.val=2", "count.test=0"];
  const pools = ["backgrounds.train=1", "backgrounds.val=1", "backgrounds.test=1"];
  return definition.build(parseAssignments(definition.settings, [...counts, ...pools]), 0);
};

const choice = (seed: number) => ({
  styles: place("styles"),
  encoder: place("encoder.safetensors"),
  decoder: place("decoder.safetensors"),
  strength: 1,
  seed,
});

const written = async (name: string, seed: number) => {
  const options = { format: formats.get("npz"), encoding: "raw", force: false, workers: 0 } as const;
  const manifest = await writeStylised(await cars(), choice(seed), { out: place(name), ...options });
  return { manifest, dataset: (await openDataset(place(name), {})).dataset };
};

test("labels, attributes and masks stay; equal seeds give equal pictures, others give others", async () => {
  const [once, again, other] = [await written("a", 0), await written("b", 0), await written("c", 5)];
  expect(again.manifest.hash).toBe(once.manifest.hash);
  expect(other.manifest.hash).not.toBe(once.manifest.hash);
  const { dataset } = once;
  const before = await cars();
  expect(dataset.labels).toEqual(before.labels);
  expect(Object.keys(dataset.attributes)).toEqual(Object.keys(before.attributes));
  expect(Object.keys(dataset.sideImages!)).toContain("mask");
  const [painted, plain] = [await dataset.images.pixels(0), await before.images.pixels(0)];
  expect(painted).toMatchObject({ height: 64, width: 64, channels: 3 });
  expect(Buffer.compare(painted.data, plain.data)).not.toBe(0);
  expect(dataset.provenance.sources.map(({ name }) => name)).toContain("weights encoder.safetensors");
});

test("images of other sides, and folders without pictures, are refused before anything is written", async () => {
  const options = { format: formats.get("npz"), encoding: "raw", force: false, workers: 0 } as const;
  const dataset = await cars();
  const odd = { ...dataset, images: { ...dataset.images, shape: { height: 60, width: 64, channels: 3 } } };
  const out = place("never");
  await expect(writeStylised(odd, choice(0), { out, ...options })).rejects.toThrow(/multiple of 8/);
  const empty = { ...choice(0), styles: place("nothing") };
  await expect(writeStylised(dataset, empty, { out, ...options })).rejects.toThrow(/no pictures/);
});
