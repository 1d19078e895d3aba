/** What a sweep would do: how many runs, how many of them are there already, and how long similar ones have taken. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { duration } from "../core/duration.ts";
import type { Section } from "../core/section.ts";
import { countCell } from "../core/section.ts";
import { leavesOf } from "../core/spec-differences.ts";
import { quantile } from "../core/statistics/index.ts";
import { type ListedRun, listAllRuns } from "../runs/listed-runs.ts";
import { runFiles, runId } from "../runs/run-folder.ts";
import { DataBook } from "../training/data-book.ts";
import type { RunSpec } from "../training/run-spec.ts";
import { checkSweep, countTrials, firstSpecs } from "./drive-sweep.ts";
import { sweepEntries } from "./sweep-entries.ts";
import type { Sweep } from "./sweep-file.ts";

interface PlannedEntry {
  label: string;
  dataset?: string;
  trials: number;
  seeds: number;
  /** Of those that are known before the search has chosen. */
  done: number;
  /** Of one run, by the clock; null where no similar run is there to tell. */
  secondsEach: number | null;
}

export interface SweepPlan {
  name: string;
  entries: PlannedEntry[];
  /** At most: equal runs count once when they are run. */
  runs: number;
  done: number;
  workers: number;
  /** Of all that is left, with so many at a time; null where it is not known of some entry. */
  seconds: number | null;
}

/** Everything is checked as before a start; nothing is written. */
export async function planSweep(
  sweep: Sweep,
  { folder, workers }: { folder: string; workers: number },
): Promise<SweepPlan> {
  const specs = await checkSweep(sweep, new DataBook());
  const finished = existsSync(folder)
    ? (await listAllRuns(folder)).filter(({ state, seconds }) => state === "finished" && seconds !== null)
    : [];
  const entries: PlannedEntry[] = [];
  for (const entry of sweepEntries(sweep)) {
    const known = await firstSpecs(entry, sweep.seeds, specs);
    const done = known.filter((spec) => existsSync(join(folder, runId(spec), runFiles.manifest))).length;
    entries.push({
      label: entry.label,
      ...(entry.dataset !== undefined && { dataset: entry.dataset }),
      trials: countTrials(entry, specs),
      seeds: sweep.seeds.length,
      done,
      secondsEach: timeOfSimilar(known[0]!, finished),
    });
  }
  const left = entries.map(({ trials, seeds, done, secondsEach }) =>
    secondsEach === null ? null : secondsEach * (trials + seeds - done),
  );
  const isKnown = (seconds: number | null): seconds is number => seconds !== null;
  return {
    name: sweep.name,
    entries,
    runs: entries.reduce((sum, { trials, seeds }) => sum + trials + seeds, 0),
    done: entries.reduce((sum, { done }) => sum + done, 0),
    workers,
    seconds: left.every(isKnown) ? left.reduce((sum, seconds) => sum + seconds, 0) / workers : null,
  };
}

const alike = ["data.name", "data.path", "model.name", "method.name"];

/** The median of runs on the same data with the same network and method, an epoch's time times the epochs. */
function timeOfSimilar(spec: RunSpec, finished: readonly ListedRun[]): number | null {
  const own = leavesOf(spec);
  const times = finished.flatMap(({ spec: theirs, seconds }) => {
    const leaves = leavesOf(theirs);
    if (alike.some((path) => leaves.get(path) !== own.get(path))) return [];
    return (seconds! / Number(leaves.get("epochs") ?? 1)) * spec.epochs;
  });
  return times.length === 0 ? null : quantile(times, 0.5);
}

export function showPlan({ name, entries, runs, done, workers, seconds }: SweepPlan): Section[] {
  const titles = ["entry", ...(entries.some(({ dataset }) => dataset) ? ["dataset"] : [])];
  const columns = [...titles, "trials", "seeds", "done before", "a run takes"].map((title) => ({ title }));
  const rows = entries.map(({ label, dataset, trials, seeds, done: found, secondsEach }) => ({
    cells: [
      label,
      ...(titles.length > 1 ? [dataset ?? null] : []),
      countCell(trials),
      countCell(seeds),
      countCell(found),
      secondsEach === null ? "unknown" : duration(secondsEach),
    ],
  }));
  // Which runs follow a search's first trials is known when these are done.
  const least = entries.some(({ trials }) => trials > 0) ? "at least " : "";
  const most = least === "" ? "" : "at most ";
  const time =
    seconds === null
      ? "how long it takes is not known: no finished run with the same data, network and method is in the folder"
      : `${most}about ${duration(seconds)} with ${workers} at a time, as similar runs in the folder took; other settings may change that`;
  return [
    { name: "plan", heading: "", tables: [{ name: "plan", caption: "", columns, rows }] },
    {
      name: "all",
      heading: "",
      text: `${name}: at most ${runs.toLocaleString("en")} runs, ${least}${done.toLocaleString("en")} of them done before\n${time}\nnothing was run`,
    },
  ];
}
