/** Shares of maps within regions, what hiding them costs, and maps of random weights: cases by hand. */

import { expect, test } from "vitest";
import { randomStream } from "../core/random.ts";
import { mul, reshape, sum } from "../engine/expressions.ts";
import { stateInput } from "../engine/ops/sources.ts";
import { State } from "../engine/state.ts";
import { gradCam } from "./grad-cam.ts";
import { hideRegions } from "./hidden-regions.ts";
import { mapCorrelation, mapCorrelations, randomisedParts, randomisedWeights } from "./randomised-weights.ts";
import { areaOf, elsewhere, regionOfBox, shareWithin } from "./regions.ts";
import { rowsOfClasses, type SeenNetwork } from "./saliency-method.ts";

const sides = { height: 8, width: 8 };
const random = () => randomStream(0, "regions").at(0);

test("a share counts what is above 0, and a map without any has none", () => {
  const region = regionOfBox({ left: 6, top: -1, width: 4, height: 3 }, sides);
  expect(areaOf(region)).toBe(4 / 64);
  const map = new Float32Array(64);
  expect(shareWithin(map, region)).toBeNull();
  map[7] = 3;
  map[8] = 1;
  map[9] = -5;
  expect(shareWithin(map, region)).toBe(0.75);
});

test("elsewhere is of the same form, within the image where it fits, and touches nothing of the region", () => {
  const region = regionOfBox({ left: 0, top: 0, width: 3, height: 2 }, sides);
  const others = elsewhere(region, sides, 4, random());
  expect(others).toHaveLength(4);
  expect(new Set(others.map((other) => other.join(""))).size).toBe(4);
  for (const other of others) {
    expect(areaOf(other)).toBe(areaOf(region));
    expect(other.some((on, p) => on === 1 && region[p] === 1)).toBe(false);
    const rows = [...other.entries()].filter(([, on]) => on === 1).map(([p]) => Math.floor(p / 8));
    expect(Math.max(...rows) - Math.min(...rows)).toBe(1);
  }
  // Nothing of its size is left beside more than half of the image.
  expect(elsewhere(regionOfBox({ left: 0, top: 0, width: 5, height: 8 }, sides), sides, 4, random())).toEqual(
    [],
  );
});

/** z₀ is a thousandth of the sum over the left half, z₁ is 0. */
const left: SeenNetwork = {
  name: "left",
  image: { ...sides, channels: 1 },
  classes: 2,
  gradients: undefined,
  logits: async (images, count) =>
    Float32Array.from({ length: 2 * count }, (_, at) => {
      let total = 0;
      if (at % 2 === 0) for (let p = 0; p < 64; p++) if (p % 8 < 4) total += images[32 * at + p]!;
      return total / 1000;
    }),
};

test("hiding what is looked at costs the class; hiding as much elsewhere what lies there", async () => {
  const region = regionOfBox({ left: 0, top: 0, width: 4, height: 8 }, sides);
  const images = new Uint8Array(64).fill(100);
  const [found] = await hideRegions(left, images, [region], [0], [0], { batch: 3, seed: 0, fill: [0] });
  const share = (logit: number) => 1 / (1 + Math.exp(-logit));
  expect(found!.before).toBeCloseTo(share(3.2), 6);
  expect(found!.hidden).toBeCloseTo(0.5, 6);
  // Of half an image only the other half is left.
  expect(found!.elsewhere).toBeCloseTo(share(3.2), 6);
  expect([found!.logitFall, found!.logitFallElsewhere].map((fall) => Math.round(1e4 * fall!))).toEqual([
    32_000, 0,
  ]);
});

test("weights are shuffled from the logits down, and maps that follow them change", async () => {
  // z = w₂ · (w₁ ⊙ x): the map is w₁ ⊙ x in four channels of 2 × 2.
  const weights = new State();
  weights.set(
    "first",
    Float32Array.from({ length: 16 }, (_, i) => i + 1),
  );
  weights.set("last", Float32Array.of(1, 2, 3, 4));
  const network: SeenNetwork = {
    name: "two layers",
    image: { height: 2, width: 2, channels: 1 },
    classes: 1,
    logits: async () => new Float32Array(1),
    gradients: {
      classes: 1,
      weights,
      order: ["first", "last"],
      build: (images) => {
        const map = mul(reshape(images, [images.shape[0]!, 1, 2, 2]), stateInput("first", [1, 4, 2, 2]));
        const pooled = sum(map, [2, 3]);
        const logits = sum(mul(pooled, stateInput("last", [1, 4])), [1], { keep: true });
        return { logits, features: pooled, map: { tensor: map, layout: "NCHW" } };
      },
    },
  };
  const states = randomisedWeights(network.gradients!, 3);
  expect(states).toHaveLength(randomisedParts.length);
  expect(states.at(-1)!.get("first")).not.toEqual(weights.get("first"));
  expect([...states.at(-1)!.get("first")].sort((a, b) => a - b)).toEqual([...weights.get("first")]);
  expect(states[1]!.get("first")).toEqual(weights.get("first"));
  const maker = await gradCam.open(network, { batch: 1, threads: 1, seed: 0, fill: [0] });
  const image = Uint8Array.of(1, 2, 3, 4);
  const before = await maker.maps(image, rowsOfClasses([0], 1));
  // Σ w₂ w₁ x: for the first pixel 1·(1 + 2·5 + 3·9 + 4·13).
  expect([...before.values]).toEqual([90, 200, 330, 480]);
  const after = await maker.maps(image, rowsOfClasses([0], 1), states.at(-1));
  expect(mapCorrelations(before, before, [2, 2])).toEqual([1]);
  expect(after.values).not.toEqual(before.values);
  await maker.close();
  expect(mapCorrelation(Float32Array.of(1, 2, 3, 4), Float32Array.of(4, 3, 2, 1), 2)).toBe(-1);
  expect(mapCorrelation(Float32Array.of(1, 2, 3, 4), new Float32Array(4), 2)).toBeNull();
});
