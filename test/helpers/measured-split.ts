/** A split of a pool as studies measure it, of which a test says R. */

import type { MeasuredFit, MeasuredSplit, StudySplit } from "../../src/studies/jobs/pools-job.ts";

/** R with an interval of ± 0.1. */
function fitOfR(r: number): MeasuredFit {
  return {
    points: 100,
    draws: 30,
    r,
    rLow: r - 0.1,
    rHigh: r + 0.1,
    slope: 2 * r,
    intercept: -0.5,
    pValue: 1e-9,
    stdErr: 0.02,
    verdict: r + 0.1 < 0.3 ? "well-specified" : r - 0.1 > 0.3 ? "misspecified" : "undecided",
  };
}

export function measuredSplit(split: StudySplit, r: number): MeasuredSplit {
  return {
    ...split,
    all: fitOfR(r),
    learned: fitOfR(-0.9),
    networks: null,
    learnedFrom: 0.7,
    guessing: 0.5,
    bestId: 0.9,
    oodRange: [0.1, 0.6],
    warnings: ["regimes"],
    draw: () => ({ description: split.name }),
  };
}
