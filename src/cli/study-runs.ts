/** Studies that are made of runs: makes those that are missing, or finds what is there, and measures it. */

import { join } from "node:path";
import { measureStudy } from "../reports/study/measure.ts";
import { checkStudy, countPartRuns, type PartOutcome } from "../studies/run-study.ts";
import type { RunStudy, StudyPlan } from "../studies/study.ts";
import { RunFinder } from "../sweeps/run-finder.ts";
import { type PoolRun, RunPool } from "../training/run-pool.ts";
import type { OutputOptions, PoolOptions } from "./options.ts";
import { PoolProgress } from "./pool-progress.ts";
import type { Session } from "./program.ts";
import type { ChosenStudy } from "./study-choice.ts";
import type { StudyOutcome } from "./study-page.ts";

export function runParts({ parts }: StudyPlan): { name: string; title: string; runs: number }[] {
  return parts.map((part) => ({ name: part.name, title: part.title, runs: countPartRuns(part) }));
}

export async function makeStudyRuns(
  study: RunStudy,
  chosen: ChosenStudy,
  options: OutputOptions & PoolOptions,
  session: Session,
): Promise<StudyOutcome> {
  const { console, signal } = session;
  const plan = planOf(study, chosen);
  const checked = await checkStudy(plan.parts);
  const progress = new PoolProgress({
    console,
    quiet: options.quiet,
    total: checked.total,
    workers: options.workers,
  });
  const pool = new RunPool({
    folder: join(chosen.folder, "runs"),
    workers: options.workers,
    signal,
    checkpointSeconds: options.checkpointSeconds,
    onChange: () => progress.update(pool.runs),
  });
  let outcomes: PartOutcome[];
  try {
    outcomes = await checked.run(pool);
  } finally {
    progress.clear();
  }
  return measured(study, plan, outcomes, pool.runs, options, session);
}

export async function findStudyRuns(
  study: RunStudy,
  chosen: ChosenStudy,
  options: OutputOptions,
  session: Session,
): Promise<StudyOutcome> {
  const plan = planOf(study, chosen);
  const finder = new RunFinder(join(chosen.folder, "runs"));
  const outcomes = await (await checkStudy(plan.parts)).run(finder);
  return measured(study, plan, outcomes, [...finder.runs.values()], options, session);
}

function planOf(study: RunStudy, { preset, given, isChosen }: ChosenStudy): StudyPlan {
  const plan = study.plan(preset, given);
  return { ...plan, parts: plan.parts.filter(isChosen) };
}

async function measured(
  study: RunStudy,
  plan: StudyPlan,
  outcomes: readonly PartOutcome[],
  runs: readonly PoolRun[],
  { quiet }: OutputOptions,
  { console, signal }: Session,
): Promise<StudyOutcome> {
  const done = runs.filter(({ state }) => state === "done").length;
  const progress = quiet || done === 0 ? undefined : console.progress("measuring", done, "runs");
  const parts = await measureStudy(
    outcomes,
    plan.cues,
    (count) => progress?.update(Math.min(count, done)),
    signal,
  );
  progress?.finish();
  const failed = runs.filter(({ state }) => state === "failed");
  return {
    report: study.report(parts, plan),
    finished: { of: "runs", done, total: runs.length },
    measured: parts.map(({ part, cases }) => ({ part: part.name, title: part.title, cases })),
    failed: failed.map(({ id, label, error }) => ({ id, label, error: error?.message ?? "unknown" })),
  };
}
