/** From a study's finished runs to numbers: each run's predictions, measured the way its case asks. */

import { evaluatePredictions } from "../../audits/predictions/evaluate-predictions.ts";
import { CuelabError } from "../../core/errors.ts";
import { mean } from "../../core/statistics/index.ts";
import type { JobShop } from "./job.ts";
import type { CaseOutcome } from "./runs.ts";
import type { MeasuredCase, MeasuredRun, RunsJob, StudyCase } from "./runs-job.ts";
import { RunsShop } from "./runs-shop.ts";

/** More groups than these are nothing to look at one by one. */
const mostGroups = 40;

type MeasuredRunData = Omit<MeasuredRun, "seed" | "scores">;

export async function measureCases(
  outcomes: readonly CaseOutcome[],
  { cues }: RunsJob,
  shop: JobShop,
): Promise<MeasuredCase[]> {
  const runs = RunsShop.of(shop);
  const all = runs.runs().filter(({ state }) => state === "done").length;
  const measure = async (folder: string, id: string, { groupings }: StudyCase): Promise<MeasuredRunData> => {
    const key = JSON.stringify([id, groupings, cues]);
    let measured = runs.measured.get(key);
    if (measured === undefined) {
      measured = await measureRun(folder, id, groupings, cues, shop.signal);
      runs.measured.set(key, measured);
      shop.onWork?.("measuring", Math.min(runs.measured.size, all), all, "runs");
    }
    return measured;
  };
  const measured: MeasuredCase[] = [];
  for (const outcome of outcomes) measured.push(await measureCase(outcome, measure));
  return measured;
}

async function measureCase(
  { case: each, chosen, runs }: CaseOutcome,
  measure: (folder: string, id: string, of: StudyCase) => Promise<MeasuredRunData>,
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

export async function measureRun(
  folder: string,
  id: string,
  groupings: StudyCase["groupings"],
  cues: readonly string[],
  signal: AbortSignal,
): Promise<MeasuredRunData> {
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
