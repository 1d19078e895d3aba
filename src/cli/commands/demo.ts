/** `cuelab demo`: a first look on embedded data, from nothing to a biased dataset with its numbers and its picture. */

import { join } from "node:path";
import type { Command } from "commander";
import { cueStatistics } from "../../core/cue-statistics.ts";
import type { Dataset } from "../../core/dataset.ts";
import { datasets } from "../../datasets/index.ts";
import { contactSheetName } from "../../formats/card/contact-sheet.ts";
import { formats } from "../../formats/index.ts";
import { readManifest } from "../../formats/manifest.ts";
import { writeDataset } from "../../formats/write-dataset.ts";
import { cueTable } from "../cue-table.ts";
import { addOutputOptions, addWorkers, type OutputOptions } from "../options.ts";
import type { Session } from "../program.ts";

interface DemoOptions extends OutputOptions {
  out: string;
  workers: number;
}

export function addDemo(program: Command, session: Session): void {
  const command = program
    .command("demo")
    .description("make ColoredMNIST, print how its cue goes with the label, and draw a contact sheet")
    .option("--out <folder>", "where to put everything", "cuelab-demo");
  addOutputOptions(addWorkers(command))
    .addHelpText("after", "\nExamples:\n  $ cuelab demo\n  $ cuelab demo --out somewhere --json")
    .action((options: DemoOptions) => demo(options, session));
}

/** The demo may be run again: its own dataset is replaced by the same bytes, and no other is. */
async function isOwnDataset(out: string, { provenance }: Dataset): Promise<boolean> {
  const manifest = await readManifest(out);
  if (manifest === undefined) return false;
  const identity = (made: Pick<Dataset["provenance"], "generator" | "settings" | "seed">) =>
    JSON.stringify([made.generator, made.settings, made.seed]);
  return identity(manifest) === identity(provenance);
}

async function demo(options: DemoOptions, { console, signal }: Session): Promise<void> {
  const out = join(options.out, "colored-mnist");
  const dataset = await datasets.get("colored-mnist").build({}, 0);
  const progress = console.follow(options.quiet);
  progress.begin("making colored-mnist", dataset.images.count);
  const manifest = await writeDataset(dataset, {
    out,
    format: formats.get("folder"),
    encoding: "png",
    force: await isOwnDataset(out, dataset),
    workers: options.workers,
    signal,
    onProgress: progress.update,
  });
  progress.finish();
  const cues = cueStatistics(dataset, dataset.provenance.statisticsBy);
  const sheet = join(out, contactSheetName);
  if (options.json) {
    console.json({ out, count: manifest.count, splits: manifest.splits, hash: manifest.hash, cues, sheet });
    return;
  }
  console.print(`${manifest.count.toLocaleString("en")} images in ${out}\nhash ${manifest.hash}\n`);
  console.print(cueTable(cues));
  console.print(`
Shape alone can be right 75% of the time, since a quarter of the labels is flipped. In training (environments 0.1
and 0.2) colour tells the label better than shape does; in the test environment (0.9) it says the opposite.

picture    ${sheet}
data card  ${join(out, "README.md")}
next       cuelab data list; cuelab data show colored-mnist; cuelab data check ${out}`);
}
