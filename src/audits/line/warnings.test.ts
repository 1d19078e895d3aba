/** Each warning on points made to deserve it, and none on points that do not. */

import { expect, test } from "vitest";
import { paperScale, toScale } from "../../core/accuracy-scale.ts";
import { randomStream } from "../../core/random.ts";
import { fitScaled } from "./fit.ts";
import { repeatedPoints } from "./repeated-points.ts";
import { segmentedFit } from "./segments.ts";
import { twoHumps } from "./two-humps.ts";
import { type LineWarning, warningsOf } from "./warnings.ts";

type Draw = (normal: () => number, uniform: () => number) => readonly [x: number, y: number];

function points(n: number, seed: number, draw: Draw) {
  const random = randomStream(seed, "line/test").at(0);
  const [x, y] = [new Float64Array(n), new Float64Array(n)];
  for (let i = 0; i < n; i++)
    [x[i]!, y[i]!] = draw(
      () => random.normal(),
      () => random.uniform(),
    ) as [number, number];
  return { x: x.map(clipped), y: y.map(clipped) };
}

/** As accuracies would have met the limits of the scale. */
function clipped(value: number): number {
  const [low, high] = paperScale.clip.map((share) => toScale(share, paperScale)) as [number, number];
  return Math.max(low, Math.min(high, value));
}

function warn(
  { x, y }: { x: Float64Array; y: Float64Array },
  classes?: number,
  codes?: Uint32Array,
): LineWarning[] {
  const groups = codes && { name: "arch", codes };
  return warningsOf({ x, y, groups }, fitScaled(x, y), paperScale, {}, classes);
}

const kinds = (warnings: readonly LineWarning[]) => warnings.map(({ kind }) => kind);

/** Up to 90% a rising line, beyond it a falling one, as in Camelyon. */
const camelyon: Draw = (normal, uniform) => {
  const x = -0.3 + 2.3 * uniform();
  const at = 1.2816;
  return [x, 0.2 + (x < at ? 0.8 * x : 0.8 * at - 1.5 * (x - at)) + 0.15 * normal()];
};

test("a break is found where it is, with both slopes", () => {
  const made = points(2000, 1, camelyon);
  const found = segmentedFit(made.x, made.y)!;
  expect(found.breakAt).toBeGreaterThan(1.2);
  expect(found.breakAt).toBeLessThan(1.36);
  expect(Math.abs(found.slopeBelow - 0.8)).toBeLessThan(0.05);
  expect(Math.abs(found.slopeAbove + 1.5)).toBeLessThan(0.15);
  const [warning] = warn(made);
  expect(warning).toMatchObject({
    kind: "regimes",
    evidence: { verdictBelow: "misspecified", verdictAbove: "well-specified" },
  });
  expect(warning!.evidence.breakAt).toBeCloseTo(0.9, 1);
  expect(warning!.evidence.deltaBic).toBeGreaterThan(100);
});

test("the break's numbers are those of a least-squares fit with a hinge at that place", () => {
  const { x, y } = points(200, 2, camelyon);
  const found = segmentedFit(x, y)!;
  // Normal equations of [1, x, max(0, x - break)], solved by elimination.
  const rows = Array.from(x, (value, i) => [1, value, Math.max(0, value - found.breakAt), y[i]!]);
  const matrix = [0, 1, 2].map((a) =>
    [0, 1, 2, 3].map((b) => rows.reduce((sum, row) => sum + row[a]! * row[b]!, 0)),
  );
  for (let pivot = 0; pivot < 3; pivot++) {
    for (let row = 0; row < 3; row++) {
      if (row === pivot) continue;
      const factor = matrix[row]![pivot]! / matrix[pivot]![pivot]!;
      matrix[row] = matrix[row]!.map((value, i) => value - factor * matrix[pivot]![i]!);
    }
  }
  const [a, b, c] = matrix.map((row, i) => row[3]! / row[i]!) as [number, number, number];
  const squares = rows.reduce((sum, [, v, h, w]) => sum + (w! - a - b * v! - c * h!) ** 2, 0);
  const { slope, intercept } = fitScaled(x, y);
  const single = rows.reduce((sum, [, v, , w]) => sum + (w! - intercept! - slope! * v!) ** 2, 0);
  expect(found.slopeBelow).toBeCloseTo(b, 9);
  expect(found.heightAtBreak).toBeCloseTo(a + b * found.breakAt, 9);
  expect(found.slopeAbove).toBeCloseTo(b + c, 9);
  expect(found.deltaBic).toBeCloseTo(200 * Math.log(single / squares) - 2 * Math.log(200), 7);
  expect(found.f).toBeCloseTo((single - squares) / 2 / (squares / 196), 7);
});

test("two parallel lines", () => {
  const made = points(600, 3, (normal, uniform) => {
    const x = 2 * uniform() - 0.5;
    return [x, 0.7 * x + (uniform() < 0.4 ? 0.5 : -0.5) + 0.12 * normal()];
  });
  const found = warn(made);
  expect(kinds(found)).toEqual(["two-lines"]);
  expect(found[0]!.evidence.distance).toBeCloseTo(1, 1);
  expect(found[0]!.evidence.shareUpper).toBeCloseTo(0.4, 1);
});

test("two clouds whose R is between them, not within", () => {
  const made = points(600, 4, (normal, uniform) => {
    const centre = uniform() < 0.5 ? 0 : 1.5;
    return [centre + 0.2 * normal(), centre + 0.2 * normal()];
  });
  expect(fitScaled(made.x, made.y).r).toBeGreaterThan(0.9);
  const found = warn(made).find(({ kind }) => kind === "clusters")!;
  expect(Math.abs(found.evidence.rWithin as number)).toBeLessThan(0.15);
});

test("groups that lie apart", () => {
  const codes = Uint32Array.from({ length: 300 }, (_, i) => i % 3);
  let i = 0;
  const made = points(300, 5, (normal) => {
    const group = codes[i++]!;
    const x = 0.6 * group + 0.3 * normal();
    // Rising from group to group, falling within each.
    return [x, 1.6 * group - 0.9 * x + 0.1 * normal()];
  });
  const found = warn(made, undefined, codes).find(({ kind }) => kind === "groups")!;
  expect(found.evidence.rWithin).toBeLessThan(-0.8);
  expect(fitScaled(made.x, made.y).r!).toBeGreaterThan(0);
});

test("floor and ceiling", () => {
  const made = points(200, 6, (normal, uniform) => {
    const x = 3.2 * uniform() - 0.3;
    return [x, x - 2.6 + 0.1 * normal()];
  });
  const found = warn(made);
  expect(kinds(found)).toEqual(expect.arrayContaining(["floor", "ceiling"]));
  const { idShare } = found.find(({ kind }) => kind === "ceiling")!.evidence;
  // Of ID values between -0.3 and 2.9 those above 2.33 are clipped: 0.57 of 3.2.
  expect(Math.abs((idShare as number) - 0.18)).toBeLessThan(0.07);
});

test("no transfer, at chance or beside it", () => {
  const made = points(300, 7, (normal, uniform) => [2.5 * uniform() - 0.5, 0.02 * normal()]);
  const [found] = warn(made, 2);
  expect(found).toMatchObject({ kind: "no-transfer", evidence: { chance: 0.5 } });
  expect(found!.message).toContain("about chance (50.0%)");
  expect(warn(made, 10)[0]!.message).toContain("while chance is 10.0%");
  expect(warn(made)[0]!.message).toContain("--classes");
});

test("points that were counted thrice", () => {
  const made = points(100, 8, (normal) => {
    const x = 0.5 * normal();
    return [x, x + 0.3 * normal()];
  });
  const thrice = (column: Float64Array) => Float64Array.from([...column, ...column, ...column]);
  expect(repeatedPoints(made.x, made.y)).toBe(0);
  expect(repeatedPoints(thrice(made.x), thrice(made.y))).toBe(200);
  expect(repeatedPoints(Float64Array.of(0, -0, 0), Float64Array.of(1, 1, 2))).toBe(1);
  const [x, y] = [thrice(made.x), thrice(made.y)];
  const alone = warn({ x, y });
  expect(kinds(alone)).toEqual(["repeated-points"]);
  expect(alone[0]!.message).toContain("the interval and the p-value are too good");
  // Clusters have no p-value, and what is twice in one of them harms nothing.
  const clusters = Uint32Array.from(x, (_, i) => i % 10);
  const ofClusters = warningsOf({ x, y }, fitScaled(x, y, { clusters }), paperScale, { clusters });
  const told = ofClusters.find(({ kind }) => kind === "repeated-points");
  expect(told!.message).toContain("in more than one cluster, the interval is too good");
});

test("one heap is not two, of whatever shape", () => {
  const random = randomStream(0, "line/heaps").at(0);
  const normal = Float64Array.from({ length: 500 }, () => random.normal());
  const uniform = Float64Array.from({ length: 500 }, () => random.uniform());
  const skewed = Float64Array.from({ length: 500 }, () => random.gamma(2));
  for (const values of [normal, uniform, skewed]) {
    const { deltaBic, separation, valley } = twoHumps(values)!;
    expect(deltaBic > 10 && separation > 2 && valley < 1 / 3).toBe(false);
  }
  const parted = twoHumps(normal.map((value, i) => value + (i % 5 === 0 ? 6 : 0)))!;
  expect(parted.upper.share).toBeCloseTo(0.2, 1);
  expect(parted.upper.mean - parted.lower.mean).toBeCloseTo(6, 0);
  expect(parted.deltaBic).toBeGreaterThan(100);
  expect(parted.valley).toBeLessThan(0.1);
});

/** Four kinds of clean relation; ID uniform or normal, steep or flat, strong or weak, few points or many. */
const clean: Draw[] = [
  (normal, uniform) => {
    const x = 1.6 * uniform() - 0.2;
    return [x, 0.8 * x - 0.3 + 0.15 * normal()];
  },
  (normal) => {
    const x = 0.5 + 0.4 * normal();
    return [x, -0.9 * x + 0.4 + 0.4 * normal()];
  },
  (normal) => {
    const x = 0.4 * normal();
    return [x, 0.3 * x + 0.5 * normal()];
  },
  (normal, uniform) => {
    const x = 1.5 * uniform();
    return [x, 0.5 * x + 0.02 * normal()];
  },
];

test("a hundred clean tables give no alarm beyond the nominal rate", () => {
  const alarms = Array.from({ length: 100 }, (_, seed) => {
    const n = [40, 100, 300, 1000][Math.floor(seed / 25)]!;
    return kinds(warn(points(n, 1000 + seed, clean[seed % 4]!), 4));
  }).flat();
  // One in twenty would be the usual rate; the evidence that is asked for is far stronger.
  expect(alarms.length).toBeLessThanOrEqual(2);
});
