/**
 * How often tests err where nothing is to be found, by simulation with fixed seeds. Bounds are four standard errors of
 * the simulated share: a test that errs as often as it says passes with all but one seed in ten thousand.
 */

import { describe, expect, test } from "vitest";
import { type Random, randomStream } from "../random.ts";
import {
  associationOf,
  benjaminiHochberg,
  bootstrapInterval,
  effectOutcome,
  effectOutcomes,
  equivalenceTest,
  holm,
  mean,
  meanOverSeeds,
  permutationTest,
  signFlipTest,
  studentTest,
} from "./index.ts";

const stream = randomStream(18, "statistics/false-positives");

function share(
  times: number,
  errs: (random: Random) => boolean,
): { found: number; slack: (p: number) => number } {
  let count = 0;
  for (let i = 0; i < times; i++) if (errs(stream.at(i))) count++;
  return { found: count / times, slack: (p) => 4 * Math.sqrt((p * (1 - p)) / times) };
}

function expectShare(times: number, p: number, errs: (random: Random) => boolean): void {
  const { found, slack } = share(times, errs);
  expect(Math.abs(found - p), `${found} for ${p}`).toBeLessThan(slack(p));
}

function expectAtMost(times: number, p: number, errs: (random: Random) => boolean): void {
  const { found, slack } = share(times, errs);
  expect(found, `${found} for at most ${p}`).toBeLessThan(p + slack(p));
}

const normals = (n: number, random: Random) => Array.from({ length: n }, () => random.normal());

describe("seeds under no effect", () => {
  test.each([2, 3, 5, 6])("%i seeds: Student's interval leaves the truth out in 5 of 100 cases", (n) => {
    expectShare(6000, 0.05, (random) => {
      const { low, high } = meanOverSeeds(normals(n, random));
      return low! > 0 || high! < 0;
    });
  });

  // Why tables no longer use it. By hand for three: the smallest of 27 equally likely resamples is beyond no 2.5%, so the
  // interval is from the least to the most, and leaves 0 out where all three have one sign, in 2/8 of cases.
  test.each([
    [3, 0.26],
    [5, 0.17],
    [6, 0.14],
  ])("%i seeds: a percentile bootstrap over them leaves it out in %f", (n, expected) => {
    const { found } = share(1000, (random) => {
      const { low, high } = bootstrapInterval(normals(n, random), mean, {
        random,
        resamples: 200,
        method: "percentile",
      });
      return low > 0 || high < 0;
    });
    // A share of 1,000 has a standard error of at most 1.4 points, and 200 resamples add their own.
    expect(Math.abs(found - expected), String(found)).toBeLessThan(0.055);
  });

  test("equivalence at the margin itself is claimed in at most 5%", () => {
    expectAtMost(6000, 0.05, (random) => {
      const values = normals(3, random).map((value) => 0.03 + 0.01 * value);
      return equivalenceTest(values, { margin: 0.03 }).equivalent;
    });
  });

  test("no outcome is claimed of seeds without effect but equivalence, in at most 5%", () => {
    expectAtMost(4000, 0.05, (random) => {
      const { outcome } = effectOutcome({ values: normals(4, random), expected: "above" }, { margin: 0.1 });
      return outcome === "seen" || outcome === "contradicted";
    });
  });

  test("an effect of the smallest size that could be seen is seen in 80%", () => {
    // 3.264 deviations with three seeds; the reference has it from SciPy.
    expectShare(6000, 0.8, (random) => {
      const values = normals(3, random).map((value) => value + 3.26404355);
      return studentTest(values).pValue! < 0.05;
    });
  });
});

describe("families", () => {
  const claims = (random: Random, effects: readonly number[]) =>
    effects.map((effect) => normals(3, random).map((value) => value + effect));
  const pValues = (samples: readonly number[][]) => samples.map((values) => studentTest(values).pValue!);

  test("Holm: any false rejection among eight in at most 5%, unadjusted in a third", () => {
    const none = Array<number>(8).fill(0);
    expectShare(2000, 1 - 0.95 ** 8, (random) => pValues(claims(random, none)).some((p) => p < 0.05));
    expectAtMost(2000, 0.05, (random) => holm(pValues(claims(random, none))).some((p) => p < 0.05));
    // Where half of them have an effect, the other half is still safe.
    const half = [20, 20, 20, 20, 0, 0, 0, 0];
    expectAtMost(2000, 0.05, (random) =>
      holm(pValues(claims(random, half)))
        .slice(4)
        .some((p) => p < 0.05),
    );
    expectAtMost(1000, 0.05, (random) =>
      effectOutcomes(
        claims(random, none).map((values) => ({ values, expected: "above" as const })),
        { margin: 0.01 },
      ).some(({ outcome }) => outcome !== "cannot be told"),
    );
  });

  test("Benjamini–Hochberg: false ones are 5% of discoveries times the share of true nulls", () => {
    const effects = [...Array<number>(15).fill(0), ...Array<number>(5).fill(8)];
    const times = 2000;
    let total = 0;
    for (let i = 0; i < times; i++) {
      const found = benjaminiHochberg(pValues(claims(stream.at(i), effects))).map((p) => (p < 0.05 ? 1 : 0));
      const [wrong, all] = [found.subarray(0, 15), found].map((each) => each.reduce((a, b) => a + b, 0));
      total += all === 0 ? 0 : wrong! / all!;
    }
    // 0.05 · 15/20 = 0.0375 for independent tests; a share of false ones deviates by less than 0.2 from that.
    expect(Math.abs(total / times - 0.0375)).toBeLessThan((4 * 0.2) / Math.sqrt(times));
  });
});

describe("maximum statistic", () => {
  const columns = 6;

  test("signs of eight pairs in six dependent columns: any false discovery in at most 5%", () => {
    expectAtMost(1000, 0.05, (random) => {
      const rows = Array.from({ length: 8 }, () => {
        const shared = random.normal();
        return normals(columns, random).map((value) => value + shared);
      });
      return signFlipTest(rows, { random }).adjusted.some((p) => p <= 0.05);
    });
  });

  test("shuffled labels in clusters: at most 5% where clusters are known, far more where not", () => {
    const made = (random: Random) => {
      const clusters = Array.from({ length: 48 }, (_, i) => Math.floor(i / 4));
      const labels = clusters.map((cluster) => cluster % 2);
      const values = Array.from({ length: columns }, () => {
        const shared = normals(12, random);
        return clusters.map((cluster) => shared[cluster]! + 0.3 * random.normal());
      });
      const differences = (shuffled: Float64Array) =>
        values.map((column) => {
          let [one, other] = [0, 0];
          for (const [i, value] of column.entries()) {
            if (shuffled[i] === 1) one += value;
            else other += value;
          }
          return Math.abs(one - other);
        });
      return { clusters, labels, differences };
    };
    const errs = (known: boolean) => (random: Random) => {
      const { clusters, labels, differences } = made(random);
      const options = { random, permutations: 99, ...(known && { clusters }) };
      return permutationTest(labels, differences, options).adjusted.some((p) => p <= 0.05);
    };
    expectAtMost(400, 0.05, errs(true));
    expect(share(60, errs(false)).found).toBeGreaterThan(0.5);
  });
});

describe("association", () => {
  const drawn = (random: Random, strength: number) => {
    const labels = Array.from({ length: 150 }, () => random.integer(3));
    const values = labels.map((label) => (random.boolean(strength) ? label : random.integer(3)));
    return { labels, values };
  };

  test("independent categories: the test errs in at most 5%", () => {
    expectAtMost(300, 0.05, (random) => {
      const { labels, values } = drawn(random, 0);
      return associationOf(labels, values, { random, permutations: 19 }).pValue <= 0.05;
    });
  });

  test.each([0, 0.3, 0.6])(
    "where a share of %f goes along, V is that, and the interval holds it in 95 of 100 cases",
    (strength) => {
      // Of a 3 × 3 table in which a share s goes along and the rest is even, V is s.
      const { found, slack } = share(300, (random) => {
        const { labels, values } = drawn(random, strength);
        const { interval } = associationOf(labels, values, { random, permutations: 1 });
        return interval!.low > strength || interval!.high < strength;
      });
      // The χ² is an approximation: at 0 the upper end never errs, elsewhere a point or two are its.
      expect(found, String(found)).toBeLessThan(0.05 + slack(0.05) + 0.02);
    },
  );

  test("rows in clusters: the test errs in at most 5%, and the interval holds 0 in 95 of 100 cases", () => {
    const errs = (what: (found: ReturnType<typeof associationOf>) => boolean) => (random: Random) => {
      const clusters = Array.from({ length: 120 }, (_, i) => Math.floor(i / 6));
      const [one, other] = [0, 1].map(() => clusters.map(() => random.integer(2)));
      const labels = clusters.map((cluster) => one![cluster]!);
      // Three of four images of a burst have its value.
      const values = clusters.map((cluster) => (random.boolean(0.75) ? other![cluster]! : random.integer(2)));
      if (new Set(labels).size < 2 || new Set(values).size < 2) return false;
      return what(associationOf(labels, values, { random, permutations: 39, clusters }));
    };
    expectAtMost(
      300,
      0.05,
      errs(({ pValue }) => pValue <= 0.05),
    );
    // Lower ends above 0 are false ones, at most 2.5% of them.
    expectAtMost(
      300,
      0.025,
      errs(({ interval }) => interval!.low > 0),
    );
  });
});
