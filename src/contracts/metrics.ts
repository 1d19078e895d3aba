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
        const expected = metric.of(evaluateBirds());
        for (const seed of [1, 2, 3]) {
          const shuffled = randomStream(seed, "contracts/metrics")
            .at(0)
            .shuffle([...birds]);
          const found = metric.of(evaluateBirds(shuffled));
          for (const [i, { of, value }] of expected.entries())
            must(
              found[i]?.of === of && isSame(found[i].value, value),
              "rows in another order give another score",
              {
                expected: `${of ?? "the score"}: ${value}`,
                got: `${found[i]?.of ?? "the score"}: ${found[i]?.value}`,
              },
            );
        }
      },
    },
    {
      name: "it is finite or null, stays within its bounds, and its interval holds it",
      run: () => {
        for (const rows of tables())
          for (const score of metric.of(evaluateBirds(rows))) checkScore(metric, score);
      },
    },
    {
      name: "it is the same for every row twice, and then not less certain",
      run: () => {
        for (const rows of tables()) {
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
      },
    },
  ];
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
