/** From the demo's finished runs to numbers: accuracy on test images, and how much each cue makes of it. */

import { evaluatePredictions } from "../../audits/predictions/evaluate-predictions.ts";
import type { IntervalReport } from "../../audits/predictions/evaluation-report.ts";
import { CuelabError } from "../../core/errors.ts";
import type { DemoMethod } from "./plan.ts";

/** Fractions; the interval is of 95%, from this one run's test images. */
export interface ImageEstimate {
  value: number;
  low: number;
  high: number;
}

/** Images that were right, among all. */
interface CorrectShare {
  correct: number;
  count: number;
}

export interface DemoCue {
  mmd: ImageEstimate;
  majority: CorrectShare;
  minority: CorrectShare;
}

export interface DemoRun {
  label: string;
  does: string;
  told: readonly string[];
  id: string;
  accuracy: ImageEstimate & CorrectShare;
  cues: Readonly<Record<string, DemoCue>>;
}

export async function measureDemoRun(
  { label, does, told }: DemoMethod,
  { id, folder }: { id: string; folder: string },
  cues: readonly string[],
  signal: AbortSignal,
): Promise<DemoRun> {
  const report = await evaluatePredictions({
    tables: [folder],
    split: "test",
    cues,
    groups: ["class"],
    alphas: [],
    signal,
  });
  const estimate = (path: string, value: number | null): ImageEstimate => {
    const { low, high } = report.intervals[path] ?? ({} as Partial<IntervalReport>);
    if (value === null || typeof low !== "number" || typeof high !== "number") throw tooFew(path, folder);
    return { value, low, high };
  };
  const share = (value: number | null, count: number): CorrectShare => ({
    correct: Math.round((value ?? 0) * count),
    count,
  });
  return {
    label,
    does,
    told,
    id,
    accuracy: {
      ...estimate("accuracy.samples", report.accuracy.samples),
      ...share(report.accuracy.samples, report.n),
    },
    cues: Object.fromEntries(
      Object.entries(report.cues).map(([name, { majority, minority, mmd, counts }]) => [
        name,
        {
          mmd: estimate(`cues.${name}.mmd`, mmd),
          majority: share(majority, counts.majority),
          minority: share(minority, counts.minority),
        },
      ]),
    ),
  };
}

function tooFew(path: string, where: string): CuelabError {
  return new CuelabError({
    kind: "usage",
    what: `the test images do not give ${path}`,
    where,
    todo: "ask for more --images",
  });
}
