/** Which trials a case has (every fault at every change, kills at many moments, others at the same place), and one of them. */

import { type Fault, faults } from "./fault.ts";
import { type Ended, type Host, type Started, start } from "./processes.ts";
import { digestsIn } from "./tree.ts";
import type { Prepared } from "./trial.ts";

export interface CaseOptions {
  /** At how many changes, spread evenly, each fault happens at most; all of them where nothing is said. */
  places?: number | undefined;
  /** What part of the faults befalls processes of their own instead of a host's. */
  alone: number;
  /** At moments spread evenly. */
  kills: number;
  /** Pairs of writers, or threesomes where several may work together. */
  together: number;
}

export const kinds = [...faults, "kill -9", "together"] as const;

/** A fault at a change; the n-th of so many kills; the n-th round together. */
export interface Trial {
  kind: (typeof kinds)[number];
  at: number;
  of: number;
  /** In processes of its own. */
  alone?: boolean;
}

export interface Outcome {
  /** Whether a kill came before the end. */
  landed: boolean;
  /** Whether the command was given again; not where just this was on the disk before, and it came to a good end. */
  repeated: boolean;
  problems: string[];
}

/** In an order of which every beginning is spread evenly. */
export function trialsOf(
  prepared: Pick<Prepared, "changes">,
  { places, alone, kills, together }: CaseOptions,
): Trial[] {
  const lists: Trial[][] = [
    ...faults.map((kind, index) =>
      placesOf(prepared, kind, places).map((at) => ({
        kind,
        at,
        of: 0,
        // Others of each fault.
        ...((at * golden + index / faults.length) % 1 < alone && { alone: true }),
      })),
    ),
    Array.from({ length: kills }, (_, at) => ({ kind: "kill -9" as const, at, of: kills })),
    Array.from({ length: together }, (_, at) => ({ kind: "together" as const, at, of: together })),
  ];
  return interleaved(lists.map(spread));
}

/** Of several lists, each in its order, so that of all as large a part is done at any time. */
export function interleaved<Item>(lists: readonly (readonly Item[])[]): Item[] {
  return lists
    .flatMap((list) => list.map((item, index) => ({ item, when: (index + 0.5) / list.length })))
    .sort((a, b) => a.when - b.when)
    .map(({ item }) => item);
}

/** Whatever was taken, the next multiple of it falls, modulo one, into one of the widest gaps. */
const golden = (Math.sqrt(5) - 1) / 2;

function spread<Item>(items: readonly Item[]): Item[] {
  return items
    .map((item, index) => ({ item, when: ((index + 1) * golden) % 1 }))
    .sort((a, b) => a.when - b.when)
    .map(({ item }) => item);
}

export function nameOf({ kind, at }: Trial): string {
  return kind === "kill -9" || kind === "together" ? `${kind} ${at + 1}` : `${kind} at change ${at}`;
}

export async function runTrial(
  prepared: Prepared,
  { kind, at, of, alone }: Trial,
  host: Host,
): Promise<Outcome> {
  if (kind === "kill -9") return killed(prepared, (at + 0.5) / of, host);
  if (kind === "together") return { landed: false, repeated: false, problems: await atOnce(prepared, at) };
  const disturbed = alone ? prepared.disturbedAlone(kind, at) : prepared.disturbed(kind, at, host);
  return { landed: false, ...(await disturbed) };
}

/** Numbers of changes that the fault can befall. */
function placesOf({ changes }: Pick<Prepared, "changes">, fault: Fault, most = changes.length): number[] {
  const befalls = changes
    .map(({ kind }, index) => ({ kind, at: index + 1 }))
    .filter(({ kind }) => fault !== "torn" || kind === "write")
    .filter(({ kind }) => fault !== "full" || kind === "write" || kind === "create");
  const count = Math.min(most, befalls.length);
  // From the first to the last of them.
  const place = (index: number) => Math.round((index * (befalls.length - 1)) / Math.max(1, count - 1));
  return Array.from({ length: count }, (_, index) => befalls[place(index)]!.at);
}

/** `kill -9` of the main process alone, at this part of the time that the command takes; its children must notice. */
async function killed(prepared: Prepared, part: number, host: Host): Promise<Outcome> {
  const work = prepared.begin();
  const { child, ended } = start(prepared.case.words, work);
  const timer = setTimeout(() => child.kill("SIGKILL"), part * prepared.ms);
  const { signal } = await ended;
  clearTimeout(timer);
  return { landed: signal === "SIGKILL", repeated: true, problems: await prepared.repeated(work, host) };
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
