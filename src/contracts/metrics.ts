/** What every metric must keep: rows in any order, its bounds, null where there is nothing to measure. */

import { randomStream } from "../core/random.ts";
import type { Evaluation } from "../metrics/evaluation.ts";
import { canMeasure, type Metric, type Score } from "../metrics/metric.ts";
import { type Check, must } from "./check.ts";
import { type Bird, birds, evaluateBirds } from "./ten-birds.ts";

/** Sums of doubles in another order differ in their last digits. */
const rounding = 1e-12;
const tableCount = 50;

export function metricChecks(metric: Metric): Check[] {
  return [
    { name: "it says what it needs", run: () => checkNeeds(metric) },
    {
      name: "it does not depend on the order of rows",
      run: () => {
        for (const [seed, rows] of [birds, ...tables()].entries()) {
          const random = randomStream(seed, "contracts/metrics").at(0);
          checkOrder(metric, rows, random.shuffle([...rows]));
        }
      },
    },
    {
      name: "it is finite or null, stays within its bounds, and its interval holds it",
      run: () => {
        for (const rows of tables()) checkScores(metric, rows);
      },
    },
    {
      name: "it is the same for every row twice, and then not less certain",
      run: () => {
        for (const rows of tables()) checkTwice(metric, rows);
      },
    },
  ];
}

/** Scores, intervals and counts of the same rows in another order. */
export function checkOrder(metric: Metric, rows: readonly Bird[], others: readonly Bird[]): void {
  const [expected, found] = [rows, others].map((each) => metric.of(evaluateBirds(each))) as [
    Score[],
    Score[],
  ];
  must(found.length === expected.length, "rows in another order give another number of scores");
  for (const [i, score] of expected.entries())
    must(isSameScore(found[i]!, score), "rows in another order give another score", {
      expected: inWords(score),
      got: inWords(found[i]!),
    });
}

export function checkScores(metric: Metric, rows: readonly Bird[]): void {
  for (const score of metric.of(evaluateBirds(rows))) checkScore(metric, score);
}

export function checkTwice(metric: Metric, rows: readonly Bird[]): void {
  const [once, twice] = [rows, [...rows, ...rows]].map((each) => metric.of(evaluateBirds(each)));
  for (const [i, { value, interval }] of once!.entries()) {
    const doubled = twice![i]!;
    must(isSame(doubled.value, value), "every row twice gives another score", {
      expected: String(value),
      got: String(doubled.value),
    });
    if (interval === null) continue;
    const { low, high } = doubled.interval!;
    must(high - low <= interval.high - interval.low + rounding, "more rows give a wider interval");
  }
}

function isSameScore(a: Score, b: Score): boolean {
  const [x, y] = [a.interval, b.interval];
  const intervals = x === null || y === null ? x === y : isSame(x.low, y.low) && isSame(x.high, y.high);
  return a.of === b.of && a.count === b.count && isSame(a.value, b.value) && intervals;
}

function inWords({ of, value, interval, count }: Score): string {
  const between = interval === null ? "no interval" : `${interval.low} to ${interval.high}`;
  return `${of ?? "the score"}: ${value} (${between}) of ${count}`;
}

/** Without what it says it needs it is never asked. */
function checkNeeds(metric: Metric): void {
  const evaluation = evaluateBirds();
  must(canMeasure(metric, evaluation), "it needs what no evaluation has", { got: metric.needs.join(", ") });
  const poor: Evaluation = {
    ...evaluation,
    trainCount: 0,
    cues: [],
    alignment: null,
    headTail: [],
    relative: [],
    calibration: null,
    all: { ...evaluation.all, baselineCorrect: null },
  };
  if (metric.needs.length === 0) for (const score of metric.of(poor)) checkScore(metric, score);
  else must(!canMeasure(metric, poor), "it needs what every evaluation has");
}

function checkScore({ bounds: [low, high] }: Metric, { of, value, interval, count }: Score): void {
  const where = of ?? "the score";
  must(count >= 0, "it counts less than no images", { where });
  if (value === null) return;
  must(Number.isFinite(value), "it is no number", {
    where,
    expected: "a fraction, or null where there is nothing to measure",
    got: String(value),
  });
  must(value >= low - rounding && value <= high + rounding, "it leaves its bounds", {
    where,
    expected: `${low} to ${high}`,
    got: String(value),
  });
  if (interval === null) return;
  must(
    interval.low <= value + rounding && interval.high >= value - rounding,
    "its interval does not hold it",
    { where, expected: `${interval.low} to ${interval.high}`, got: String(value) },
  );
}

/** Small tables, in most of which some group has no images. */
function tables(): Bird[][] {
  return Array.from({ length: tableCount }, (_, i) => {
    const random = randomStream(i, "contracts/tables").at(0);
    return Array.from({ length: 1 + random.integer(30) }, () => birds[random.integer(birds.length)]!);
  });
}

function isSame(a: number | null, b: number | null): boolean {
  return a === null || b === null ? a === b : Math.abs(a - b) < rounding;
}
