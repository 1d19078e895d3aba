/** What becomes of each gap beside a baseline: less of one shortcut, and perhaps more of another. */

import { defineMetric } from "./metric.ts";
import { comparisonName, usualMargin } from "./moles/comparison.ts";
import { contrastsOf, gapWeights } from "./moles/contrasts.ts";
import { pairedEffect } from "./moles/paired-sum.ts";

/** Below 0 the method leans on the cue more than the baseline does. */
export const cueGapChange = defineMetric({
  name: "cue-gap-change",
  title: "gap less the baseline's gap",
  better: "higher",
  bounds: [-2, 2],
  needs: ["cues", "baseline"],
  of: (evaluation) =>
    (contrastsOf(evaluation)?.contrasts ?? []).map((contrast) => {
      const weights = gapWeights(contrast);
      const { value, interval } = pairedEffect(weights, { margin: usualMargin, alpha: 0.05 });
      const count = [...contrast.uncommon.keys()].reduce((sum, tally) => sum + tally.count, 0);
      return { of: comparisonName(contrast), value, interval, count };
    }),
});
