/** What a metric is: a pure function from the counts of an evaluation to scores. */

import type { Interval } from "../core/statistics/index.ts";
import type { Evaluation } from "./evaluation.ts";

/** What an evaluation must know for a metric to exist. */
export type Need =
  | "training-counts"
  | "cues"
  | "baseline"
  | "head-tail"
  | "confidence"
  | "alignment"
  | "reference-errors";

export interface Score {
  /** The group, cue, α or β that it is about; null where there is only one score. */
  of: string | null;
  /** A fraction; null where there is nothing to measure. */
  value: number | null;
  /** 95%, from this one table of predictions. */
  interval: Interval | null;
  /** Images that it was measured on. */
  count: number;
}

export interface Metric {
  /** In kebab-case, as the command line and the docs call it. */
  name: string;
  /** Names it for what it is: which average, over what. */
  title: string;
  better: "higher" | "lower";
  bounds: readonly [low: number, high: number];
  needs: readonly Need[];
  of(evaluation: Evaluation): Score[];
}

export function defineMetric(metric: Metric): Metric {
  return metric;
}

/** Whether the evaluation knows what the metric needs. */
export function canMeasure({ needs }: Metric, evaluation: Evaluation): boolean {
  const known: Record<Need, boolean> = {
    "training-counts": evaluation.trainCount > 0,
    cues: evaluation.cues.length > 0,
    baseline: evaluation.all.baselineCorrect !== null,
    "head-tail": evaluation.headTail.length > 0,
    confidence: evaluation.calibration !== null,
    alignment: evaluation.alignment !== null,
    "reference-errors": evaluation.relative.length > 0,
  };
  return needs.every((need) => known[need]);
}
