/** An ONNX model of people's own, as PyTorch exports them: floats, channels first, as ImageNet's networks take them. */

import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/helpers/files.ts";
import { input, mul } from "../../engine/expressions.ts";
import { emitProgram } from "../../engine/program.ts";
import { describeExtractors, openFeatureNetwork } from "./extractors.ts";
import { keptFeatures } from "./kept-features.ts";

const root = temporaryFolder();
const shape = { height: 2, width: 1, channels: 3 };
const pixels = { mean: [0, 0, 0], deviation: [1, 1, 1] };

test("pixels are standardised as ImageNet's, in batches of the model's size", async () => {
  const path = join(root, "twice.onnx");
  const { model } = emitProgram(
    { outputs: { twice: mul(input("x", [2, 3, 2, 1]), 2) } },
    { keepNames: true },
  );
  writeFileSync(path, model);
  const [extractor] = await describeExtractors([path]);
  const context = { shape, pixels, seed: 0 };
  const count = 5;
  const data = Uint8Array.from({ length: count * 6 }, (_, i) => i * 8);
  let opened = 0;
  const seen = () =>
    keptFeatures(
      { shape, count, data },
      {
        path: join(root, "kept", "twice.npy"),
        network: () => {
          opened++;
          return openFeatureNetwork({ extractor: extractor! }, context);
        },
      },
    );
  // As two processes of a pool would: one makes them, the other waits.
  const [{ values, width }, other] = await Promise.all([seen(), seen()]);
  expect(other.values).toEqual(values);
  expect(opened).toBe(1);
  expect([width, values.length]).toEqual([6, 30]);
  // Image 4, green, second row: byte 4·6 + 3 + 1, in plane 1 of three planes of two.
  expect(values[4 * 6 + 1 * 2 + 1]).toBeCloseTo((2 * ((28 * 8) / 255 - 0.456)) / 0.224, 5);
  const wide = openFeatureNetwork({ extractor: extractor! }, { ...context, shape: { ...shape, width: 2 } });
  await expect(wide).rejects.toThrow(/do not fit this extractor[\s\S]*2 × 2 with 3 channels/);
});

test("features that are not finite are not kept", async () => {
  const [file, kept] = [join(root, "huge.onnx"), join(root, "kept", "network-huge.npy")];
  const { model } = emitProgram(
    { outputs: { huge: mul(mul(input("x", [2, 3, 2, 1]), 1e38), 1e38) } },
    { keepNames: true },
  );
  writeFileSync(file, model);
  const [extractor] = await describeExtractors([file]);
  const made = keptFeatures(
    { shape, count: 3, data: new Uint8Array(18).fill(9) },
    {
      path: kept,
      network: () => openFeatureNetwork({ extractor: extractor! }, { shape, pixels, seed: 0 }),
    },
  );
  await expect(made).rejects.toThrow(/not finite\n.*network-huge, image 0[\s\S]*6 that are NaN or infinite/);
  expect(existsSync(kept)).toBe(false);
});
