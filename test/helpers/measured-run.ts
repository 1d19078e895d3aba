/** A run as studies measure it, of which a test says what matters to it. */

import type { MeasuredRun } from "../../src/studies/jobs/runs-job.ts";

export function measuredRun(said: Partial<MeasuredRun>): MeasuredRun {
  const { unbiased = Number.NaN } = said;
  return {
    id: "0",
    seed: 0,
    chosen: { epoch: 1, rule: "the last epoch", labels: "none" },
    count: 10_000,
    unbiased,
    samples: unbiased,
    cues: {},
    groups: [],
    gaps: null,
    scores: [],
    also: [],
    follows: [],
    epochsBefore: 0,
    // As good as trained: nothing rises.
    validation: [0.5, 0.5, 0.5, 0.5, 0.5],
    coreSeconds: null,
    lately: [],
    ...said,
  };
}
