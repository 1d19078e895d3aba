import { expect, test } from "vitest";
import { groupsOf } from "../../core/grouping.ts";
import { endlessSampler, environmentsOf, samplerOf } from "./samplers.ts";

/** Three groups of 1, 3 and 6 images. */
const place = { values: Uint16Array.of(2, 1, 2, 0, 2, 1, 2, 1, 2, 2), valueNames: ["a", "b", "c"] };
const groups = groupsOf({ attributes: { place } }, { by: ["place"] });
const common = { seed: 5, images: 10, batchSize: 4, stepsPerEpoch: 2, groups };

test("shuffled: every image at most once an epoch, in another order each time", () => {
  const sampler = samplerOf("shuffled", common);
  const epoch = (n: number) => [0, 1].flatMap((step) => [...sampler(n)(step)]);
  expect(new Set(epoch(0)).size).toBe(8);
  expect(epoch(0)).toEqual(epoch(0));
  expect(epoch(1)).not.toEqual(epoch(0));
});

test("shuffled: epochs that are shorter than all images go on where the last one was", () => {
  const long = { ...common, images: 12, stepsPerEpoch: 3 };
  const steps = (stepsPerEpoch: number) => {
    const sampler = samplerOf("shuffled", { ...long, stepsPerEpoch });
    return Array.from({ length: 9 }, (_, at) => [
      ...sampler(Math.floor(at / stepsPerEpoch))(at % stepsPerEpoch),
    ]);
  };
  expect(steps(2)).toEqual(steps(3));
  expect(new Set(steps(2).slice(3, 6).flat()).size).toBe(12);
});

test("endless: the same orders with nothing dropped, batches going over the ends of epochs", () => {
  const whole = samplerOf("shuffled", { ...common, batchSize: 10, stepsPerEpoch: 1 });
  const orders = [7, 8, 9].flatMap((epoch) => [...whole(epoch)(0)]);
  const batchAt = endlessSampler({ ...common, firstEpoch: 7 });
  const steps = Array.from({ length: 7 }, (_, step) => [...batchAt(step)]);
  expect(steps.flat()).toEqual(orders.slice(0, 28));
  // The step alone decides, whichever was asked for before.
  expect([...batchAt(2)]).toEqual(steps[2]);
});

test("balanced groups: each group a third of the draws, each image its share of its group", () => {
  const batchSize = 3_000;
  const places = samplerOf("balanced-groups", { ...common, batchSize })(3)(1);
  const counts = Array.from({ length: 10 }, () => 0);
  for (const place of places) counts[place]!++;
  for (const [image, count] of counts.entries()) {
    const share = 1 / (3 * groups.sizes[groups.codes[image]!]!);
    // Four standard deviations of a binomial count.
    const slack = 4 * Math.sqrt(batchSize * share * (1 - share));
    expect(Math.abs(count - batchSize * share)).toBeLessThan(slack);
  }
});

test("environments: different groups side by side, whatever their size, all of them equally often", () => {
  const sampler = samplerOf("environments", { ...common, environments: { count: 2, size: 2 } });
  const seen = [0, 0, 0];
  for (let epoch = 0; epoch < 300; epoch++) {
    const codes = [...sampler(epoch)(1)].map((place) => groups.codes[place]!);
    expect(codes).toEqual([codes[0], codes[0], codes[2], codes[2]]);
    expect(codes[0]).not.toBe(codes[2]);
    for (const code of [codes[0]!, codes[2]!]) seen[code]!++;
  }
  // Each is left out a third of the time: 200 ± four standard deviations of 8.2.
  for (const count of seen) expect(Math.abs(count - 200)).toBeLessThan(33);
});

test("a step's images depend on the seed and the step, not on the steps before", () => {
  for (const sampling of ["shuffled", "balanced-groups", "environments"] as const) {
    const options = { ...common, environments: { count: 2, size: 2 } };
    const at = (seed: number, epoch: number, step: number) => [
      ...samplerOf(sampling, { ...options, seed })(epoch)(step),
    ];
    expect(at(5, 7, 1)).toEqual(at(5, 7, 1));
    const others = [at(6, 7, 1), at(5, 8, 1), at(5, 7, 0)];
    for (const other of others) expect(other).not.toEqual(at(5, 7, 1));
  }
});

test("environments are as many as wanted, as there are groups, or as divide the batch into even parts", () => {
  expect(environmentsOf(128, 16, 100)).toEqual({ count: 16, size: 8 });
  expect(environmentsOf(128, 16, 4)).toEqual({ count: 4, size: 32 });
  // Ten do not divide 128 into even parts, eight do.
  expect(environmentsOf(128, 16, 10)).toEqual({ count: 8, size: 16 });
  // One image each would leave no second half.
  expect(environmentsOf(16, 16, 100)).toEqual({ count: 8, size: 2 });
  expect(environmentsOf(15, 16, 100)).toBeUndefined();
});
