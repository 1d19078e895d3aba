/** Of a shifted split: the accuracy to expect where cues go with classes as often as in training. */

import { cuesOf, majorityOf } from "../core/cue-statistics.ts";
import type { Dataset } from "../core/dataset.ts";
import { classWord } from "../core/group-axes.ts";
import { cellImages, mostAlignedCues } from "../metrics/alignment.ts";
import { countRows } from "../metrics/count-rows.ts";
import { evaluationOf, marginsFor } from "../metrics/evaluation.ts";
import { inDistribution } from "../metrics/in-distribution.ts";
import { labelledRows } from "./labelled-rows.ts";
import type { SliceResult } from "./results.ts";
import { indicesOf } from "./splits.ts";

const grouping = { by: [classWord] };

/** Null without cues, with more than can be crossed, and where the split lacks images that training has. */
export function inDistributionRow(
  dataset: Dataset,
  split: string,
  indices: Uint32Array,
  predicted: Uint16Array,
): SliceResult | null {
  const cues = cuesOf(dataset);
  if (cues.length === 0 || cues.length > mostAlignedCues) return null;
  const names = cues.map(([name]) => name);
  const code = dataset.splits.names.indexOf(split);
  const rows = Uint32Array.from(indices.keys()).filter(
    (row) => dataset.splits.values[indices[row]!] === code,
  );
  const counts = countRows(
    {
      ...labelledRows(
        dataset,
        rows.map((row) => indices[row]!),
        names,
      ),
      classNames: dataset.classNames,
      predicted: Uint16Array.from(rows, (row) => predicted[row]!),
      training: labelledRows(dataset, indicesOf(dataset, "train"), names),
    },
    marginsFor({ grouping, cues: names, aligned: names }),
  );
  const evaluation = evaluationOf(counts, {
    grouping,
    cues: cues.map(([name, attribute]) => ({
      name,
      majority: {
        by: "values" as const,
        values: majorityOf(dataset, attribute).map(({ value }) =>
          value === undefined ? undefined : attribute.valueNames[value],
        ),
      },
    })),
    alphas: [],
    betas: [],
  });
  const { alignment } = evaluation;
  if (alignment === null || alignment.cells.some((cell) => cell.share > 0 && cellImages(cell) === 0))
    return null;
  const { value, interval, count } = inDistribution.of(evaluation)[0]!;
  return {
    slice: `${split}, cues as common as in training`,
    count,
    accuracy: value,
    low: interval?.low ?? null,
    high: interval?.high ?? null,
    distribution: "ID",
  };
}
