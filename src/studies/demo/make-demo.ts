/** Makes the demo: its runs, and what they come to. What is there already is used again. */

import { resolve } from "node:path";
import type { Dataset } from "../../core/dataset.ts";
import { lookUp } from "../../core/look-up.ts";
import { type FillOptions, fillFolder } from "../../disk/fill-folder.ts";
import { checkSweep, driveSweep } from "../../sweeps/drive-sweep.ts";
import { sweepText } from "../../sweeps/sweep-file.ts";
import { DataBook } from "../../training/data-book.ts";
import { type PoolRun, RunPool } from "../../training/run-pool.ts";
import { demoFindings } from "./findings.ts";
import { type DemoRun, measureDemo } from "./measure.ts";
import { type DemoChoice, demoData, demoMethods, demoSweep } from "./plan.ts";

export const demoFiles = { page: "report.html", sweep: "demo.yaml" } as const;

const checkpointSeconds = 15;

export interface MakeDemoOptions extends DemoChoice {
  out: string;
  force: boolean;
  workers: number;
  signal: AbortSignal;
  onRuns?: (runs: readonly PoolRun[], total: number) => void;
}

export interface MadeDemo {
  dataset: Dataset;
  runs: [DemoRun, ...DemoRun[]];
  findings: string[];
}

/** How the demo knows its own folder. */
export function demoFilling(force: boolean): FillOptions {
  return { by: "demo", force };
}

/** Those that failed instead, where some have. */
export async function makeDemo(options: MakeDemoOptions): Promise<MadeDemo | { failed: PoolRun[] }> {
  const { out, force, explicit, signal } = options;
  const book = new DataBook();
  const { dataset } = await book.open(demoData(options));
  const sweep = demoSweep(options);
  const text = await sweepText(sweep);
  const specs = await checkSweep(sweep, book);
  // Before the runs, and by itself: the page of an earlier demo stays until there is a new one.
  await fillFolder(out, { ...demoFilling(force), by: "demo sweep" }, (write) => write(demoFiles.sweep, text));
  const pool = new RunPool({
    folder: resolve(out, "runs"),
    workers: options.workers,
    signal,
    checkpointSeconds,
    onChange: () => options.onRuns?.(pool.runs, sweep.runs.length),
  });
  const { entries } = await driveSweep(sweep, specs, pool);
  const made = new Map(entries.map((entry) => [entry.label, entry.runs[0]!]));
  const failed = [...made.values()].filter(({ state }) => state !== "done");
  if (failed.length > 0) return { failed };
  const finished = demoMethods(explicit).map((method) => {
    const { id, folder } = lookUp(made, method.label);
    return { method, id, folder };
  });
  const runs = (await measureDemo(finished, signal)) as [DemoRun, ...DemoRun[]];
  return { dataset, runs, findings: demoFindings(runs) };
}
