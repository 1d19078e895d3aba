/** Asks an audit once of each of its subjects, and keeps the answers under ids of question and subject. */

import { join } from "node:path";
import type { AnyAudit, AuditSubject } from "../../audits/audit.ts";
import { CuelabError } from "../../core/errors.ts";
import { resolveSettings } from "../../core/settings.ts";
import { readPlainText } from "../../disk/plain-file.ts";
import { writeWhole } from "../../disk/write-whole.ts";
import { CoreClock, readCoreTime } from "../../runs/core-time.ts";
import { digestOf } from "../digest.ts";
import type { AuditJob, MeasuredAudit, StudyAnswer } from "./audit-job.ts";
import type { MadeFeatures } from "./features.ts";
import type { Job, JobShop, MadeJob, MadeThing } from "./job.ts";
import type { MadePools } from "./pools.ts";
import type { MadeRuns } from "./runs.ts";
import { labelOf } from "./runs-job.ts";

const auditsFolder = "audits";

export interface MadeAudit extends MadeJob {
  job: AuditJob;
  answers: readonly StudyAnswer[];
}

/** Paths or names, and what tells them apart wherever they lie. */
interface Subject {
  label: string;
  identity: unknown;
  things: readonly string[];
}

export const auditJob: Job<AuditJob, MadeAudit, MeasuredAudit> = {
  kind: "audit",
  of: "answers",
  one: "answer",
  folder: auditsFolder,
  id: digestOf,
  count: ({ of }) => ("things" in of ? 1 : undefined),
  seeds: () => [],
  needs: ({ of }) => ("job" in of ? [of.job] : []),
  check: async (job) => {
    resolveSettings((await auditOf(job)).question, job.question);
  },
  make: async (job, shop) => {
    const audit = await auditOf(job);
    const subjects = subjectsOf(job, audit, shop);
    const failures = new Map<string, string>();
    for (const subject of subjects) {
      shop.signal.throwIfAborted();
      try {
        await ask(job, audit, subject, shop);
      } catch (cause) {
        if (shop.signal.aborted || !(cause instanceof CuelabError)) throw cause;
        failures.set(idOf(job, audit, subject), cause.message);
      }
    }
    return found(job, audit, subjects, shop, failures);
  },
  find: async (job, shop) => {
    const audit = await auditOf(job);
    return found(job, audit, subjectsOf(job, audit, shop), shop, new Map());
  },
  measure: async ({ job, answers }) => (answers.length === 0 ? undefined : { kind: "audit", job, answers }),
  data: ({ answers }) => ({ answers }),
};

async function auditOf({ audit }: AuditJob): Promise<AnyAudit> {
  // All audits together are large, and few studies ask any.
  const { audits } = await import("../../audits/index.ts");
  return audits.get(audit);
}

function idOf({ question }: AuditJob, audit: AnyAudit, { identity }: Subject): string {
  return digestOf({ audit: audit.name, question: resolveSettings(audit.question, question), of: identity });
}

function subjectsOf({ of, name }: AuditJob, audit: AnyAudit, shop: JobShop): Subject[] {
  if ("things" in of) return [{ label: of.things.join(", "), identity: of, things: of.things }];
  const made = shop.made(of.job) as Partial<MadeRuns & MadePools & MadeFeatures>;
  const kind: AuditSubject = audit.of;
  if (made.cases !== undefined && kind === "predictions") return casesOf(made.cases);
  if (made.features !== undefined && kind === "features")
    return made.features.map(({ id, label, folder }) => ({ label, identity: id, things: [folder] }));
  if (made.pools !== undefined && (kind === "pool" || kind === "accuracies"))
    return made.pools.map(({ pool, classifiers, table }) => ({
      label: pool.dataset,
      identity: { pool, classifiers },
      things: [kind === "pool" ? join(shop.folder, "pools", pool.name) : table],
    }));
  throw new CuelabError({
    kind: "usage",
    what: `the part "${name}" asks "${audit.name}", which looks at ${kind}, of the part "${of.job}", which makes none`,
    expected: "runs for predictions, features for features, pools for a pool or for accuracies",
  });
}

function casesOf(cases: MadeRuns["cases"]): Subject[] {
  return cases.flatMap(({ case: each, runs }) => {
    const done = runs.filter(({ run }) => run.state === "done").map(({ run }) => run);
    if (done.length === 0) return [];
    const things = done.map(({ folder }) => folder);
    return [{ label: labelOf(each), identity: done.map(({ id }) => id), things }];
  });
}

const placeOf = (shop: JobShop, id: string) => join(shop.folder, auditsFolder, `${id}.json`);
const timeOf = (shop: JobShop, id: string) => join(shop.folder, auditsFolder, `${id}.time.json`);

async function ask(job: AuditJob, audit: AnyAudit, subject: Subject, shop: JobShop): Promise<void> {
  const id = idOf(job, audit, subject);
  if ((await stored(placeOf(shop, id))) !== undefined) return;
  const { answerOf } = await import("../../audits/ask.ts");
  const { openSubject } = await import("../../audits/open-subject.ts");
  const { signal, onWork } = shop;
  const hooks = {
    signal,
    onProgress: (doing: string, done: number, total: number | undefined, unit: string) =>
      onWork?.(doing, done, total ?? done, unit),
  };
  const clock = await CoreClock.begin(timeOf(shop, id));
  const data = "things" in job.of ? { set: job.of.set, dataSeed: job.of.dataSeed } : {};
  const opened = await openSubject(audit.of, subject.things, { ...hooks, ...data });
  try {
    const answered = await answerOf(audit, job.question, opened.subject, hooks);
    const answer = { audit: audit.name, question: job.question, of: subject.label, answer: answered.data() };
    await writeWhole(placeOf(shop, id), `${JSON.stringify(answer, null, 2)}\n`, { overwrite: true });
  } finally {
    await opened.close();
    await clock.save();
  }
}

async function stored(path: string): Promise<object | undefined> {
  const text = await readPlainText(path).catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as { answer: object }).answer;
}

async function found(
  job: AuditJob,
  audit: AnyAudit,
  subjects: readonly Subject[],
  shop: JobShop,
  failures: ReadonlyMap<string, string>,
): Promise<MadeAudit> {
  const answers: StudyAnswer[] = [];
  const things: MadeThing[] = [];
  for (const subject of subjects) {
    const id = idOf(job, audit, subject);
    const answer = await stored(placeOf(shop, id));
    if (answer !== undefined) answers.push({ id, label: subject.label, answer });
    const { coreSeconds = 0 } = (await readCoreTime(timeOf(shop, id))) ?? {};
    const { label } = subject;
    things.push({ id, label, done: answer ? 1 : 0, asked: 1, coreSeconds, error: failures.get(id) });
  }
  return { job, answers, things };
}
