/** Drives a study: checks its parts, makes or finds what they ask for, measures it and has it reported. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { CuelabError } from "../core/errors.ts";
import type { Finding } from "../core/section.ts";
import { Lock } from "../disk/lock.ts";
import { makeFolder } from "../disk/make-folder.ts";
import { checkJobs } from "./check-jobs.ts";
import type { ChosenStudy } from "./choose-study.ts";
import { jobKinds, kindOf } from "./jobs/index.ts";
import type { JobHooks, JobShop, MadeJob, MadeThing } from "./jobs/job.ts";
import type { Measured, StudyJob } from "./jobs/kinds.ts";
import { type PlanStatus, plannedOf, planStatus, recordPlan, withExploratory } from "./registered.ts";
import type { StudyReport } from "./study.ts";

export interface DriveOptions extends JobHooks {
  signal: AbortSignal;
  /** Processes at a time. */
  workers: number;
  checkpointSeconds: number;
}

/** What a study has come to. */
export interface StudyOutcome {
  report: StudyReport & { findings: readonly Finding[] };
  plan: PlanStatus;
  /** How many are finished, and how many there are to be, of each kind that the study is made of. */
  finished: readonly { of: string; done: number; total: number }[];
  failed: readonly { id: string; label: string; error: string }[];
  coreSeconds: number;
  /** Every number that the report rests on, part by part. */
  measured: readonly object[];
}

/** Makes what is missing; the plan is recorded before anything is made. */
export async function makeStudy(chosen: ChosenStudy, options: DriveOptions): Promise<StudyOutcome> {
  const planned = plannedOf(chosen.study, chosen.preset);
  checkJobs(planned.jobs, planned.registered);
  const shop = new StudyShop(chosen.folder, options);
  for (const job of chosen.jobs) await kindOf(job).check(job, shop);
  await makeFolder(chosen.folder);
  // Two at once would each take for failed what the other one is just making.
  const lock = await Lock.take(join(chosen.folder, "study.lock"), "study");
  try {
    await recordPlan(chosen.folder, planned);
    for (const kind of kindsOf(chosen)) await makeFolder(join(chosen.folder, kindOf({ kind }).folder));
    await inOrder(chosen, shop, (job) => kindOf(job).make(job, shop));
    return await outcomeOf(chosen, shop);
  } finally {
    lock.release();
  }
}

/** What is there; makes nothing. Throws where there is nothing. */
export async function findStudy(chosen: ChosenStudy, options: DriveOptions): Promise<StudyOutcome> {
  const shop = new StudyShop(chosen.folder, options);
  if (isBegun(chosen)) {
    for (const job of chosen.jobs) await kindOf(job).check(job, shop);
    await inOrder(chosen, shop, (job) => kindOf(job).find(job, shop));
    const outcome = await outcomeOf(chosen, shop);
    if (outcome.finished.some(({ done }) => done > 0)) return outcome;
  }
  throw new CuelabError({
    kind: "input",
    what: `no ${kindOf(chosen.jobs[0]!).one} of the study is finished`,
    where: chosen.folder,
    todo: `cuelab study run ${chosen.words}`,
  });
}

/** Whether there is anything to go on with. */
export function isBegun(chosen: ChosenStudy): boolean {
  return kindsOf(chosen).some((kind) => existsSync(join(chosen.folder, kindOf({ kind }).folder)));
}

function kindsOf({ jobs }: ChosenStudy): StudyJob["kind"][] {
  return jobKinds.filter((kind) => jobs.some((job) => job.kind === kind));
}

/** Kind by kind: what later ones need is there, and no two kinds share the cores. */
async function inOrder(
  chosen: ChosenStudy,
  shop: StudyShop,
  get: (job: StudyJob) => Promise<MadeJob>,
): Promise<void> {
  for (const kind of kindsOf(chosen)) {
    const jobs = chosen.jobs.filter((job) => job.kind === kind);
    const made = await Promise.all(jobs.map(get));
    for (const [i, job] of jobs.entries()) shop.keep(job, made[i]!);
  }
}

async function outcomeOf(chosen: ChosenStudy, shop: StudyShop): Promise<StudyOutcome> {
  const { study, preset, folder, jobs } = chosen;
  const measured: { job: StudyJob; measured: Measured }[] = [];
  for (const job of jobs) {
    const own = await kindOf(job).measure(shop.made(job.name), shop);
    if (own !== undefined) measured.push({ job, measured: own });
  }
  const registered = study.registered(preset);
  const report = study.report(
    measured.map((each) => each.measured),
    { preset, registered },
  );
  const plan = await planStatus(folder, plannedOf(study, preset));
  const things = kindsOf(chosen).map((kind) => ({ kind, things: shop.things(kind) }));
  const all = things.flatMap((each) => each.things);
  return {
    report: { ...report, findings: withExploratory(report.findings, plan) },
    plan,
    finished: things.map(({ kind, things: own }) => ({
      of: kindOf({ kind }).of,
      done: sum(own, ({ done }) => done),
      total: sum(own, ({ asked }) => asked),
    })),
    failed: all.flatMap(({ id, label, error }) => (error === undefined ? [] : [{ id, label, error }])),
    coreSeconds: sum(all, ({ coreSeconds }) => coreSeconds),
    measured: measured.map(({ job, measured: own }) => ({
      part: job.name,
      title: job.title,
      ...kindOf(job).data(own),
    })),
  };
}

function sum<Thing>(things: readonly Thing[], of: (thing: Thing) => number): number {
  return things.reduce((total, thing) => total + of(thing), 0);
}

/** What the jobs of one study share, and what they have made. */
class StudyShop implements JobShop {
  readonly folder: string;
  readonly workers: number;
  readonly signal: AbortSignal;
  readonly checkpointSeconds: number;
  readonly onRuns: JobHooks["onRuns"];
  readonly onWork: JobHooks["onWork"];
  readonly #shared = new Map<string, unknown>();
  readonly #made = new Map<string, { job: StudyJob; made: MadeJob }>();

  constructor(folder: string, { workers, signal, checkpointSeconds, onRuns, onWork }: DriveOptions) {
    this.folder = folder;
    this.workers = workers;
    this.signal = signal;
    this.checkpointSeconds = checkpointSeconds;
    this.onRuns = onRuns;
    this.onWork = onWork;
  }

  shared<Thing>(key: string, make: () => Thing): Thing {
    if (!this.#shared.has(key)) this.#shared.set(key, make());
    return this.#shared.get(key) as Thing;
  }

  keep(job: StudyJob, made: MadeJob): void {
    this.#made.set(job.name, { job, made });
  }

  made(name: string): MadeJob {
    return this.#made.get(name)!.made;
  }

  /** Of all jobs of a kind; what they share counts once. */
  things(kind: StudyJob["kind"]): MadeThing[] {
    const own = [...this.#made.values()].filter(({ job }) => job.kind === kind);
    return [...new Map(own.flatMap(({ made }) => made.things.map((thing) => [thing.id, thing]))).values()];
  }
}
