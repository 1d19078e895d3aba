/** Accuracies and conditions against hand-worked values, sampling and numeric integration. */

import { describe, expect, test } from "vitest";
import { randomStream } from "../core/random.ts";
import { normalCdf } from "../core/statistics/index.ts";
import { exactAccuracy, sampledAccuracy, samplingError } from "./accuracy.ts";
import { bestWeights } from "./best-weights.ts";
import { theoremOne, theoremTwo } from "./conditions.ts";
import {
  componentsOf,
  type Domain,
  generalMoments,
  paperWorld,
  shifted,
  spuriousMoments,
  subGaussianParameter,
  type World,
} from "./domain.ts";
import { scaledIdentity } from "./matrix.ts";
import { reflectionExample } from "./reflection.ts";
import { drawSample } from "./sample.ts";
import { wellSpecifiedShare } from "./share.ts";

const ones = [1, 1, 1, 1];

const skewWorld: World = {
  meanGeneral: [0.8, -0.3],
  covarianceGeneral: [
    [1, 0.4],
    [0.4, 0.6],
  ],
  meanSpurious: [0.5, 1],
  covarianceSpurious: [
    [0.7, -0.2],
    [-0.2, 1.5],
  ],
  labelNoise: 0,
};

const mixed: Domain = [
  {
    weight: 0.2,
    shift: [
      [2, 0.5],
      [0.5, 1],
    ],
  },
  {
    weight: 0.5,
    shift: [
      [-1, 0],
      [0.3, -0.7],
    ],
  },
  { weight: 0.3, shift: scaledIdentity(2, 0.4) },
];

describe("closed forms of the paper's parameters, μ = (1, 1) and unit variances", () => {
  test.each([
    ["domain-general features: Φ(√2)", [1, 1, 0, 0], 1, 0.9214],
    ["all features: Φ(2)", ones, 1, 0.9772],
    ["all features under M = −I: Φ(0)", ones, -1, 0.5],
    ["all features under M = −½I: Φ(1/√2.5)", ones, -0.5, 0.7365],
  ])("%s", (_, weights, a, expected) => {
    const components = componentsOf(paperWorld, shifted(scaledIdentity(2, a)));
    expect(exactAccuracy(weights, components)).toBeCloseTo(expected, 4);
  });

  test("label noise p turns an accuracy of q into (1 − p) q + p (1 − q) for the domain-general features", () => {
    const components = componentsOf({ ...paperWorld, labelNoise: 0.25 }, shifted(scaledIdentity(2)));
    const q = normalCdf(Math.SQRT2);
    expect(exactAccuracy([1, 1, 0, 0], components)).toBeCloseTo(0.75 * q + 0.25 * (1 - q), 12);
  });

  test("a classifier of zeros is right half the time", () => {
    expect(exactAccuracy([0, 0, 0, 0], componentsOf(paperWorld, mixed))).toBe(0.5);
  });
});

describe("sampled accuracies", () => {
  test.each([
    ["one Gaussian", skewWorld, mixed.slice(1, 2).map((part) => ({ ...part, weight: 1 }))],
    ["a mixture", skewWorld, mixed],
    ["a mixture with label noise", { ...skewWorld, labelNoise: 0.25 }, mixed],
  ])("agree with the closed form within four standard errors: %s", (_, world, domain) => {
    const count = 40_000;
    const sample = drawSample(world, domain, count, randomStream(3, "test").at(0));
    const components = componentsOf(world, domain);
    for (const weights of [[1, 0, 0, 0], ones, [0.2, -1, 0.7, 0.4], [1, 1, -2, 0.1]]) {
      const exact = exactAccuracy(weights, components);
      const error = samplingError(exact, count);
      expect(Math.abs(sampledAccuracy(weights, sample) - exact)).toBeLessThan(4 * error);
      // Three points of accuracy are far outside it: the test could fail.
      expect(4 * error).toBeLessThan(0.03);
    }
  });

  test("moments of a mixture are those of its rows", () => {
    const count = 20_000;
    const { rows, labels, width } = drawSample(skewWorld, mixed, count, randomStream(4, "test").at(0));
    const { mean, covariance } = spuriousMoments(skewWorld, mixed);
    const column = (j: number) =>
      Float64Array.from({ length: count }, (_, i) => labels[i]! * rows[i * width + 2 + j]!);
    const average = (values: Float64Array) => values.reduce((a, b) => a + b) / count;
    const [first, second] = [column(0), column(1)];
    for (const [j, values] of [first, second].entries()) {
      expect(Math.abs(average(values) - mean[j]!)).toBeLessThan(4 * Math.sqrt(covariance[j]![j]! / count));
    }
    const products = first.map((value, i) => (value - mean[0]!) * (second[i]! - mean[1]!));
    const spread = Math.sqrt(average(products.map((value) => value * value)) / count);
    expect(Math.abs(average(products) - covariance[0]![1]!)).toBeLessThan(4 * spread);
    expect(4 * spread).toBeLessThan(0.1);
  });
});

test("the accuracy on a mixture is the integral over its spurious features", () => {
  // Given z the score is normal: ∫ p(z) Φ((w_dg·μ_dg + w_spu·z) / √(w_dgᵀΣw_dg)) dz, on a grid, not by the formula.
  const [w, v] = [
    [0.9, 0.4],
    [0.5, -0.8],
  ];
  const { meanGeneral, covarianceGeneral } = skewWorld;
  const signal = w[0]! * meanGeneral[0]! + w[1]! * meanGeneral[1]!;
  const noise = Math.sqrt(
    w[0]! ** 2 * covarianceGeneral[0]![0]! +
      2 * w[0]! * w[1]! * covarianceGeneral[0]![1]! +
      w[1]! ** 2 * covarianceGeneral[1]![1]!,
  );
  const parts = componentsOf(skewWorld, mixed).map(({ weight, mean, covariance }) => {
    const [a, b, d] = [covariance[2]![2]!, covariance[2]![3]!, covariance[3]![3]!];
    const determinant = a * d - b * b;
    return { weight, mx: mean[2]!, my: mean[3]!, a, b, d, determinant };
  });
  const step = 0.1;
  let [total, mass] = [0, 0];
  for (let x = -12; x <= 12; x += step) {
    for (let y = -12; y <= 12; y += step) {
      let density = 0;
      for (const { weight, mx, my, a, b, d, determinant } of parts) {
        const [dx, dy] = [x - mx, y - my];
        const distance = (d * dx * dx - 2 * b * dx * dy + a * dy * dy) / determinant;
        density += (weight * Math.exp(-distance / 2)) / (2 * Math.PI * Math.sqrt(determinant));
      }
      if (density < 1e-14) continue;
      mass += density * step * step;
      total += density * step * step * normalCdf((signal + v[0]! * x + v[1]! * y) / noise);
    }
  }
  // Equal steps over smooth, vanishing functions: far better than this.
  expect(mass).toBeCloseTo(1, 8);
  expect(exactAccuracy([...w, ...v], componentsOf(skewWorld, mixed))).toBeCloseTo(total, 8);
});

describe("theorem 1", () => {
  const paper = { weights: [1, 1], shiftedMean: [-1, -1], kappa: 1, lipschitz: 1 };

  test("M = −I, w = (1, 1): −2 + 2 √log(1/δ) < 0 just where δ > 1/e", () => {
    const { reversal, margin, smallestDelta } = theoremOne({ ...paper, delta: 0.05 });
    expect(reversal).toBe(-2);
    expect(margin).toBeCloseTo(2 * Math.sqrt(Math.log(20)), 12);
    expect(smallestDelta).toBeCloseTo(1 / Math.E, 12);
    expect(theoremOne({ ...paper, delta: 0.367 }).holds).toBe(false);
    expect(theoremOne({ ...paper, delta: 0.369 }).holds).toBe(true);
  });

  test("without reversal it holds for no δ", () => {
    const aligned = theoremOne({ ...paper, shiftedMean: [0.1, 0], delta: 0.999 });
    expect(aligned).toMatchObject({ holds: false, smallestDelta: 1 });
  });

  test("a larger κ or L asks for more", () => {
    // −2 and L κ = 2: exp(−(2 / (2 √2))² / 2) = exp(−1/4).
    expect(theoremOne({ ...paper, kappa: 2, delta: 0.5 }).smallestDelta).toBeCloseTo(Math.exp(-0.25), 12);
    expect(theoremOne({ ...paper, lipschitz: 2, delta: 0.5 }).smallestDelta).toBeCloseTo(Math.exp(-0.25), 12);
  });

  test("the parameter of a mixture bounds its moment generating function in every direction", () => {
    const kappa = subGaussianParameter(skewWorld, mixed);
    const { mean } = spuriousMoments(skewWorld, mixed);
    const parts = componentsOf(skewWorld, mixed);
    for (let angle = 0; angle < Math.PI; angle += 0.1) {
      const u = [Math.cos(angle), Math.sin(angle)];
      const along = (x: readonly number[]) => u[0]! * x[0]! + u[1]! * x[1]!;
      for (const t of [-3, -1, -0.1, 0.1, 1, 3]) {
        const generating = parts.reduce((sum, { weight, mean: m, covariance: c }) => {
          const spread = u[0]! ** 2 * c[2]![2]! + 2 * u[0]! * u[1]! * c[2]![3]! + u[1]! ** 2 * c[3]![3]!;
          return sum + weight * Math.exp(t * (along(m.slice(2)) - along(mean)) + (t * t * spread) / 2);
        }, 0);
        expect(generating).toBeLessThanOrEqual(Math.exp((kappa * t) ** 2 / 2) * (1 + 1e-12));
      }
    }
    expect(subGaussianParameter(paperWorld, shifted(scaledIdentity(2, -3)))).toBeCloseTo(3, 12);
  });
});

describe("theorem 2", () => {
  const one = (mean: number, variance: number) => ({ mean: [mean], covariance: [[variance]] });
  const of = (mean: number, variance: number) =>
    theoremTwo({
      weightsGeneral: [1],
      weightsSpurious: [1],
      general: one(1, 1),
      spurious: one(mean, variance),
    });

  test.each([
    ["reversal", -0.5, 1, 0.5 / Math.SQRT2, "reversal"],
    ["a drowned cue, 1.5 / 3 < 1", 0.5, 8, 0.5, "low signal to noise"],
    ["an aligned cue, 1.5 / √2 > 1", 0.5, 1, 1.5 / Math.SQRT2, null],
    ["no cue at all, a tie", 0, 0, 1, null],
  ])("%s", (_, mean, variance, left, reason) => {
    const found = of(mean, variance);
    expect(found.left).toBeCloseTo(left, 12);
    expect(found).toMatchObject({ right: 1, reason, holds: reason !== null });
  });

  test("for Gaussians it says what the accuracies say, for any weights and shift", () => {
    const random = randomStream(6, "test").at(0);
    const draw = (n: number) => Array.from({ length: n }, () => random.normal());
    let held = 0;
    for (let i = 0; i < 500; i++) {
      const [weights, shift] = [draw(4), [draw(2), draw(2)]];
      const domain = shifted(shift);
      const { holds } = theoremTwo({
        weightsGeneral: weights.slice(0, 2),
        weightsSpurious: weights.slice(2),
        general: generalMoments(skewWorld),
        spurious: spuriousMoments(skewWorld, domain),
      });
      const components = componentsOf(skewWorld, domain);
      const alone = exactAccuracy([weights[0]!, weights[1]!, 0, 0], components);
      expect(exactAccuracy(weights, components) < alone).toBe(holds);
      if (holds) held++;
    }
    expect(held).toBeGreaterThan(100);
    expect(held).toBeLessThan(400);
  });

  test("symmetry alone is not enough: a cue that is wild in 2% of rows helps although the condition holds", () => {
    const parts = [
      {
        weight: 0.98,
        mean: [1, 2],
        covariance: [
          [1, 0],
          [0, 0.01],
        ],
      },
      {
        weight: 0.01,
        mean: [1, 102],
        covariance: [
          [1, 0],
          [0, 0.01],
        ],
      },
      {
        weight: 0.01,
        mean: [1, -98],
        covariance: [
          [1, 0],
          [0, 0.01],
        ],
      },
    ];
    const variance = 0.01 + 0.02 * 100 ** 2;
    const found = of(2, variance);
    expect(found.left).toBeCloseTo(3 / Math.sqrt(1 + variance), 12);
    expect(found.holds).toBe(true);
    // 0.98 Φ(3 / √1.01) + 0.01 against Φ(1).
    expect(exactAccuracy([1, 1], parts)).toBeCloseTo(0.98 * normalCdf(3 / Math.sqrt(1.01)) + 0.01, 12);
    expect(exactAccuracy([1, 0], parts)).toBeCloseTo(0.8413, 4);
  });
});

describe("the reflection of A.7", () => {
  const example = (delta: number, slope: number) =>
    reflectionExample({ world: paperWorld, delta, slope, alphas: [0.25, 1, 2] });

  test("with w along (1, 1) it swaps and negates, and α cancels out of equation 36", () => {
    const { reflection, rows } = example(0.5, 2);
    expect(reflection.flat().map((value) => Math.round(1e12 * value) / 1e12 + 0)).toEqual([0, -1, -1, 0]);
    for (const row of rows) {
      expect(row.reversal).toBeCloseTo(-2 * row.alpha, 12);
      expect(row.smallestDelta).toBeCloseTo(1 / Math.E, 12);
      expect(row.reversed).toBe(true);
      expect(row.wellSpecified).toBe(true);
      expect(row.oodProbit).toBeCloseTo((2 - 2 * row.alpha) / Math.sqrt(2 + 2 * row.alpha ** 2), 12);
      expect(row.distance).toBeCloseTo(Math.abs(2 - 2 * row.oodProbit), 12);
    }
  });

  test("the α that A.7 takes for δ = 0.05 does not fulfil it", () => {
    const { paperAlpha } = example(0.05, 2);
    expect(paperAlpha).toBeCloseTo(Math.sqrt(Math.log(20)), 12);
    const { rows } = reflectionExample({ world: paperWorld, delta: 0.05, slope: 2, alphas: [paperAlpha] });
    expect(rows[0]!.reversed).toBe(false);
  });

  test("on the line of slope 2 for α² − 4α + 1 = 0; no α reaches slopes up to √2", () => {
    expect(example(0.5, 2).alphaOnLine).toBeCloseTo(2 - Math.sqrt(3), 12);
    expect(example(0.5, 1.41).alphaOnLine).toBeNull();
    expect(example(0.5, 1.42).alphaOnLine).not.toBeNull();
  });
});

describe("theorem 3", () => {
  const options = {
    world: paperWorld,
    count: 600,
    draw: "normal",
    size: 1,
    slope: 1,
    epsilons: [0, 0.1, 0.58, 0.7, 1, 3, 10],
    delta: 0.5,
    family: "random",
    classifiers: 5,
    samples: 100,
    ridge: 1,
    threshold: 0.3,
    seed: 2,
  };
  const report = wellSpecifiedShare(options);

  test("W₀ is empty and W_ε grows with ε, for one classifier and for all", () => {
    for (const rows of [report.best, report.family]) {
      expect(rows[0]!.onLine.count).toBe(0);
      for (const [i, row] of rows.entries()) {
        if (i > 0) expect(row.wellSpecified.count).toBeGreaterThanOrEqual(rows[i - 1]!.wellSpecified.count);
        expect(row.wellSpecified.count).toBeLessThanOrEqual(row.onLine.count);
        expect(row.byTheoremOne.count).toBeLessThanOrEqual(row.wellSpecified.count);
      }
      expect(rows.at(-1)!.wellSpecified.count).toBe(report.wellSpecified.count);
    }
  });

  test("for slope 1 none is well-specified within 2 − √2 of the line, as ID is 2 and domain-general √2", () => {
    const within = (epsilon: number) => report.best.find((row) => row.epsilon === epsilon)!;
    expect(2 - Math.SQRT2).toBeGreaterThan(0.58);
    expect(within(0.58).onLine.count).toBeGreaterThan(50);
    expect(within(0.58).wellSpecified.count).toBe(0);
    expect(within(0.7).wellSpecified.count).toBeGreaterThan(0);
  });

  test("for slope ½ all within 0.4 of the line are well-specified, as 2·½ + 0.4 < √2", () => {
    const { best } = wellSpecifiedShare({ ...options, slope: 0.5, epsilons: [0.4] });
    expect(best[0]!.onLine.count).toBeGreaterThan(50);
    expect(best[0]!.amongOnLine.share).toBe(1);
  });

  test("theorem 1's condition holds for no shift below δ = 1/e", () => {
    expect(report.leastDelta).toBeCloseTo(1 / Math.E, 12);
    expect(report.byTheoremOne.count).toBeGreaterThan(0);
    expect(wellSpecifiedShare({ ...options, delta: 0.36 }).byTheoremOne.count).toBe(0);
  });

  test("label noise is refused, as the best classifier has no closed form then", () => {
    expect(() => bestWeights({ ...paperWorld, labelNoise: 0.1 })).toThrow(/label noise/);
  });
});
