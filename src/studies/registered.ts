/** The plan of a study on disk: recorded before the first run, compared with the present one ever after. */

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { Finding } from "../core/section.ts";
import { readPlainText } from "../disk/plain-file.ts";
import { writeWhole } from "../disk/write-whole.ts";
import { canonical, digestOf } from "./digest.ts";
import { jobKinds, kindOf } from "./jobs/index.ts";
import type { StudyJob } from "./jobs/kinds.ts";
import { givenNames, type PresetName, type RegisteredPlan, type Study } from "./study.ts";

/** Never replaced, not even by --force. */
const planFile = "plan.json";

/** As far as it is compared, by the names of findings and parts. */
const recordedSchema = z.object({
  digest: z.string(),
  madeBefore: z.int().min(0),
  registered: z.looseObject({ findings: z.array(z.looseObject({ claim: z.string() })) }),
  jobs: z.array(z.looseObject({ name: z.string() })),
});

export interface Planned {
  study: string;
  preset: PresetName;
  registered: RegisteredPlan;
  jobs: readonly StudyJob[];
}

interface RecordedPlan extends Planned {
  digest: string;
  /** Runs, pools and the like that lay in the folder before there was a plan. */
  madeBefore: number;
}

/** How the present plan stands to the recorded one. */
export interface PlanStatus {
  digest: string;
  /** Null where nothing was recorded. */
  recorded: { digest: string; madeBefore: number } | null;
  /** In words, what differs; empty where nothing does. */
  differences: readonly string[];
}

/** Where things lie is given by people and decides nothing: the plan has the name of what can be given in its place. */
export function plannedOf(study: Study, preset: PresetName): Planned {
  const given = Object.fromEntries(givenNames(study, preset).map((name) => [name, `<${name}>`]));
  return {
    study: study.name,
    preset,
    registered: study.registered(preset),
    jobs: study.jobs(preset, given),
  };
}

export function planDigest(planned: Planned): string {
  return digestOf(planned);
}

/** Before the first run; a plan that is there stays. */
export async function recordPlan(folder: string, planned: Planned): Promise<void> {
  if ((await recordedPlan(folder)) !== undefined) return;
  const record: RecordedPlan = { digest: planDigest(planned), madeBefore: thingsIn(folder), ...planned };
  await writeWhole(join(folder, planFile), `${JSON.stringify(record, null, 2)}\n`, { overwrite: false });
}

export async function planStatus(folder: string, planned: Planned): Promise<PlanStatus> {
  const digest = planDigest(planned);
  const recorded = await recordedPlan(folder);
  if (recorded === undefined) return { digest, recorded: null, differences: [] };
  return {
    digest,
    recorded: { digest: recorded.digest, madeBefore: recorded.madeBefore },
    differences: recorded.digest === digest ? [] : differencesOf(recorded, planned),
  };
}

async function recordedPlan(folder: string): Promise<RecordedPlan | undefined> {
  const text = await readPlainText(join(folder, planFile)).catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    const plan: unknown = JSON.parse(text);
    if (recordedSchema.safeParse(plan).success) return plan as RecordedPlan;
  } catch {
    // As good as another plan: it differs in everything.
  }
  return { digest: "unreadable", madeBefore: 0 } as RecordedPlan;
}

function thingsIn(folder: string): number {
  return jobKinds.reduce((sum, kind) => {
    try {
      return sum + readdirSync(join(folder, kindOf({ kind }).folder)).length;
    } catch {
      return sum;
    }
  }, 0);
}

/** By the names of parts and claims, as people would say it. */
function differencesOf(recorded: Partial<Planned>, present: Planned): string[] {
  const before: Partial<RegisteredPlan> = recorded.registered ?? {};
  const { findings, ...rest } = present.registered;
  const general = Object.entries(rest).flatMap(([key, value]) => {
    const was = before[key as keyof RegisteredPlan];
    if (canonical(was ?? null) === canonical(value)) return [];
    const plain = typeof value !== "object" && typeof was !== "object";
    return [plain ? `${key} was ${was ?? "not told"}, is ${value}` : `${key} changed`];
  });
  return [
    ...general,
    ...listed("finding", before.findings ?? [], findings, ({ claim }) => claim),
    ...listed("part", recorded.jobs ?? [], present.jobs, ({ name }) => name),
  ];
}

function listed<Entry>(
  what: string,
  before: readonly Entry[],
  present: readonly Entry[],
  nameOf: (entry: Entry) => string,
): string[] {
  const found = (entries: readonly Entry[], name: string) => entries.find((entry) => nameOf(entry) === name);
  const changed = present.flatMap((entry) => {
    const was = found(before, nameOf(entry));
    if (was === undefined) return [`${what} "${nameOf(entry)}" is new`];
    return canonical(was) === canonical(entry) ? [] : [`${what} "${nameOf(entry)}" changed`];
  });
  const gone = before.filter((entry) => found(present, nameOf(entry)) === undefined);
  return [...changed, ...gone.map((entry) => `${what} "${nameOf(entry)}" is gone`)];
}

/** A finding whose claim or rule came later, and all of them where what they are judged by did. */
export function withExploratory(
  findings: readonly Finding[],
  { recorded, differences }: PlanStatus,
): Finding[] {
  const general = recorded === null || differences.some((words) => !/^(finding|part) "/.test(words));
  return findings.map((finding) => {
    const own = differences.some((words) => words.startsWith(`finding "${finding.claim}" `));
    return general || own ? { ...finding, exploratory: true } : finding;
  });
}
