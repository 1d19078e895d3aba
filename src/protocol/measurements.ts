/** Accuracies in the course of training: a row of `checkpoints.csv` for each step measured and each slice of the data. */

import type { Dataset } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import { spelled } from "../core/grouping.ts";
import { type Predictions, predictedClasses } from "../store/predictions.ts";
import { csvRows } from "../tables/csv-rows.ts";
import { measuredGroups } from "./measured-groups.ts";
import { accuracyTable, evaluatedSlices } from "./results.ts";
import type { RunSpec } from "./run-spec.ts";

export interface Measurement {
  step: number;
  slices: MeasuredSlice[];
}

interface MeasuredSlice {
  /** As in the run's results; that of a group has the group after it. */
  slice: string;
  images: number;
  accuracy: number | null;
}

/** Every slice of the results, and within each of them the groups, where any are asked for. */
export function measure(
  dataset: Dataset,
  predictions: Predictions,
  { measureGroups = [] }: Pick<RunSpec, "measureGroups">,
): MeasuredSlice[] {
  const predicted = predictedClasses(predictions);
  const { indices } = predictions;
  const slices = accuracyTable(dataset, indices, predicted).map(({ slice, count, accuracy }) => ({
    slice,
    images: count,
    accuracy,
  }));
  if (measureGroups.length === 0) return slices;
  const found = measuredGroups(dataset, measureGroups, indices);
  const groups = evaluatedSlices(dataset).flatMap(({ name, has }) => {
    const counts = Array.from(found.sizes, () => ({ images: 0, correct: 0 }));
    for (const [row, index] of indices.entries()) {
      if (!has(index)) continue;
      const count = counts[found.codes[row]!]!;
      count.images++;
      count.correct += Number(predicted[row] === dataset.labels[index]);
    }
    return counts.flatMap(({ images, correct }, code) =>
      images === 0
        ? []
        : [
            {
              slice: `${name} ${spelled(found.group(code), "column")}`,
              images,
              accuracy: correct / images,
            },
          ],
    );
  });
  return [...slices, ...groups];
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

const columns = ["step", "epoch", "slice", "images", "accuracy"] as const;

/** Epochs as a number with its fraction: how often each training image was seen. */
export function measurementsCsv(measured: readonly Measurement[], stepsPerEpoch: number): string {
  const rows = measured.flatMap(({ step, slices }) =>
    slices.map(({ slice, images, accuracy }) =>
      [step, step / stepsPerEpoch, `"${slice.replaceAll('"', '""')}"`, images, accuracy ?? ""].join(","),
    ),
  );
  return `${[columns.join(","), ...rows].join("\n")}\n`;
}

interface MeasuredStep {
  step: number;
  epoch: number;
  /** By slice; those without images are not there. */
  accuracies: ReadonlyMap<string, number>;
}

/** What `measurementsCsv` wrote. */
export async function readMeasurements(path: string): Promise<MeasuredStep[]> {
  const steps = new Map<number, { epoch: number; accuracies: Map<string, number> }>();
  for await (const { cells } of csvRows(path, () => {})) {
    const [step, epoch, slice, , accuracy] = cells as [string, string, string, string, string];
    const known = steps.get(Number(step)) ?? { epoch: Number(epoch), accuracies: new Map<string, number>() };
    steps.set(Number(step), known);
    known.accuracies.set(slice, Number(accuracy));
  }
  return Array.from(steps, ([step, rest]) => ({ step, ...rest }));
}
