/** `cuelab demo`: a first look, from nothing to three trained networks, their shortcuts, and a page about them. */

import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Command } from "commander";
import type { Dataset } from "../../core/dataset.ts";
import { quoted } from "../../core/shell-words.ts";
import { checkFillable, type FillOptions, fillFolder } from "../../disk/fill-folder.ts";
import { contactSheetName } from "../../formats/card/contact-sheet.ts";
import { formats } from "../../formats/index.ts";
import { type Manifest, readManifest } from "../../formats/manifest.ts";
import { writeDataset } from "../../formats/write-dataset.ts";
import { textTable } from "../../reports/as-text.ts";
import { demoFindings } from "../../reports/demo/findings.ts";
import { type DemoRun, measureDemoRun } from "../../reports/demo/measure.ts";
import { demoPage } from "../../reports/demo/page.ts";
import { variables } from "../../studies/biased-mnist/variables.ts";
import { demoData, demoDefaults, demoMethods, demoSweep } from "../../studies/demo.ts";
import { percent, points } from "../../studies/summaries.ts";
import { checkSweep, driveSweep } from "../../sweeps/drive-sweep.ts";
import { type Sweep, sweepText } from "../../sweeps/sweep-file.ts";
import { DataBook } from "../../training/data-book.ts";
import { type PoolRun, RunPool } from "../../training/run-pool.ts";
import { addOutputOptions, addWorkers, choice, type OutputOptions, wholeNumber } from "../options.ts";
import { PoolProgress } from "../pool-progress.ts";
import type { Session } from "../program.ts";

interface DemoOptions extends OutputOptions {
  out: string;
  explicit: string;
  images: number;
  epochs: number;
  workers: number;
  force?: boolean;
}

const checkpointSeconds = 15;
const pageName = "report.html";
const sweepName = "demo.yaml";

export function addDemo(program: Command, session: Session): void {
  const command = program
    .command("demo")
    .description("train three networks on images full of shortcuts, and see which shortcuts they take")
    .option("--out <folder>", "where to put everything", "cuelab-demo")
    .option("--force", "replace the page and the sweep file where they were changed since, or are others'")
    .addOption(
      choice("--explicit <cue>", "the one cue that a method is told", variables).default(
        demoDefaults.explicit,
      ),
    )
    .option("--images <n>", "training images", wholeNumber(100, 50_000), demoDefaults.images)
    .option("--epochs <n>", "passes over them", wholeNumber(1, 1000), demoDefaults.epochs);
  addOutputOptions(addWorkers(command))
    .addHelpText(
      "after",
      `
Makes a small Biased MNIST, trains a standard model, a method that is told one cue, and one that is told none, two
at a time, and writes a page about them: report.html. Run it again after an interruption: it goes on where it was.

Examples:
  $ cuelab demo
  $ cuelab demo --explicit texture
  $ cuelab demo --images 2000 --epochs 2 --out quick --json`,
    )
    .action((options: DemoOptions) => demo(options, session));
}

async function demo(options: DemoOptions, session: Session): Promise<void> {
  const { console } = session;
  const data = demoData(options.images);
  const book = new DataBook();
  const { dataset } = await book.open(data);
  const folder = join(options.out, data.name);
  const filling: FillOptions = {
    by: "demo",
    force: options.force ?? false,
    // Earlier versions left no mark, but a dataset of that name.
    wasOurs: existsSync(join(folder, "dataset.json")),
  };
  await checkFillable(options.out, [pageName, sweepName], filling);
  const manifest = await madeDataset(dataset, folder, options, session);
  const sweep = demoSweep(options);
  const sweepFile = join(options.out, sweepName);
  const text = await sweepText(sweep);
  // Before the runs, and by itself: the page of an earlier demo stays until there is a new one.
  await fillFolder(options.out, { ...filling, by: "demo sweep" }, (write) => write(sweepName, text));
  const finished = await madeRuns(sweep, book, options, session);
  if (finished === undefined) return;
  const cues = Object.keys(dataset.attributes).filter((cue) => dataset.attributes[cue]!.role === "cue");
  const runs: DemoRun[] = [];
  for (const method of demoMethods(options.explicit))
    runs.push(await measureDemoRun(method, finished.get(method.label)!, cues, session.signal));
  const chance = 1 / dataset.classNames.length;
  const findings = demoFindings(runs as [DemoRun, ...DemoRun[]], chance);
  const report = join(options.out, pageName);
  const next = nextCommands(options, runs, sweepFile);
  const page = await demoPage({
    dataset,
    hash: manifest.hash,
    runs,
    findings,
    chance,
    choice: options,
    next,
  });
  await fillFolder(options.out, filling, (write) => write(pageName, page));
  const sheet = join(folder, contactSheetName);
  if (options.json) {
    const data = { folder, count: manifest.count, splits: manifest.splits, hash: manifest.hash, sheet };
    console.json({ out: options.out, report, data, explicit: options.explicit, chance, runs, findings });
    return;
  }
  console.print(`${resultTable(runs)}

gap: accuracy where the cue goes with the class, less that where it does not, in points (95% interval over test images)

${findings.map((finding) => wrapped(finding)).join("\n\n")}

report     ${report}
data       ${folder} (${manifest.count.toLocaleString("en")} images; ${sheet})

next
${next.map(([command]) => `  ${command}`).join("\n")}`);
}

/** Made once: what is there from an earlier demo is used again, and what is not the demo's is left alone. */
async function madeDataset(
  dataset: Dataset,
  out: string,
  options: DemoOptions,
  { console, signal }: Session,
): Promise<Manifest> {
  const known = await readManifest(out);
  const identity = (made: Pick<Dataset["provenance"], "generator" | "settings" | "seed">) =>
    JSON.stringify([made.generator, made.settings, made.seed]);
  if (known && identity(known) === identity(dataset.provenance)) return known;
  const progress = console.follow(options.quiet);
  progress.begin(`making ${dataset.name}`, dataset.images.count);
  const manifest = await writeDataset(dataset, {
    out,
    format: formats.get("folder"),
    encoding: "png",
    force: false,
    workers: options.workers,
    signal,
    onProgress: progress.update,
  });
  progress.finish();
  return manifest;
}

/** By their labels; undefined where some have failed, which is told. */
async function madeRuns(
  sweep: Sweep,
  book: DataBook,
  { out, workers, quiet, json }: DemoOptions,
  { console, signal, finishWith }: Session,
): Promise<Map<string, PoolRun> | undefined> {
  const specs = await checkSweep(sweep, book);
  const progress = new PoolProgress({ console, quiet, total: sweep.runs.length, workers });
  const pool = new RunPool({
    folder: resolve(out, "runs"),
    workers,
    signal,
    checkpointSeconds,
    onChange: () => progress.update(pool.runs),
  });
  try {
    const { entries } = await driveSweep(sweep, specs, pool);
    const runs = new Map(entries.map((entry) => [entry.label, entry.runs[0]!]));
    const failed = [...runs.values()].filter(({ state }) => state !== "done");
    if (failed.length === 0) return runs;
    for (const { label, error } of failed) console.problem(`${label}: ${error?.message ?? "unknown"}`);
    if (json) console.json({ failed: failed.map(({ id, label }) => ({ id, label })) });
    finishWith(4);
    return undefined;
  } catch (cause) {
    if (signal.aborted) console.note("saved; the same command goes on from here");
    throw cause;
  } finally {
    progress.clear();
  }
}

function resultTable(runs: readonly DemoRun[]): string {
  const told = runs.flatMap((run) => run.told);
  const [first] = runs as [DemoRun];
  return textTable(
    ["", ...runs.map(({ label }) => label)],
    [
      ["accuracy", ...runs.map(({ accuracy: { value, low, high } }) => [value, low, high].map(percent))],
      ...Object.keys(first.cues).map((cue) => [
        `gap ${cue}${told.includes(cue) ? " (told)" : ""}`,
        ...runs.map(({ cues }) =>
          [cues[cue]!.mmd.value, cues[cue]!.mmd.low, cues[cue]!.mmd.high].map(points),
        ),
      ]),
    ].map(([name, ...cells]) => [
      name as string,
      ...cells.map(([value, low, high]) => `${value!.padStart(5)} (${low} to ${high})`),
    ]),
  );
}

/** As one types them in a clone of this repository. */
function nextCommands(
  { out, images, epochs }: DemoOptions,
  runs: readonly DemoRun[],
  sweep: string,
): [string, string][] {
  const [first] = runs as [DemoRun];
  const folder = quoted(join(out, "runs"));
  const size = [
    images === demoDefaults.images ? "" : ` --images ${images}`,
    epochs === demoDefaults.epochs ? "" : ` --epochs ${epochs}`,
  ].join("");
  const other = variables.find((cue) => !runs.some(({ told }) => told.includes(cue)));
  return [
    [
      `npx cuelab eval ${quoted(join(out, "runs", first.id))}`,
      "Every bias metric of one run, with its groups:",
    ],
    [`npx cuelab runs compare ${folder}`, "The runs side by side, also as LaTeX (runs export):"],
    [
      `npx cuelab demo --out ${quoted(out)}${size} --explicit ${other}`,
      "Tell the method another cue; only its run is made, the others are there:",
    ],
    [
      `npx cuelab sweep run ${quoted(sweep)} --out ${folder}`,
      "The three runs as a file; copy it, and add methods, seeds or a search:",
    ],
    [
      "npx cuelab data make biased-mnist --set count.train=5000 --set pBias.texture=0.9 --out my-data",
      "Make a variant of your own:",
    ],
    [
      "npx cuelab train --data my-data --model biased-mnist-cnn --method rubi --explicit texture --out my-run",
      "And train on it:",
    ],
    ["npx cuelab study run biased-mnist --preset quick", "The paper's whole experiment, in small:"],
  ];
}

/** Sentences in lines that fit a terminal. */
function wrapped(text: string, width = 100): string {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines.join("\n");
}
