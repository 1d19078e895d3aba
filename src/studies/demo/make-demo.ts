/** Makes the demo: its dataset on disk, its runs, and what they come to. What is there already is used again. */

import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Dataset } from "../../core/dataset.ts";
import { lookUp } from "../../core/look-up.ts";
import { type FillOptions, fillFolder } from "../../disk/fill-folder.ts";
import { formats } from "../../formats/index.ts";
import { type Manifest, readManifest } from "../../formats/manifest.ts";
import { writeDataset } from "../../formats/write-dataset.ts";
import { checkSweep, driveSweep } from "../../sweeps/drive-sweep.ts";
import { sweepText } from "../../sweeps/sweep-file.ts";
import { DataBook } from "../../training/data-book.ts";
import { type PoolRun, RunPool } from "../../training/run-pool.ts";
import { demoFindings } from "./findings.ts";
import { type DemoRun, measureDemoRun } from "./measure.ts";
import { type DemoChoice, demoData, demoMethods, demoSweep } from "./plan.ts";

export const demoFiles = { page: "report.html", sweep: "demo.yaml" } as const;

const checkpointSeconds = 15;

export interface MakeDemoOptions extends DemoChoice {
  out: string;
  force: boolean;
  workers: number;
  signal: AbortSignal;
  /** Images that are made of how many; not called where the dataset is there. */
  onImages?: (done: number, total: number) => void;
  onRuns?: (runs: readonly PoolRun[], total: number) => void;
}

export interface MadeDemo {
  dataset: Dataset;
  /** Where it lies. */
  folder: string;
  manifest: Manifest;
  runs: [DemoRun, ...DemoRun[]];
  findings: string[];
  /** What always guessing would get. */
  chance: number;
}

/** How the demo knows its own folder. */
export function demoFilling(out: string, force: boolean): FillOptions {
  // Earlier versions left no mark, but a dataset of that name.
  return { by: "demo", force, wasOurs: existsSync(join(demoFolder(out), "dataset.json")) };
}

function demoFolder(out: string): string {
  return join(out, demoData(1).name);
}

/** Those that failed instead, where some have. */
export async function makeDemo(options: MakeDemoOptions): Promise<MadeDemo | { failed: PoolRun[] }> {
  const { out, force, images, explicit, signal } = options;
  const book = new DataBook();
  const { dataset } = await book.open(demoData(images));
  const folder = demoFolder(out);
  const manifest = await madeDataset(dataset, folder, options);
  const sweep = demoSweep(options);
  const text = await sweepText(sweep);
  // Before the runs, and by itself: the page of an earlier demo stays until there is a new one.
  await fillFolder(out, { ...demoFilling(out, force), by: "demo sweep" }, (write) =>
    write(demoFiles.sweep, text),
  );
  const specs = await checkSweep(sweep, book);
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
  const cues = Object.keys(dataset.attributes).filter((cue) => dataset.attributes[cue]!.role === "cue");
  const runs: DemoRun[] = [];
  for (const method of demoMethods(explicit))
    runs.push(await measureDemoRun(method, lookUp(made, method.label), cues, signal));
  const all = runs as [DemoRun, ...DemoRun[]];
  const chance = 1 / dataset.classNames.length;
  return { dataset, folder, manifest, runs: all, findings: demoFindings(all, chance), chance };
}

/** Made once: what is there from an earlier demo is used again, and what is not the demo's is left alone. */
async function madeDataset(
  dataset: Dataset,
  out: string,
  { workers, signal, onImages }: MakeDemoOptions,
): Promise<Manifest> {
  const before = await readManifest(out);
  const identity = (made: Pick<Dataset["provenance"], "generator" | "settings" | "seed">) =>
    JSON.stringify([made.generator, made.settings, made.seed]);
  if (before && identity(before) === identity(dataset.provenance)) return before;
  return writeDataset(dataset, {
    out,
    format: formats.get("folder"),
    encoding: "png",
    force: false,
    workers,
    signal,
    onProgress: (done) => onImages?.(done, dataset.images.count),
  });
}
