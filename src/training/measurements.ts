/** Accuracies in the course of training: a row of `checkpoints.csv` for each step measured and each slice of the data. */

import type { Dataset } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import { spelled } from "../core/grouping.ts";
import { type Predictions, predictedClasses } from "../runs/predictions.ts";
import { csvLine } from "../tables/csv-line.ts";
import { csvRows } from "../tables/csv-rows.ts";
import { codesOf, measuredGroups } from "./measured-groups.ts";
import { evaluatedSlices, keyedAccuracies, type SliceKey } from "./results.ts";
import type { RunSpec } from "./run-spec.ts";

/** Which images of a run were measured, for programs: names are for people. */
export interface MeasuredKey extends SliceKey {
  /** Those of a group: codes of the class and of each attribute that makes groups with it, in order; undefined for all. */
  group?: readonly number[];
}

export interface MeasuredSlice {
  key: MeasuredKey;
  /** As in the run's results; that of a group has the group after it. */
  slice: string;
  images: number;
  accuracy: number | null;
}

export interface Measurement {
  step: number;
  /** With its fraction: images seen, in units of the training images. */
  epoch: number;
  slices: MeasuredSlice[];
}

/** Every slice of the results, and within each of them the groups, where any are asked for. */
export function measure(
  dataset: Dataset,
  predictions: Predictions,
  { measureGroups = [] }: Pick<RunSpec, "measureGroups">,
): MeasuredSlice[] {
  const predicted = predictedClasses(predictions);
  const { indices } = predictions;
  const slices = keyedAccuracies(dataset, indices, predicted).map(({ key, slice, count, accuracy }) => ({
    key,
    slice,
    images: count,
    accuracy,
  }));
  if (measureGroups.length === 0) return slices;
  const found = measuredGroups(dataset, measureGroups, indices);
  const groups = evaluatedSlices(dataset).flatMap(({ key, name, has }) => {
    const counts = Array.from(found.sizes, () => ({ images: 0, correct: 0 }));
    for (const [row, index] of indices.entries()) {
      if (!has(index)) continue;
      const count = counts[found.codes[row]!]!;
      count.images++;
      count.correct += Number(predicted[row] === dataset.labels[index]);
    }
    return counts.flatMap(({ images, correct }, code) => {
      if (images === 0) return [];
      const group = found.group(code);
      const slice = `${name} ${spelled(group, "column")}`;
      return [{ key: { ...key, group: codesOf(group) }, slice, images, accuracy: correct / images }];
    });
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

/** What was measured of some images at a step; that it was not is an error, and never an empty cell. */
export function accuracyIn({ step, slices }: Measurement, wanted: MeasuredKey, where: string): number {
  const found = slices.find(({ key }) => isSameKey(key, wanted))?.accuracy;
  if (found !== undefined && found !== null) return found;
  throw new CuelabError({
    kind: "failure",
    what: "a run has no accuracy of images that it was asked to measure",
    where: `${where}, step ${step}`,
    expected: keyInWords(wanted),
    got: slices.map(({ slice }) => slice).join("; ") || "no slices at all",
    todo: "if another version made this run, delete its folder and give the same command again",
  });
}

/** By hand, since hundreds of groups are compared with hundreds. */
function isSameKey(a: MeasuredKey, b: MeasuredKey): boolean {
  if (a.split !== b.split || a.value !== b.value || a.factor !== b.factor) return false;
  if (a.group === undefined || b.group === undefined) return a.group === b.group;
  return a.group.length === b.group.length && a.group.every((code, i) => code === b.group![i]);
}

function keyInWords({ split, value, factor, group }: MeasuredKey): string {
  return [
    `split ${split}`,
    ...(value === undefined ? [] : [`value ${value}`]),
    ...(factor === undefined ? [] : [`${factor} alone`]),
    ...(group === undefined ? [] : [`group ${group.join(" ")}`]),
  ].join(", ");
}

/** Names for people first; what tells rows apart for programs after the numbers. */
const columns = [
  "step",
  "epoch",
  "slice",
  "images",
  "accuracy",
  "split",
  "value",
  "factor",
  "group",
] as const;

type MeasurementCells = Record<(typeof columns)[number], string>;

export function measurementsCsv(measured: readonly Measurement[]): string {
  const rows = measured.flatMap(({ step, epoch, slices }) =>
    slices.map(({ key: { split, value = "", factor = "", group = [] }, slice, images, accuracy }) =>
      csvLine([step, epoch, slice, images, accuracy ?? "", split, value, factor, group.join(" ")]),
    ),
  );
  return [csvLine(columns), ...rows].join("");
}

/** What `measurementsCsv` wrote. */
export async function readMeasurements(path: string): Promise<Measurement[]> {
  const steps = new Map<number, Measurement>();
  for await (const { cells } of csvRows(path, (names) => checkColumns(names, path))) {
    const named = Object.fromEntries(columns.map((name, place) => [name, cells[place]!])) as MeasurementCells;
    const { step, epoch, slice, images, accuracy, split, value, factor, group } = named;
    const known = steps.get(Number(step)) ?? { step: Number(step), epoch: Number(epoch), slices: [] };
    steps.set(known.step, known);
    known.slices.push({
      key: {
        split,
        ...(value !== "" && { value }),
        ...(factor !== "" && { factor }),
        ...(group !== "" && { group: group.split(" ").map(Number) }),
      },
      slice,
      images: Number(images),
      accuracy: accuracy === "" ? null : Number(accuracy),
    });
  }
  return [...steps.values()];
}

function checkColumns(names: readonly string[], path: string): void {
  if (names.join() === columns.join()) return;
  throw new CuelabError({
    kind: "input",
    what: "a table of measurements has other columns than this version writes",
    where: path,
    expected: columns.join(", "),
    got: names.join(", "),
    todo: "delete the run's folder and give the same command again: it is made anew",
  });
}
