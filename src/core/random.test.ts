/** Known answers, distributions, independence, restoring and errors of the random streams. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { expectError } from "../../test/helpers/errors.ts";
import {
  philox,
  Random,
  type RandomState,
  randomStream,
  type Shuffleable,
  weightedChooser,
} from "./random.ts";
import { mean, normalCdf, pearson, variance } from "./statistics/index.ts";

const seed = 20_240_501;
const draws = 100_000;

function sample(purpose: string, draw: (random: Random) => number, n = draws): Float64Array {
  const random = randomStream(seed, purpose).at(0);
  return Float64Array.from({ length: n }, () => draw(random));
}

/**
 * Kolmogorov and Smirnov's distance between sample and distribution, times √n. Its 0.1 % critical value is 1.949
 * for large n, √(-log(0.001 / 2) / 2); seeds are fixed, so a test that passes passes always.
 */
function kolmogorovSmirnov(values: Float64Array, cdf: (x: number) => number): number {
  let distance = 0;
  values.toSorted().forEach((value, i) => {
    const p = cdf(value);
    distance = Math.max(distance, p - i / values.length, (i + 1) / values.length - p);
  });
  return distance * Math.sqrt(values.length);
}
const ksCritical = 1.949;

function chiSquare(counts: ArrayLike<number>, expected: (cell: number) => number): number {
  let sum = 0;
  for (let i = 0; i < counts.length; i++) sum += (counts[i]! - expected(i)) ** 2 / expected(i);
  return sum;
}
/** The 0.1 % critical values of χ² by degrees of freedom, from SciPy's chi2.ppf(0.999, df). */
const chiSquareCritical = { 2: 13.816, 3: 16.266, 9: 27.877, 81: 126.083, 119: 172.418, 255: 330.52 };

/** χ² of two columns of uniform numbers being independent, in 16 × 16 equal cells: 255 degrees of freedom. */
function jointChiSquare(first: (i: number) => number, second: (i: number) => number): number {
  const cells = new Uint32Array(256);
  for (let i = 0; i < draws; i++) cells[16 * Math.floor(16 * first(i)) + Math.floor(16 * second(i))]! += 1;
  return chiSquare(cells, () => draws / 256);
}

describe("philox", () => {
  // The known answers of Random123's kat_vectors for philox4x32 with 10 rounds.
  test.each([
    ["zeros", [0, 0, 0, 0, 0, 0], [0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8]],
    ["ones", Array.from({ length: 6 }, () => 0xffffffff), [0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd]],
    [
      "digits of π",
      [0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0],
      [0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1],
    ],
  ])("%s", (_, input, expected) => {
    const words = new Uint32Array(4);
    philox(...(input as [number, number, number, number, number, number]), words);
    expect([...words]).toEqual(expected);
  });
});

describe("streams", () => {
  // From an independent implementation in Python; a change here changes every result ever made.
  test("words of two streams stay what they were", () => {
    const words = (random: Random) => Array.from({ length: 6 }, () => random.uint32());
    expect(words(randomStream(0, "golden").at(0))).toEqual([
      0x0af3a50e, 0x0001b0f9, 0xa792d5e5, 0xde540856, 0xcfb88887, 0x92f124fa,
    ]);
    expect(words(randomStream(7, "größe").at(Number.MAX_SAFE_INTEGER))).toEqual([
      0x18c1295a, 0x2c3e8a6e, 0xb8bed5d0, 0x2f0a90c3, 0x4e753b01, 0xb944aab4,
    ]);
    const random = randomStream(0, "golden").at(0);
    const uniforms = [random.uniform(), random.uniform(), random.uniform()];
    expect(uniforms).toEqual([0.04278022050876762, 0.6545842876171301, 0.8114095074980859]);
  });

  test("an index gives the same numbers in whatever order and company it is asked for", () => {
    const index = fc.oneof(fc.nat(20), fc.maxSafeNat());
    fc.assert(
      fc.property(
        fc.maxSafeNat(),
        fc.string(),
        fc.array(index, { minLength: 1 }),
        (anySeed, purpose, indices) => {
          const stream = randomStream(anySeed, purpose);
          const alone = indices.map((i) => {
            const random = randomStream(anySeed, purpose).at(i);
            return [random.uniform(), random.uniform(), random.uniform()];
          });
          const together = indices.toReversed().map((i) => stream.at(i));
          const interleaved = [0, 1, 2].map(() => together.map((random) => random.uniform()).toReversed());
          for (const k of indices.keys()) expect(interleaved.map((row) => row[k])).toEqual(alone[k]);
        },
      ),
    );
  });

  test("seed, purpose and index all matter, also beyond 32 bits", () => {
    const streams = [
      randomStream(1, "a").at(0),
      randomStream(1, "b").at(0),
      randomStream(2, "a").at(0),
      randomStream(1 + 2 ** 32, "a").at(0),
      randomStream(1, "a").at(1),
      randomStream(1, "a").at(2 ** 32),
      randomStream(1, "a").at(2 ** 33),
    ];
    expect(new Set(streams.map((random) => random.uniform())).size).toBe(streams.length);
  });

  test("neighbouring indices, seeds and purposes are independent", () => {
    const stream = randomStream(seed, "a");
    const first = (i: number) => stream.at(i).uniform();
    const critical = chiSquareCritical[255];
    expect(jointChiSquare(first, (i) => stream.at(i + 1).uniform())).toBeLessThan(critical);
    expect(jointChiSquare(first, (i) => stream.at(i + 2 ** 32).uniform())).toBeLessThan(critical);
    const otherPurpose = randomStream(seed, "b");
    expect(jointChiSquare(first, (i) => otherPurpose.at(i).uniform())).toBeLessThan(critical);
    const otherSeed = randomStream(seed + 1, "a");
    expect(jointChiSquare(first, (i) => otherSeed.at(i).uniform())).toBeLessThan(critical);
  });

  test("the first numbers of all indices are uniform", () => {
    const stream = randomStream(seed, "first");
    const firsts = Float64Array.from({ length: draws }, (_, i) => stream.at(i).uniform());
    expect(kolmogorovSmirnov(firsts, (x) => x)).toBeLessThan(ksCritical);
  });
});

describe("distributions", () => {
  const uniform = (random: Random) => random.uniform();

  test("uniform", () => {
    expect(kolmogorovSmirnov(sample("uniform", uniform), (x) => x)).toBeLessThan(ksCritical);
  });

  test("uniform has 53 bits, and neither end is out of reach", () => {
    const values = sample("bits", uniform, 1000);
    expect(values.some((value) => (value * 2 ** 53) % 2 === 1)).toBe(true);
    expect(values.every((value) => Number.isInteger(value * 2 ** 53))).toBe(true);
  });

  test("one number and the next are independent", () => {
    const random = randomStream(seed, "serial").at(0);
    const next = () => random.uniform();
    expect(jointChiSquare(next, next)).toBeLessThan(chiSquareCritical[255]);
  });

  test("normal", () => {
    const values = sample("normal", (random) => random.normal());
    expect(kolmogorovSmirnov(values, normalCdf)).toBeLessThan(ksCritical);
    // The two of a pair share their radius: neither they nor their squares may be correlated. 0.1 %: 3.29 / √n.
    const even = values.filter((_, i) => i % 2 === 0);
    const odd = values.filter((_, i) => i % 2 === 1);
    const squares = (half: Float64Array) => half.map((value) => value * value);
    expect(Math.abs(pearson(even, odd).r)).toBeLessThan(3.29 / Math.sqrt(draws / 2));
    expect(Math.abs(pearson(squares(even), squares(odd)).r)).toBeLessThan(3.29 / Math.sqrt(draws / 2));
  });

  test("gamma", () => {
    const of = (shape: number) => sample(`gamma ${shape}`, (random) => random.gamma(shape));
    expect(kolmogorovSmirnov(of(0.2), (x) => gammaCdf(0.2, 0.9181687423997608, x))).toBeLessThan(ksCritical);
    expect(kolmogorovSmirnov(of(0.5), (x) => 2 * normalCdf(Math.sqrt(2 * x)) - 1)).toBeLessThan(ksCritical);
    expect(kolmogorovSmirnov(of(1), (x) => 1 - Math.exp(-x))).toBeLessThan(ksCritical);
    const erlang = (x: number) => 1 - Math.exp(-x) * (1 + x + (x * x) / 2);
    expect(kolmogorovSmirnov(of(3), erlang)).toBeLessThan(ksCritical);
    // Mean and variance are the shape; 3.29 standard errors are 0.1 %, the variance's being shape √(2/n) for large shapes.
    const large = of(1000);
    expect(Math.abs(mean(large) - 1000)).toBeLessThan(3.29 * Math.sqrt(1000 / draws));
    expect(Math.abs(variance(large) - 1000)).toBeLessThan(3.29 * 1000 * Math.sqrt(2 / draws));
  });

  test("beta", () => {
    const of = (a: number, b: number) => sample(`beta ${a} ${b}`, (random) => random.beta(a, b));
    expect(kolmogorovSmirnov(of(0.2, 0.2), betaOfFifthsCdf)).toBeLessThan(ksCritical);
    expect(kolmogorovSmirnov(of(1, 1), (x) => x)).toBeLessThan(ksCritical);
    const twoFive = (x: number) => 1 - (1 - x) ** 6 - 6 * x * (1 - x) ** 5;
    expect(kolmogorovSmirnov(of(2, 5), twoFive)).toBeLessThan(ksCritical);
    expect(kolmogorovSmirnov(of(5, 2), (x) => 1 - twoFive(1 - x))).toBeLessThan(ksCritical);
  });

  test("beta of almost nothing is 0 or 1, half of the time each, and never NaN", () => {
    for (const shape of [1e-300, 1e-5]) {
      const values = sample(`beta ${shape}`, (random) => random.beta(shape, shape), 10_000);
      expect(values.every((value) => value >= 0 && value <= 1)).toBe(true);
      // 3.29 standard errors: 0.1 %.
      expect(Math.abs(mean(values) - 0.5)).toBeLessThan(3.29 * Math.sqrt(0.25 / 10_000));
    }
    expect(randomStream(seed, "beta").at(0).beta(1e300, 1e300)).toBeCloseTo(0.5, 15);
  });

  test("integer", () => {
    const counts = new Uint32Array(10);
    for (const value of sample("ten", (random) => random.integer(10))) counts[value]! += 1;
    expect(chiSquare(counts, () => draws / 10)).toBeLessThan(chiSquareCritical[9]);
    // Of 3 · 2^30 numbers, a remainder would hit the lowest third twice as often, a bare multiplication every third one.
    const thirds = new Uint32Array(3);
    const remainders = new Uint32Array(3);
    for (const value of sample("thirds", (random) => random.integer(3 * 2 ** 30))) {
      thirds[Math.floor(value / 2 ** 30)]! += 1;
      remainders[value % 3]! += 1;
    }
    expect(chiSquare(thirds, () => draws / 3)).toBeLessThan(chiSquareCritical[2]);
    expect(chiSquare(remainders, () => draws / 3)).toBeLessThan(chiSquareCritical[2]);
  });

  test("integer stays in its range, and 1 leaves no choice", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 32 }), fc.nat(), (n, index) => {
        const value = randomStream(seed, "range").at(index).integer(n);
        expect(Number.isInteger(value) && value >= 0 && value < n).toBe(true);
      }),
    );
    expect(randomStream(seed, "one").at(0).integer(1)).toBe(0);
    const random = randomStream(seed, "all");
    expect(random.at(0).integer(2 ** 32)).toBe(random.at(0).uint32());
  });

  test("boolean", () => {
    const random = randomStream(seed, "boolean").at(0);
    const hits = Array.from({ length: draws }, () => random.boolean(0.3)).filter(Boolean).length;
    // 3.29 standard errors: 0.1 %.
    expect(Math.abs(hits - 0.3 * draws)).toBeLessThan(3.29 * Math.sqrt(draws * 0.3 * 0.7));
    expect(random.boolean(0)).toBe(false);
    expect(random.boolean(1)).toBe(true);
  });

  test("shuffle puts every item everywhere equally often, and makes every order", () => {
    const stream = randomStream(seed, "shuffle");
    const places = new Uint32Array(100);
    const orders = new Map<string, number>();
    for (let i = 0; i < draws; i++) {
      stream
        .at(i)
        .permutation(10)
        .forEach((item, place) => {
          places[10 * item + place]! += 1;
        });
      const order = stream.at(i).shuffle(["a", "b", "c", "d", "e"]).join("");
      orders.set(order, (orders.get(order) ?? 0) + 1);
    }
    // All rows and columns of the table have the same sum: 9/10 of its χ² has 9² degrees of freedom.
    expect(0.9 * chiSquare(places, () => draws / 10)).toBeLessThan(chiSquareCritical[81]);
    expect(orders.size).toBe(120);
    expect(chiSquare([...orders.values()], () => draws / 120)).toBeLessThan(chiSquareCritical[119]);
  });

  test("shuffle keeps the items, in arrays and typed arrays alike", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -128, max: 127 })), fc.nat(), (items, index) => {
        const shuffled = (array: Shuffleable) =>
          Array.from(randomStream(seed, "kinds").at(index).shuffle(array));
        const asArray = shuffled([...items]);
        expect(shuffled(Int8Array.from(items))).toEqual(asArray);
        expect(shuffled(Float64Array.from(items))).toEqual(asArray);
        expect(Int8Array.from(asArray as number[]).sort()).toEqual(Int8Array.from(items).sort());
      }),
    );
    const array = [1, 2, 3];
    expect(randomStream(seed, "same").at(0).shuffle(array)).toBe(array);
    expect(randomStream(seed, "none").at(0).permutation(0)).toHaveLength(0);
  });
});

describe("weightedChooser", () => {
  test("chooses by weight, and never a weight of 0", () => {
    const weights = [0, 1, 0, 2, 3, 0, 4, 0];
    const choose = weightedChooser(weights);
    const counts = new Uint32Array(weights.length);
    for (const choice of sample("weights", choose)) counts[choice]! += 1;
    expect(counts.filter((_, i) => weights[i] === 0)).toEqual(new Uint32Array(4));
    const positive = counts.filter((_, i) => weights[i] !== 0);
    expect(chiSquare(positive, (i) => (draws * (i + 1)) / 10)).toBeLessThan(chiSquareCritical[3]);
  });

  test("any weights: the choice exists and has weight", () => {
    const weight = fc.oneof(fc.constant(0), fc.double({ noNaN: true, min: 0, max: 1e300 }));
    fc.assert(
      fc.property(fc.array(weight, { minLength: 1 }), fc.nat(), (weights, index) => {
        fc.pre(weights.some((value) => value > 0));
        const choice = weightedChooser(Float64Array.from(weights))(randomStream(seed, "any").at(index));
        expect(weights[choice]).toBeGreaterThan(0);
      }),
    );
  });

  test("the smallest of weights", () => {
    const choose = weightedChooser([0, Number.MIN_VALUE, 0]);
    expect(new Set(sample("smallest", choose, 100))).toEqual(new Set([1]));
  });

  test("errors name the index and the value", () => {
    expectError(() => weightedChooser([1, -2]), "input", "weight 1 is -2", "-2 at index 1");
    expectError(() => weightedChooser([1, 2, Number.NaN]), "input", "weight 2 is NaN");
    expectError(() => weightedChooser([Infinity]), "input", "weight 0 is Infinity");
    expectError(() => weightedChooser([0, 0]), "input", "2 weights, all 0");
    expectError(() => weightedChooser([]), "input", "no weights");
    expectError(() => weightedChooser([1e308, 1e308]), "input", "too large");
  });
});

describe("state", () => {
  const actions = {
    uint32: (random: Random) => random.uint32(),
    uniform: (random: Random) => random.uniform(),
    integer: (random: Random) => random.integer(1000),
    boolean: (random: Random) => random.boolean(0.5),
    normal: (random: Random) => random.normal(),
    gamma: (random: Random) => random.gamma(0.5),
    beta: (random: Random) => random.beta(0.2, 0.2),
    permutation: (random: Random) => [...random.permutation(5)],
  };
  const steps = fc.array(fc.constantFrom(...Object.values(actions)), { maxLength: 30 });

  test("a restored state goes on bit for bit, through JSON", () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), steps, steps, (index, before, after) => {
        const original = randomStream(seed, "state").at(index);
        for (const step of before) step(original);
        const restored = Random.restore(JSON.parse(JSON.stringify(original.state())) as RandomState);
        expect(restored.state()).toEqual(original.state());
        for (const step of after) expect(step(restored)).toEqual(step(original));
        expect(restored.state()).toEqual(original.state());
      }),
    );
  });

  test("a state far along the stream, beyond 2^32 blocks", () => {
    const start = randomStream(seed, "far").at(5).state();
    const drawn = 4 * (2 ** 32 + 7);
    const words = new Uint32Array(4);
    philox(7, 1, 5, 0, start.key[0], start.key[1], words);
    const random = Random.restore({ ...start, drawn: drawn + 2 });
    expect([random.uint32(), random.uint32()]).toEqual([words[2], words[3]]);
    expect(random.state().drawn).toBe(drawn + 4);
  });

  test("taking the state changes nothing", () => {
    const random = randomStream(seed, "pure").at(0);
    random.normal();
    expect(random.state()).toEqual(random.state());
    expect(random.state().spareNormal).not.toBeNull();
  });

  test("what is no state", () => {
    const good = randomStream(seed, "bad").at(0).state();
    const bad: unknown[] = [
      undefined,
      {},
      { ...good, key: [1] },
      { ...good, key: [1, 2 ** 32] },
      { ...good, index: -1 },
      { ...good, drawn: 0.5 },
      { ...good, spareNormal: "1" },
      { ...good, spareNormal: undefined },
    ];
    for (const state of bad)
      expectError(() => Random.restore(state as RandomState), "input", "no saved state");
  });
});

describe("errors", () => {
  const random = randomStream(seed, "errors").at(0);
  test.each([-1, 0.5, Number.NaN, Infinity, 2 ** 53])("%f is no seed and no index", (bad) => {
    expectError(() => randomStream(bad, "x"), "usage", "seed", `got: ${bad}`);
    expectError(() => randomStream(1, "x").at(bad), "usage", "index", `got: ${bad}`);
  });
  test("arguments out of range", () => {
    for (const n of [0, -1, 1.5, 2 ** 32 + 1, Number.NaN]) {
      expectError(() => random.integer(n), "usage", "from 1 to 2^32", `got: ${n}`);
    }
    for (const n of [-1, 1.5, Number.NaN]) expectError(() => random.permutation(n), "usage", `got: ${n}`);
    for (const p of [-0.1, 1.1, Number.NaN])
      expectError(() => random.boolean(p), "usage", "0 to 1", `got: ${p}`);
    for (const shape of [0, -1, Number.NaN, Infinity]) {
      expectError(() => random.gamma(shape), "usage", "shape", `got: ${shape}`);
      expectError(() => random.beta(1, shape), "usage", "shape", `got: ${shape}`);
    }
  });
});

/** The lower incomplete gamma function by its power series, over Γ(a + 1) given. */
function gammaCdf(a: number, gammaOfNext: number, x: number): number {
  let term = 1;
  let sum = 1;
  for (let n = 1; term > 1e-17 * sum; n++) {
    term *= x / (a + n);
    sum += term;
  }
  return (x ** a * Math.exp(-x) * sum) / gammaOfNext;
}

/** The Beta(0.2, 0.2) distribution by its power series up to one half, mirrored above; Γ values from SciPy. */
function betaOfFifthsCdf(x: number): number {
  if (x > 0.5) return 1 - betaOfFifthsCdf(1 - x);
  const beta = 4.5908437119988035 ** 2 / 2.218159543757688;
  let term = 1;
  let sum = 1 / 0.2;
  for (let n = 1; n < 60; n++) {
    term *= (x * (n - 0.2)) / n;
    sum += term / (0.2 + n);
  }
  return (x ** 0.2 * sum) / beta;
}
