/** Networks of a study as they were trained: what they are called, and how their validation accuracy went. */

import type { Measured } from "../../src/studies/jobs/kinds.ts";
import type { RunsJob } from "../../src/studies/jobs/runs-job.ts";
import { measuredRun } from "./measured-run.ts";

/** All at rest, but those that are said to rise. */
export function trainedNetworks(labels: readonly string[], rising: readonly string[] = []): Measured {
  const validation = (label: string) =>
    rising.includes(label) ? [0.1, 0.2, 0.3, 0.4, 0.5] : [0.2, 0.4, 0.5, 0.5, 0.5];
  return {
    kind: "runs",
    job: { kind: "runs", name: "networks", title: "", entries: [], seeds: [0], cues: [] } satisfies RunsJob,
    cases: labels.map((method) => ({
      method,
      explicit: [],
      groupings: [[]],
      chosen: {},
      failures: [],
      runs: [measuredRun({ unbiased: 0.9, validation: validation(method) })],
    })),
  };
}
