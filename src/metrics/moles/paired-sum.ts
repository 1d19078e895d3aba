/**
 * A weighted sum of differences between two models on the same images: Bonett and Price's 2012 intervals of the parts, put together by
 * the square-and-add rule (Zou, Huang and Zhang 2009), and the tests that go with that interval.
 */

import { normalCdf, normalQuantile } from "../../core/statistics/index.ts";
import type { ClassWeights } from "../in-distribution.ts";
import { pairedCentre } from "../intervals.ts";
import type { Effect } from "./comparison.ts";

export interface ImageOptions {
  margin: number;
  alpha: number;
}

export function pairedEffect(weights: ClassWeights, { margin, alpha }: ImageOptions): Effect {
  const parts = partsOf(weights);
  const value = parts.reduce((sum, part) => sum + part.difference, 0);
  const z = normalQuantile(1 - alpha / 2);
  // Nothing lies below the sum where that is 0 or more, and the margin above it: the two one-sided tests.
  const asFar = (direction: Direction, distance: number) =>
    distance <= 0 ? 0.5 : normalCdf(-reachingTo(parts, direction, distance));
  const [fell, rose] = [asFar("below", margin + value), asFar("above", margin - value)];
  return {
    value,
    interval: { low: value - reach(parts, "below", z), high: value + reach(parts, "above", z) },
    pValue: 2 * normalCdf(-reachingTo(parts, value > 0 ? "below" : "above", Math.abs(value))),
    equivalencePValue: Math.max(fell, rose),
    risePValue: rose,
    error: Math.sqrt(parts.reduce((sum, { error }) => sum + error * error, 0)),
  };
}

interface PairedPart {
  /** As counted, with its weight. */
  difference: number;
  /** How far its interval's centre lies above it. */
  shift: number;
  error: number;
}

type Direction = "below" | "above";

function partsOf(weights: ClassWeights): PairedPart[] {
  return Array.from(weights, ([tally, weight]) => {
    const { centre, error } = pairedCentre(tally);
    const difference = (tally.correct - tally.baselineCorrect!) / tally.count;
    return {
      difference: weight * difference,
      shift: weight * (centre - difference),
      error: Math.abs(weight) * error,
    };
  });
}

/** How far the interval of `z` standard errors reaches to one side. */
function reach(parts: readonly PairedPart[], direction: Direction, z: number): number {
  let sum = 0;
  for (const { shift, error } of parts)
    sum += Math.max(0, z * error + (direction === "above" ? shift : -shift)) ** 2;
  return Math.sqrt(sum);
}

/** The standard errors at which the interval reaches so far; more than `most` are as good as any. */
function reachingTo(parts: readonly PairedPart[], direction: Direction, distance: number): number {
  let [low, high] = [0, most];
  if (reach(parts, direction, low) >= distance) return 0;
  for (let halving = 0; halving < 60; halving++) {
    const middle = (low + high) / 2;
    if (reach(parts, direction, middle) < distance) low = middle;
    else high = middle;
  }
  return low;
}

const most = 38;
