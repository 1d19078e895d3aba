/** Networks of a pool, as far as no network is needed: what is drawn, and what becomes of runs. */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/helpers/files.ts";
import { runId } from "../runs/run-folder.ts";
import { type MeasuredSlice, measurementsCsv } from "../training/measurements.ts";
import { resolveSpec } from "../training/run-spec.ts";
import { drawNetwork, networksNamed, usualNetworks } from "./draw-networks.ts";
import { collectNetworks, fittingNetworks, runSpecOf } from "./make-networks.ts";
import type { PoolSpec } from "./pool-spec.ts";
import { csvOf } from "./pool-table.ts";

const root = temporaryFolder();
const networks = networksNamed(["small-cnn:width=8", "mnist-convnet:width=16", "resnet18", "mlp"]);

test("a network is small where it has a small form, and named as it can be asked for again", () => {
  expect(networks.map(({ label }) => label)).toEqual([
    "small-cnn:width=8",
    "mnist-convnet:width=16",
    "resnet18",
    "mlp",
  ]);
  expect(networks[2]!.options).toEqual({ stem: "small", width: 8, blocks: "1,1,1,1" });
  expect(networksNamed(["resnet18:width=16"])[0]).toMatchObject({
    label: "resnet18:width=16",
    options: { stem: "small", width: 16, blocks: "1,1,1,1" },
  });
  const usual = usualNetworks({ height: 28, width: 28, channels: 3 });
  expect(networksNamed(usual).map(({ label }) => label)).toEqual(usual);
});

test("draws keep to their ranges, use every network, and do not depend on how many there are", () => {
  const drawn = Array.from({ length: 400 }, (_, i) =>
    drawNetwork(i, { seed: 1, vary: "training", networks }),
  );
  for (const network of networks) expect(drawn.filter((plan) => plan.network === network)).toHaveLength(100);
  for (const { rate, weightDecay, batchSize, optimiser, subset, dropout, network } of drawn) {
    expect(rate).toBeGreaterThanOrEqual(1e-4);
    expect(rate).toBeLessThanOrEqual(1e-2);
    expect(weightDecay).toBeGreaterThanOrEqual(1e-6);
    expect(weightDecay).toBeLessThanOrEqual(1e-2);
    // 2³ to 2⁵·⁵, Table 2.
    expect(batchSize).toBeGreaterThanOrEqual(8);
    expect(batchSize).toBeLessThanOrEqual(45);
    expect([optimiser, subset]).toEqual(["adam", 1]);
    expect(dropout === undefined).toBe(!["mnist-convnet", "mlp"].includes(network.name));
  }
  // Evenly in the logarithm: half below 10⁻³, within three standard errors.
  const low = drawn.filter(({ rate }) => rate < 1e-3).length / 400;
  expect(Math.abs(low - 0.5)).toBeLessThan((3 * 0.5) / 20);
  expect(new Set(drawn.map(({ seed }) => seed)).size).toBe(400);
  const wide = Array.from({ length: 60 }, (_, i) => drawNetwork(i, { seed: 1, vary: "wide", networks }));
  expect(new Set(wide.map(({ optimiser }) => optimiser)).size).toBe(3);
  expect(wide.filter(({ subset }) => subset < 1).length).toBeGreaterThan(15);
});

test("a network sees its share of each environment, and all others keep the ids of their runs", () => {
  const spec = {
    data: { name: "made-up", settings: {}, seed: 0, identity: "x" },
    environment: null,
    oodSplits: null,
    groups: [],
    trainImages: 5000,
    testImages: 2500,
    steps: 600,
    checkpoints: 2,
    firstStep: 10,
    seed: 3,
  } as unknown as PoolSpec;
  const fold = { training: [0, 1], shifted: [2] };
  const planOf = (...sizes: number[]) => ({
    kind: "attribute" as const,
    attribute: "place",
    environments: sizes.map((size, i) => ({
      name: "abc"[i]!,
      inPart: new Uint32Array(size),
      outPart: new Uint32Array(1),
    })),
  });
  const drawn = { ...drawNetwork(0, { seed: 1, vary: "training", networks }), subset: 1 };
  const idOf = (subset: number, sizes: number[], seen: object) => {
    const run = runSpecOf({ ...drawn, subset }, spec, planOf(...sizes), fold);
    // As it was spelled before there were shares.
    const spelled = resolveSpec({
      data: {
        ...spec.data,
        environments: { by: null, trainOn: ["a", "b"], ...seen, testImages: 2500, seed: 3 },
      },
      model: { name: drawn.network.name, options: { ...run.model.options } },
      optimiser: { name: "adam", rate: drawn.rate, weightDecay: drawn.weightDecay },
      augment: run.augment,
      batchSize: drawn.batchSize,
      seed: drawn.seed,
      steps: 600,
      measureSteps: [10, 600],
      keep: "accuracies",
      threads: 1,
    });
    return [runId(run), runId(spelled)];
  };
  const same = ([one, other]: string[]) => one === other;
  expect(same(idOf(1, [400, 100, 50], { trainImages: 5000 }))).toBe(true);
  // Environments of one size: the share is a number of images, as before.
  expect(same(idOf(0.25, [400, 400, 50], { trainImages: 100 }))).toBe(true);
  // A quarter of 400 would be all of the 100 images of the other one.
  expect(same(idOf(0.25, [400, 100, 50], { trainImages: 100 }))).toBe(false);
  expect(same(idOf(0.25, [400, 100, 50], { trainImages: 5000, trainShare: 0.25 }))).toBe(true);
});

test("what does not fit the images is told in the words of this command", () => {
  const shape = { height: 28, width: 28, channels: 3 };
  expect(() => fittingNetworks(networksNamed(["vit-tiny:patch=3"]), shape)).toThrow(
    /no multiple of patch[\s\S]*give --networks vit-tiny:patch=<n> with one of: 1, 2, 4, 7/,
  );
  expect(fittingNetworks([], shape).map(({ label }) => label)).toEqual(usualNetworks(shape));
});

/** A run of two environments, one of them held out, that has measured these slices after step 6. */
async function collected(slices: MeasuredSlice[], name: string) {
  const environments = ["a", "b"].map((name, i) => ({
    name,
    inPart: Uint32Array.of(2 * i),
    outPart: Uint32Array.of(2 * i + 1),
  }));
  const plan = { kind: "attribute" as const, attribute: "place", environments };
  const sets = environments.map(({ outPart }, environment) => ({
    column: `env${environment}_out_acc`,
    environment,
    part: "out" as const,
    indices: outPart,
  }));
  const fold = { training: [0], shifted: [1] };
  const drawn = [0, 1].map((i) => ({ fold, network: drawNetwork(i, { seed: 0, vary: "wide", networks }) }));
  const folder = join(root, name);
  mkdirSync(folder);
  writeFileSync(join(folder, "checkpoints.csv"), measurementsCsv([{ step: 6, epoch: 1.5, slices }]));
  return collectNetworks(
    drawn,
    [
      { state: "failed", found: false, folder: join(root, "failed"), error: new Error("the loss exploded") },
      { state: "done", found: false, folder, error: undefined },
    ],
    { plan, sets },
  );
}

const [homeKey, otherKey] = [
  { split: "val", value: "a" },
  { split: "test", value: "b" },
];

test("what failed is told and has no rows", async () => {
  const made = await collected(
    // Names are for people: the rows are found whatever they say.
    [
      { key: homeKey, slice: "at home", images: 4, accuracy: 0.75 },
      { key: { ...homeKey, group: [0, 1] }, slice: "val, place a", images: 2, accuracy: 0.5 },
      { key: otherKey, slice: "", images: 4, accuracy: 0.25 },
    ],
    "done",
  );
  expect(made.trained).toBe(1);
  expect(made.failed).toEqual([
    { classifier: "cnn-000000", heldOut: "b", folder: join(root, "failed"), error: "the loss exploded" },
  ]);
  expect(made.rows).toHaveLength(1);
  expect(made.rows[0]).toMatchObject({
    classifier: "cnn-000001",
    test_env: "1",
    trained_on: "a",
    step: 6,
    epoch: 1.5,
    env0_out_acc: 0.75,
    env1_out_acc: 0.25,
  });
  // Beside rows of another family, what either does not have is an empty cell.
  const [head, first, second] = csvOf([{ classifier: "000000", hidden: 4 }, made.rows[0]!]).split("\n");
  const cell = (line: string, name: string) => line.split(",")[head!.split(",").indexOf(name)];
  expect([cell(first!, "network"), cell(second!, "hidden"), cell(second!, "step")]).toEqual(["", "", "6"]);
});

test("a measurement that is missing is an error that names it, and no empty cell", async () => {
  const home = { key: homeKey, slice: "val, place a", images: 4, accuracy: 0.75 };
  const renamed = { key: { ...otherKey, value: "c" }, slice: "test, place b", images: 4, accuracy: 0.25 };
  await expect(collected([home, renamed], "renamed")).rejects.toThrow(
    /no accuracy of images[\s\S]*checkpoints\.csv, step 6[\s\S]*split test, value b/,
  );
});
