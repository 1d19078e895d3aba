/** Files of weights that PyTorch loaded and followed (test/references/torch_own_weights.py): the same file, the same logits. */

import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { hashUniform } from "../../test/helpers/hash-uniform.ts";
import { storedReference } from "../../test/helpers/reference.ts";
import { RuntimeSession, toValue } from "../engine/runtime.ts";
import { State } from "../engine/state.ts";
import { exportNetwork } from "../models/export.ts";
import { models } from "../models/index.ts";
import { decodeSafetensors } from "../runs/safetensors.ts";
import { encodeWeights } from "./weights.ts";
import { networkAboutOf } from "./weights-about.ts";

const folder = resolve(import.meta.dirname, "../../test/references/weights");
const expected = storedReference<Record<string, number[]>>("torch_own_weights");
const files = readdirSync(folder).filter((name) => name.startsWith("own-"));

test.each(files)("%s is what is written today, and its network gives PyTorch's logits", async (name) => {
  const bytes = readFileSync(join(folder, name));
  const { tensors, metadata } = decodeSafetensors(bytes, name);
  const { model, options, classNames, image, pixels } = networkAboutOf(metadata, name)!;
  const weights = new Map([...tensors].map(([key, { data }]) => [key, data]));
  const written = encodeWeights(
    { model: { name: model, options } },
    { classNames, images: { shape: image } },
    weights,
    pixels,
  );
  expect(Buffer.from(written).equals(bytes)).toBe(true);
  const state = new State();
  for (const [key, values] of weights) state.set(key, values);
  const session = await RuntimeSession.open(
    exportNetwork(models.get(model), state, { classNames, image, options, pixels }),
  );
  const shape = [2, image.height, image.width, image.channels];
  const length = shape.reduce((product, side) => product * side);
  const images = Uint8Array.from(hashUniform(length, 600), (value) => value * 256);
  const { data } = await session.result({ images: toValue(images, shape, "byte") }, "logits");
  await session.close();
  const size = Math.max(...expected[model]!.map(Math.abs));
  expect(data).toHaveLength(expected[model]!.length);
  // Sums of float32 against PyTorch's of float64.
  for (const [i, logit] of expected[model]!.entries())
    expect(Math.abs(Number(data[i]) - logit) / size).toBeLessThan(1e-5);
});

test("PyTorch was asked about every network that takes pixels in a way of its own", () => {
  const own = models.entries.filter(({ pixels }) => pixels !== "standard").map(({ name }) => name);
  expect(Object.keys(expected)).toEqual(expect.arrayContaining(own));
  expect(Object.keys(expected).some((name) => models.get(name).pixels === "standard")).toBe(true);
});
