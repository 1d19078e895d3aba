/** `data make`: settings and a seed become a dataset on disk. */

import { resolve } from "node:path";
import type { Command } from "commander";
import { cuesOf, occurrenceCells, slicesOf } from "../../core/cue-statistics.ts";
import type { Dataset } from "../../core/dataset.ts";
import { CuelabError } from "../../core/errors.ts";
import { quoted } from "../../core/shell-words.ts";
import type { StoredEncoding } from "../../formats/format.ts";
import { makeDataset } from "../../formats/make-dataset.ts";
import { textTable } from "../../reports/text-table.ts";
import {
  addOutputOptions,
  addSettings,
  addWorkers,
  choice,
  formatOption,
  type OutputOptions,
} from "../options.ts";
import type { Session } from "../program.ts";

interface MakeOptions extends OutputOptions {
  set: string[];
  seed: number;
  workers: number;
  out?: string;
  format: string;
  image?: StoredEncoding;
  sideImages: boolean;
  force?: boolean;
  dryRun?: boolean;
}

export function addMake(data: Command, session: Session): void {
  const command = data.command("make <name>").description("make a dataset and write it to a folder");
  addSettings(command)
    .option("--out <folder>", "where to write it; needed, but for --dry-run")
    .addOption(formatOption("--format <format>", "how to store it").default("folder"))
    .addOption(
      choice("--image <encoding>", "how to store each image, in formats with image files", ["png", "jpeg"]),
    )
    .option("--no-side-images", "leave out pictures that go with each image, such as masks")
    .option("--force", "replace a dataset that is there already")
    .option("--dry-run", "say what would be made, and write nothing");
  addOutputOptions(addWorkers(command))
    .addHelpText(
      "after",
      `
Examples:
  $ cuelab data make colored-mnist --out D
  $ cuelab data make colored-mnist --out D --format parquet --seed 1
  $ cuelab data make colored-mnist --out D --set environments=0.1,0.3,0.9 --set labelNoise=0
  $ cuelab data make diagvib-study:shape-hue-FGO-5-0 --out D
  $ cuelab data make colored-mnist --dry-run --json`,
    )
    .action((name: string, options: MakeOptions) => make(name, options, session));
}

async function make(name: string, options: MakeOptions, { console, signal }: Session): Promise<void> {
  const { set, seed, format, image: encoding, sideImages, workers, force = false, dryRun } = options;
  const suggested = name.replaceAll(":", "-");
  const out = resolve(options.out ?? suggested);
  const nowhere = options.out === undefined && dryRun !== true;
  const progress = console.follow(options.quiet);
  const { dataset, plan, manifest } = await makeDataset(name, {
    set,
    seed,
    out,
    format,
    encoding,
    sideImages,
    workers,
    force,
    dryRun: nowhere || dryRun,
    signal,
    onBegun: (images) => progress.begin(`making ${name}`, images),
    onProgress: progress.update,
  });
  if (nowhere) throw noPlace(suggested, plan);
  if (manifest === undefined) {
    if (options.json) console.json({ dryRun: true, ...plan });
    else console.print(`would make ${madeText(plan)}\nsettings: ${JSON.stringify(plan.settings)}`);
  } else {
    progress.finish();
    if (options.json) console.json({ ...manifest, out });
    else console.print(`made ${madeText({ ...manifest, out })}\nhash ${manifest.hash}`);
  }
  if (!options.json) for (const matrix of matrices(dataset)) console.print(`\n${matrix}`);
}

/** Tens of thousands of files are not strewn into whichever folder one happens to be in. */
function noPlace(suggested: string, { count, format }: { count: number; format: string }): CuelabError {
  return new CuelabError({
    kind: "usage",
    what: `where to write these ${count.toLocaleString("en")} images is not said`,
    expected: `--out with a new or empty folder (format: ${format})`,
    todo: `add --out ${quoted(suggested)}, or --dry-run to see what would be made`,
  });
}

/** Larger tables than this are for the data card. */
const mostCells = 36;

/** How often each class occurs with each value of a cue that is meant to go with it, for cues of few values. */
function matrices(dataset: Dataset): string[] {
  return cuesOf(dataset)
    .filter(
      ([, { valueNames, classValues }]) =>
        classValues !== undefined && valueNames.length * dataset.classNames.length <= mostCells,
    )
    .map(([cue, attribute]) =>
      textTable(
        ["split", "class", ...attribute.valueNames.map((value) => `${cue} ${value}`)],
        occurrenceCells(dataset, attribute, slicesOf(dataset)),
      ),
    );
}

function madeText(made: {
  name: string;
  count: number;
  splits: Record<string, number>;
  format: string;
  out: string;
}): string {
  const parts = Object.entries(made.splits).map(([split, count]) => `${split} ${count.toLocaleString("en")}`);
  return `${made.name}: ${made.count.toLocaleString("en")} images (${parts.join(", ")}) as ${made.format} in ${made.out}`;
}
