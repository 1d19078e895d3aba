/** Maps worked out by hand, and those of PyTorch on networks that it has exported (test/references/torch_saliency.py). */

import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { hashUniform } from "../../test/helpers/hash-uniform.ts";
import { storedReference } from "../../test/helpers/reference.ts";
import {
  concat,
  mean,
  mul,
  reshape,
  scalar,
  sliceAxis,
  type Tensor,
  transpose,
} from "../engine/expressions.ts";
import { State } from "../engine/state.ts";
import { readOnnxNetwork } from "../models/onnx/network.ts";
import { saliencyMethods } from "./index.ts";
import { type Maps, rowsOfClasses, type SeenExpressions, type SeenNetwork } from "./saliency-method.ts";
import { differentiableOf, logitsBy } from "./seen-network.ts";

const options = { batch: 4, threads: 1, seed: 0, fill: [0] };

/** Of four grey pixels in two rows; every method asks it in its own way. */
function handMade(build: (images: Tensor) => SeenExpressions, side = 2): SeenNetwork {
  const image = { height: side, width: side, channels: 1 };
  const gradients = { build, classes: 2, weights: new State(), order: [] };
  return {
    name: "hand",
    image,
    classes: 2,
    gradients,
    logits: async (images, count) => {
      const { logits, close } = await logitsBy(gradients, image, { batch: 4, threads: 1 });
      const rows = await logits(images, count);
      await close();
      return rows;
    },
  };
}

async function mapsOf(
  name: string,
  network: SeenNetwork,
  images: Uint8Array,
  chosen: readonly number[],
  fill: readonly number[] = [0],
): Promise<Maps> {
  const maker = await saliencyMethods.get(name).open(network, { ...options, fill });
  try {
    return await maker.maps(images, rowsOfClasses(chosen, network.classes));
  } finally {
    await maker.close();
  }
}

/** Two channels, the image and twice it; logits are 3 × the mean of the first, and minus that of the second. */
const twoChannels = handMade((images) => {
  const plane = transpose(images, [0, 3, 1, 2]);
  const map = concat([plane, mul(plane, 2)], 1);
  const pooled = mean(map, [2, 3]);
  const logits = mul(pooled, concat([reshape(scalar(3), [1, 1]), reshape(scalar(-1), [1, 1])], 1));
  return { logits, features: pooled, map: { tensor: map, layout: "NCHW" } };
});

describe("by hand", () => {
  test("Grad-CAM weighs each channel by its mean slope, and keeps what is above 0", async () => {
    const images = Uint8Array.of(10, 20, 30, 40, 0, 0, 8, 0);
    const { values } = await mapsOf("grad-cam", twoChannels, images, [0, 1]);
    // z₀ = 3 · mean(A₀): each slope is 3/4, so that the map is 3/4 of the image. z₁ falls with everything.
    expect(Array.from(values.subarray(0, 4))).toEqual([7.5, 15, 22.5, 30]);
    expect(Array.from(values.subarray(4))).toEqual([0, 0, 0, 0]);
  });

  /** z₀ = the product of the first two pixels, z₁ = the third. */
  const product = handMade((images) => {
    const flat = reshape(images, [images.shape[0]!, 4]);
    const at = (i: number) => sliceAxis(flat, 1, i, 1);
    const logits = concat([mul(at(0), at(1)), at(2)], 1);
    return { logits, features: undefined, map: undefined };
  });

  test("integrated gradients share a product between its factors, and add up to it", async () => {
    const { values, notes } = await mapsOf("integrated-gradients", product, Uint8Array.of(6, 4, 9, 9), [0]);
    // ∫ s·4 · 6 ds = 12 for either.
    expect(values[0]).toBeCloseTo(12, 5);
    expect(values[1]).toBeCloseTo(12, 5);
    expect(values[2]).toBe(0);
    expect(notes.rise![0]).toBeCloseTo(24, 4);
    expect(notes.open![0]).toBeCloseTo(0, 4);
  });

  test("from another colour they begin there", async () => {
    const { values, notes } = await mapsOf(
      "integrated-gradients",
      product,
      Uint8Array.of(6, 4, 9, 9),
      [1],
      [5],
    );
    expect(Array.from(values)).toEqual([0, 0, 4, 0]);
    expect(notes.rise![0]).toBeCloseTo(4, 5);
  });

  test("Grad-CAM of a network without a map names what can be used", async () => {
    await expect(mapsOf("grad-cam", product, new Uint8Array(4), [0])).rejects.toThrow(
      /no map[\s\S]*occlusion/,
    );
    const blind = { ...product, gradients: undefined };
    await expect(mapsOf("integrated-gradients", blind, new Uint8Array(4), [0])).rejects.toThrow(/gradients/);
  });

  /** z₀ is 1/100 of the sum of the 16 pixels at the top left of 8 × 8, z₁ is 0. */
  const corner: SeenNetwork = {
    name: "corner",
    image: { height: 8, width: 8, channels: 1 },
    classes: 2,
    gradients: undefined,
    logits: async (images, count) =>
      Float32Array.from({ length: 2 * count }, (_, at) => {
        if (at % 2 === 1) return 0;
        let total = 0;
        for (let y = 0; y < 4; y++) for (let x = 0; x < 4; x++) total += images[32 * at + 8 * y + x]!;
        return total / 100;
      }),
  };

  test("occlusion is the mean fall over the windows that hide a pixel", async () => {
    const images = new Uint8Array(64).fill(50);
    const { values } = await mapsOf("occlusion", corner, images, [0]);
    // Windows of 2 × 2 in steps of 1: one that lies in the corner with all its pixels takes 4 · 50 / 100 = 2.
    expect(values[0]).toBeCloseTo(2, 5);
    // Of the four windows over the last pixel of the corner's row 0, two exist, and take 2 and 1.
    expect(values[3]).toBeCloseTo((2 + 1) / 2, 5);
    // The pixel behind it: 1 and 0.
    expect(values[4]).toBeCloseTo(0.5, 5);
    expect(values[63]).toBe(0);
  });

  test("RISE is largest where it is looked, near 0 elsewhere, and the same for the same seed", async () => {
    const images = new Uint8Array(64).fill(30);
    const [once, again] = [
      await mapsOf("rise", corner, images, [0]),
      await mapsOf("rise", corner, images, [0]),
    ];
    expect(once.values).toEqual(again.values);
    const inside = once.values[9]!;
    const outside = once.values[63]!;
    expect(inside).toBeGreaterThan(10 * Math.abs(outside));
    // The other class falls there.
    expect((await mapsOf("rise", corner, images, [1])).values[9]).toBeCloseTo(-inside, 5);
  });
});

let compared = 0;

interface Summary {
  norm: number;
  probe: number;
  first: number[];
}

const references =
  storedReference<
    Record<
      string,
      {
        side: number;
        logits: number[];
        gradCam: (Summary & { largest: number })[];
        integrated: Record<string, Summary[]>;
      }
    >
  >("torch_saliency");

const fill = [100, 120, 140];
const chosen = [1, 3];
const pixels = { order: "rgb", factor: 1 / 64, mean: [2, 2, 2], deviation: [1, 1, 1] } as const;
/** Slower networks are asked for Grad-CAM alone. */
const integratedToo = ["resnet", "regnet", "convnext"];

describe.each(Object.keys(references))("%s as PyTorch has it", (name) => {
  const { side, logits: expectedLogits, gradCam, integrated } = references[name]!;
  const path = fileURLToPath(new URL(`../../test/references/onnx/${name}-legacy.onnx`, import.meta.url));
  const image = { height: side, width: side, channels: 3 };
  const images = Uint8Array.from(hashUniform(2 * side * side * 3, 11), (share) => Math.floor(256 * share));

  test("logits, Grad-CAM and integrated gradients", async () => {
    const gradients = differentiableOf(await readOnnxNetwork(path), image, pixels);
    const asked = await logitsBy(gradients, image, { batch: 2, threads: 1 });
    const network = { name, image, classes: 5, gradients, logits: asked.logits };
    // Ours computes in float32.
    expectNear(await asked.logits(images, 2), expectedLogits, 1e-4);
    const cams = (await mapsOf("grad-cam", network, images, chosen, fill)).values;
    for (const [i, cam] of gradCam.entries()) expectSummary(part(cams, i), cam, 2e-3);
    if (!integratedToo.includes(name)) return asked.close();
    const { values, notes } = await mapsOf("integrated-gradients", network, images, chosen, fill);
    for (const i of [0, 1]) {
      const points = notes.points![i]!;
      expect(Math.abs(notes.open![i]!)).toBeLessThanOrEqual(0.02 * Math.max(0.02, Math.abs(notes.rise![i]!)));
      const sum = part(values, i).reduce((total, value) => total + value, 0);
      expect(sum - notes.rise![i]!).toBeCloseTo(notes.open![i]!, 4);
      const same = integrated[points]?.[i];
      if (same === undefined) continue;
      expectSummary(part(values, i), same, 5e-3);
      compared++;
    }
    await asked.close();
  });

  const part = (values: Float32Array, i: number) => values.subarray(i * side * side, (i + 1) * side * side);
});

test("most were compared with PyTorch's at equally many points", () => {
  expect(Object.keys(references)).toEqual(expect.arrayContaining(integratedToo));
  expect(compared).toBeGreaterThan(2);
});

function expectNear(got: ArrayLike<number>, expected: readonly number[], tolerance: number): void {
  const scale = Math.hypot(...expected);
  for (const [i, value] of expected.entries())
    expect(Math.abs(got[i]! - value) / scale, `${i}`).toBeLessThan(tolerance);
}

function expectSummary(values: Float32Array, expected: Summary, tolerance: number): void {
  const probe = hashUniform(values.length, 7);
  const got = [
    Math.hypot(...values),
    values.reduce((total, value, i) => total + value * (probe[i]! - 0.5), 0),
    ...values.subarray(0, 6),
  ];
  const all = [expected.norm, expected.probe, ...expected.first];
  for (const [i, value] of all.entries())
    expect(Math.abs(got[i]! - value) / Math.max(expected.norm, 1e-9), `${i}`).toBeLessThan(tolerance);
}
