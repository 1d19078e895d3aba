/** What a model loses where cues are uncommon. */

import { cellImages } from "./alignment.ts";
import { addCell, trainingWeights, weighted } from "./in-distribution.ts";
import { defineMetric } from "./metric.ts";

/**
 * Accuracy of a cell less I.D. accuracy: the BG, CoObj and BG+CoObj gaps of Li et al. 2023, signed as printed there, so
 * that reliance is negative. In the cell of one cue all others are common.
 */
export const cueGap = defineMetric({
  name: "cue-gap",
  title: "accuracy where cues are uncommon less I.D. accuracy",
  better: "higher",
  bounds: [-1, 1],
  needs: ["alignment"],
  of: ({ alignment }) =>
    alignment!.cells
      .filter(({ uncommon }) => uncommon.length > 0)
      .map((cell) => {
        const [of, count] = [cell.uncommon.join(" + "), cellImages(cell)];
        // The cell is part of the average that it is compared with, so its own weight is what is left of one.
        const weights = trainingWeights(alignment!, -1);
        if (count === 0 || weights.size === 0) return { of, value: null, interval: null, count };
        addCell(weights, cell, 1);
        return { of, ...weighted(weights), count };
      }),
});
