/** From the demo's finished runs to numbers: I.D. accuracy, the gap of each shortcut, and what became of it beside the standard model. */

import { evaluatePredictions } from "../../audits/predictions/evaluate-predictions.ts";
import type { EvaluationReport } from "../../audits/predictions/evaluation-report.ts";
import { CuelabError } from "../../core/errors.ts";
import { type JudgedComparison, judgeMoles } from "../../metrics/moles/index.ts";
import { courseOf } from "../jobs/measure-runs.ts";
import { lateRise } from "../plateau.ts";
import { type DemoCue, type DemoMethod, demoCues } from "./plan.ts";

/** Fractions; the interval is of 95%, from this one run's test images. */
export interface ImageEstimate {
  value: number;
  low: number;
  high: number;
}

export interface DemoGap extends ImageEstimate {
  /** The cues that are uncommon, all others being common: one, or both. */
  cues: readonly DemoCue[];
}

export interface DemoRun extends Pick<DemoMethod, "label" | "told" | "does"> {
  id: string;
  /** Accuracy where cues are as common as in training. */
  inDistribution: ImageEstimate;
  /** What always guessing would get. */
  chance: number;
  gaps: readonly DemoGap[];
  /** How its accuracy on validation images still rose at the end; undefined for fewer than five epochs. */
  rise: number | undefined;
  /** Beside the standard model; null for itself. */
  judged: JudgedComparison | null;
}

/** A method, and where its run lies. */
interface FinishedDemoRun {
  method: DemoMethod;
  id: string;
  folder: string;
}

/** The first is what the others are compared with; all verdicts are one family. */
export async function measureDemo(
  finished: readonly FinishedDemoRun[],
  signal: AbortSignal,
): Promise<DemoRun[]> {
  const reports: EvaluationReport[] = [];
  for (const [i, { folder }] of finished.entries())
    reports.push(
      await evaluatePredictions({
        tables: [folder],
        baselines: i === 0 ? [] : [finished[0]!.folder],
        split: "test",
        cues: demoCues,
        alphas: [],
        signal,
      }),
    );
  const [, ...others] = finished;
  const judged = judgeMoles(
    others.map(({ folder }, i) => reports[i + 1]!.moles ?? fail("what became of each gap", folder)),
  );
  return finished.map(({ method: { label, told, does }, id, folder }, i) => ({
    label,
    told,
    does,
    id,
    ...standingOf(reports[i]!, folder),
    rise: lateRise(courseOf(folder)),
    judged: i === 0 ? null : judged[i - 1]!,
  }));
}

function standingOf(
  { gaps, intervals, guessing }: EvaluationReport,
  folder: string,
): Pick<DemoRun, "inDistribution" | "gaps" | "chance"> {
  const estimate = (path: string, value: number | null | undefined): ImageEstimate => {
    const { low, high } = intervals[path] ?? {};
    if (typeof value !== "number" || typeof low !== "number" || typeof high !== "number")
      return fail(path, folder);
    return { value, low, high };
  };
  const cells = gaps?.cells.filter(({ uncommon }) => uncommon.length > 0) ?? [];
  return {
    inDistribution: estimate("gaps.inDistribution", gaps?.inDistribution),
    chance: guessing.accuracy,
    gaps: cells.map(({ uncommon, gap }) => ({
      cues: uncommon as DemoCue[],
      ...estimate(`gaps.${uncommon.join(" + ")}`, gap),
    })),
  };
}

function fail(what: string, where: string): never {
  throw new CuelabError({
    kind: "usage",
    what: `the test images do not give ${what}`,
    where,
    todo: "ask for more --images",
  });
}
