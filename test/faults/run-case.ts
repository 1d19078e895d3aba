/** A case under every fault at every change, under kills at random moments, and with others at the same place. */

import type { FaultCase } from "./cases.ts";
import { type Fault, faults } from "./fault.ts";
import { digestsIn } from "./tree.ts";
import { type Ended, Prepared, type Started, start } from "./trial.ts";

export interface CaseOptions {
  /** At how many changes, spread evenly, each fault happens at most; all of them where nothing is said. */
  places?: number | undefined;
  /** At random moments. */
  kills: number;
  /** Pairs of writers, or threesomes where several may work together. */
  together: number;
  faults?: readonly Fault[];
  tell: (line: string) => void;
}

export interface CaseResult {
  name: string;
  changes: number;
  /** Trials by what was done. */
  trials: Record<Fault | "kill -9" | "together", number>;
  /** Of kills at random moments, those that came before the end. */
  landed: number;
  problems: string[];
  seconds: number;
}

export async function runCase(
  of: FaultCase,
  folder: string,
  { places, kills, together, faults: asked = faults, tell }: CaseOptions,
): Promise<CaseResult> {
  const begun = performance.now();
  const prepared = await Prepared.make(of, folder);
  const trials = { killed: 0, torn: 0, full: 0, "read-only": 0, vanished: 0, "kill -9": 0, together: 0 };
  const result: CaseResult = {
    name: of.name,
    changes: prepared.changes.length,
    trials,
    landed: 0,
    problems: [],
    seconds: 0,
  };
  const note = (kind: keyof typeof trials, what: string, problems: readonly string[]) => {
    trials[kind]++;
    for (const problem of problems) {
      result.problems.push(`${what}: ${problem}`);
      tell(`${of.name}, ${what}: ${problem}`);
    }
  };
  for (const fault of asked) {
    for (const at of placesOf(prepared, fault, places))
      note(fault, `${fault} at change ${at}`, await prepared.disturbed(fault, at));
  }
  for (let kill = 0; kill < kills; kill++) {
    const { landed, problems } = await killed(prepared, (kill + 0.5) / kills);
    if (landed) result.landed++;
    note("kill -9", `kill ${kill + 1}`, problems);
  }
  for (let round = 0; round < together; round++)
    note("together", `together ${round + 1}`, await atOnce(prepared, round));
  result.seconds = (performance.now() - begun) / 1000;
  return result;
}

/** Numbers of changes that the fault can befall. */
function placesOf({ changes }: Prepared, fault: Fault, most = changes.length): number[] {
  const befalls = changes
    .map(({ kind }, index) => ({ kind, at: index + 1 }))
    .filter(({ kind }) => fault !== "torn" || kind === "write")
    .filter(({ kind }) => fault !== "full" || kind === "write" || kind === "create");
  const count = Math.min(most, befalls.length);
  // From the first to the last of them.
  const spread = (index: number) => Math.round((index * (befalls.length - 1)) / Math.max(1, count - 1));
  return Array.from({ length: count }, (_, index) => befalls[spread(index)]!.at);
}

/** `kill -9` of the main process alone, at this part of the time that the command takes; its children must notice. */
async function killed(prepared: Prepared, part: number): Promise<{ landed: boolean; problems: string[] }> {
  const work = prepared.begin();
  const { child, ended } = start(prepared.case.words, work);
  const timer = setTimeout(() => child.kill("SIGKILL"), part * prepared.ms);
  const { signal } = await ended;
  clearTimeout(timer);
  return { landed: signal === "SIGKILL", problems: await prepared.repeated(work) };
}

/** Of several at one place one wins, and the others are told or help; with another result, one of the two is there. */
async function atOnce(prepared: Prepared, round: number): Promise<string[]> {
  const { case: of } = prepared;
  const work = prepared.begin();
  const rivals = of.other === undefined ? [of.words, of.words] : [of.words, of.other];
  const all = of.shared ? [of.words, of.words, of.words] : round % 2 === 0 ? rivals : rivals.toReversed();
  const started = all.map((words) => start(words, work));
  // One of several drivers is lost on the way.
  if (of.shared && round % 2 === 1) setTimeout(() => started[0]!.child.kill("SIGKILL"), prepared.ms / 2);
  const ends = await Promise.all(started.map(({ ended }: Started) => ended));
  const problems = ends.flatMap((end) => (isTold(end) ? [] : [`one ended with ${end.code}: ${end.stderr}`]));
  const winners = all.filter((_, index) => ends[index]!.code === 0);
  if (winners.length === 0) return [...problems, "nobody won", ...ends.map(({ stderr }) => stderr)];
  if (winners.every((words) => words === of.words)) return [...problems, ...prepared.different(work)];
  if (winners.length > 1) return [...problems, "both won, with different results"];
  const [there, alone] = [digestsIn(work, of), await aloneAs(prepared, of.other!)];
  return JSON.stringify(there) === JSON.stringify(alone)
    ? problems
    : [...problems, "what is there is not what the winner makes"];
}

function isTold({ code, signal, stderr }: Ended): boolean {
  if (code === 0 || signal === "SIGKILL") return true;
  return code === 3 && /another process is working|already|appeared/.test(stderr);
}

async function aloneAs(prepared: Prepared, words: readonly string[]): Promise<object> {
  const work = prepared.begin();
  await start(words, work).ended;
  return digestsIn(work, prepared.case);
}
