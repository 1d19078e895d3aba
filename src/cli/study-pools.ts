/** Studies that are made of pools: trains the classifiers that are missing, or finds what is there, and measures it. */

import { measurePools } from "../reports/study/measure-pools.ts";
import type { PoolStudy, PoolStudyPlan } from "../studies/pool-study.ts";
import { countClassifiers, findPools, makePools, type PoolFailure } from "../studies/run-pools.ts";
import type { OutputOptions, PoolOptions } from "./options.ts";
import type { Session } from "./program.ts";
import type { ChosenStudy } from "./study-choice.ts";
import type { StudyOutcome } from "./study-page.ts";

export function poolParts({ parts }: PoolStudyPlan): { name: string; title: string; classifiers: number }[] {
  return parts.map((part) => ({
    name: part.name,
    title: part.title,
    classifiers: countClassifiers([part]),
  }));
}

export async function makeStudyPools(
  study: PoolStudy,
  chosen: ChosenStudy,
  { quiet, workers }: OutputOptions & PoolOptions,
  { console, signal }: Session,
): Promise<StudyOutcome> {
  const plan = planOf(study, chosen);
  // A network counts as many cheap classifiers: what is counted here is work.
  const progress = quiet ? undefined : console.progress("pools", 0, "units of work");
  const failures = await makePools(plan.parts, {
    folder: chosen.folder,
    workers,
    signal,
    // What was there before would make the rate, and what is left, look better than they are.
    onProgress: ({ name }, done, left) => {
      progress?.relabel(name, Math.round(done + left));
      progress?.update(Math.round(done));
    },
  });
  progress?.relabel("pools", 0);
  progress?.finish();
  return measured(study, plan, chosen, failures, signal);
}

export async function findStudyPools(
  study: PoolStudy,
  chosen: ChosenStudy,
  { signal }: Session,
): Promise<StudyOutcome> {
  return measured(study, planOf(study, chosen), chosen, [], signal);
}

function planOf(study: PoolStudy, { preset, given, isChosen }: ChosenStudy): PoolStudyPlan {
  const plan = study.plan(preset, given);
  return { ...plan, parts: plan.parts.filter(isChosen) };
}

async function measured(
  study: PoolStudy,
  plan: PoolStudyPlan,
  { folder }: ChosenStudy,
  failures: readonly PoolFailure[],
  signal: AbortSignal,
): Promise<StudyOutcome> {
  const outcomes = await findPools(plan.parts, folder, { signal, failed: failures });
  const { parts, drawn } = await measurePools(outcomes, signal);
  const pools = parts.flatMap((part) => part.pools);
  return {
    report: study.report(parts, plan),
    finished: {
      of: "classifiers",
      done: pools.reduce((sum, { classifiers }) => sum + classifiers, 0),
      total: countClassifiers(plan.parts),
    },
    measured: parts.map(({ part, pools }) => ({
      part: part.name,
      title: part.title,
      pools: pools.map(({ pool, classifiers, splits }) => ({
        pool: pool.name,
        dataset: pool.dataset,
        data: pool.data,
        ...pool.spec,
        classifiers: { done: classifiers, asked: pool.classifiers + pool.networks.count },
        networks: pool.networks,
        splits,
      })),
    })),
    splits: drawn,
    failed: failures.map(({ id, label, error }) => ({ id, label, error: error.message })),
  };
}
