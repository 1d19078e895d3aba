/** From a study's finished runs to numbers: each run's predictions, measured the way its case asks. */

import { evaluatePredictions } from "../../audits/predictions/evaluate-predictions.ts";
import { CuelabError } from "../../core/errors.ts";
import { mean } from "../../core/statistics/index.ts";
import type { CaseOutcome, PartOutcome } from "../../studies/run-study.ts";
import type { MeasuredCase, MeasuredPart, MeasuredRun, StudyCase } from "../../studies/study.ts";

/** More groups than these are nothing to look at one by one. */
const mostGroups = 40;

type Measured = Omit<MeasuredRun, "seed" | "scores">;

export async function measureStudy(
  outcomes: readonly PartOutcome[],
  cues: readonly string[],
  onRun: (done: number) => void,
  signal: AbortSignal,
): Promise<MeasuredPart[]> {
  // Parts share runs; a run is read once for each way of grouping.
  const known = new Map<string, Measured>();
  const measure = async (folder: string, id: string, { groupings }: StudyCase): Promise<Measured> => {
    const key = JSON.stringify([id, groupings]);
    let measured = known.get(key);
    if (measured === undefined) {
      measured = await measureRun(folder, id, groupings, cues, signal);
      known.set(key, measured);
      onRun(known.size);
    }
    return measured;
  };
  const parts: MeasuredPart[] = [];
  for (const { part, cases } of outcomes) {
    const measured: MeasuredCase[] = [];
    for (const outcome of cases) measured.push(await measureCase(outcome, measure));
    parts.push({ part, cases: measured });
  }
  return parts;
}

async function measureCase(
  { case: each, chosen, runs }: CaseOutcome,
  measure: (folder: string, id: string, of: StudyCase) => Promise<Measured>,
): Promise<MeasuredCase> {
  const measured: MeasuredRun[] = [];
  const failures: string[] = [];
  for (const { seed, run, scores } of runs) {
    if (run.state === "failed") failures.push(reasonOf(run.error));
    if (run.state !== "done") continue;
    measured.push({ ...(await measure(run.folder, run.id, each)), seed, scores });
  }
  return { ...each, chosen, runs: measured, failures };
}

function reasonOf(error: Error | undefined): string {
  return error instanceof CuelabError ? error.parts.what : (error?.message ?? "unknown");
}

async function measureRun(
  folder: string,
  id: string,
  groupings: StudyCase["groupings"],
  cues: readonly string[],
  signal: AbortSignal,
): Promise<Measured> {
  const reports = [];
  for (const attributes of groupings) {
    reports.push(
      await evaluatePredictions({
        tables: [folder],
        split: "test",
        cues,
        groups: ["class", ...attributes],
        alphas: [],
        signal,
      }),
    );
  }
  const [first] = reports as [(typeof reports)[0]];
  return {
    id,
    count: first.n,
    unbiased: mean(reports.map(({ accuracy }) => accuracy.meanPerGroup ?? Number.NaN)),
    samples: first.accuracy.samples ?? Number.NaN,
    cues: Object.fromEntries(
      Object.entries(first.cues).map(([name, { majority, minority, mmd }]) => [
        name,
        { majority, minority, mmd },
      ]),
    ),
    groups:
      first.groups.length > mostGroups
        ? []
        : first.groups.map(({ n, accuracy, ...group }) => ({
            class: group.class,
            values: group.values,
            count: n,
            accuracy,
          })),
  };
}
