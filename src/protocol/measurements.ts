/** Accuracies in the course of training: a row of `checkpoints.csv` for each step measured and each slice of the data. */

import { CuelabError } from "../core/errors.ts";
import type { SliceResult } from "./results.ts";
import type { RunSpec } from "./run-spec.ts";

export interface Measurement {
  step: number;
  slices: MeasuredSlice[];
}

/** Slices are named as in the run's results. */
export type MeasuredSlice = Pick<SliceResult, "slice" | "distribution" | "count" | "accuracy">;

export function sliceOfMeasurement({ slice, distribution, count, accuracy }: SliceResult): MeasuredSlice {
  return { slice, distribution, count, accuracy };
}

/** Steps that never come would be missing without a word. */
export function checkMeasured({ measureSteps = [] }: RunSpec, steps: number): void {
  const late = measureSteps.find((step) => step > steps);
  if (late === undefined) return;
  throw new CuelabError({
    kind: "usage",
    what: `accuracies are to be measured after step ${late}, which never comes`,
    expected: `steps from 1 to ${steps}, the last of this run`,
  });
}

const columns = ["step", "epoch", "slice", "distribution", "images", "accuracy"];

/** Epochs as a number with its fraction: how often each training image was seen. */
export function measurementsCsv(measured: readonly Measurement[], stepsPerEpoch: number): string {
  const rows = measured.flatMap(({ step, slices }) =>
    slices.map(({ slice, distribution, count, accuracy }) =>
      [
        step,
        step / stepsPerEpoch,
        `"${slice.replaceAll('"', '""')}"`,
        distribution,
        count,
        accuracy ?? "",
      ].join(","),
    ),
  );
  return `${[columns.join(","), ...rows].join("\n")}\n`;
}
