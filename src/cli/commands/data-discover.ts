/** `data discover`: which properties of files and pixels go with a class, though nobody wrote them down. */

import { join } from "node:path";
import type { Command } from "commander";
import { checkFillable } from "../../disk/fill-folder.ts";
import { seedOfData } from "../../training/named-data.ts";
import {
  type AnswerOptions,
  addAnswerOptions,
  answerHooks,
  checkReport,
  printAnswer,
  writeAnswer,
} from "../answers.ts";
import { addSettings, addWorkers, list, number } from "../options.ts";
import type { Session } from "../program.ts";
import { addReading, type ReadingOptions, readingOf } from "../reading-options.ts";

interface DiscoverOptions extends AnswerOptions, ReadingOptions {
  set: string[];
  seed: number;
  onSplit?: string;
  effect: number;
  rate: number;
  clusterBy?: string[];
  without?: string[];
  features?: string;
  workers: number;
  out?: string;
}

export function addDiscover(data: Command, session: Session): void {
  const command = data
    .command("discover <data>")
    .description("shortcuts that nobody wrote down: which properties of files and pixels give a class away");
  addSettings(addWorkers(command))
    .option(
      "--on-split <name>",
      "findings about images of this split, or all (default: train, where there is any)",
    )
    .option(
      "--cluster-by <columns>",
      "images with one value of these belong together and count as one: patient",
      list,
    )
    .option(
      "--without <what>",
      "take it away from all images and measure again: colour, encoding, border; several by commas",
      list,
    )
    .option(
      "--effect <share>",
      "least difference between a class's share and that of all others",
      number,
      0.2,
    )
    .option("--rate <share>", "most expected share of false findings", number, 0.05)
    .option(
      "--features <folder>",
      "a network's features of the same images, or a run on them, as further properties",
    )
    .option("--out <folder>", "write a page, its figures and pictures, tables and data")
    .option("--force", "replace other files of the same names there");
  addAnswerOptions(addReading(command))
    .addHelpText(
      "after",
      `
Measured: the names of files, what is stored in them (format, size, JPEG quality, camera, date, software), what their
pixels look like (grey, brightness, hue, sharpness, border, background, stamps, where things are). Also: what tiny
classifiers reach without seeing the object, pictures that are there twice, and groups that lie in two splits.

Examples:
  $ cuelab data discover photos --report page.html
  $ cuelab data discover photos --without encoding,colour
  $ cuelab data discover scans --cluster-by patient --json
  $ cuelab data discover urban-cars --set size=64 --set count.train=2000`,
    )
    .action((name: string, options: DiscoverOptions) => discover(name, options, session));
}

async function discover(name: string, options: DiscoverOptions, session: Session): Promise<void> {
  await checkReport(options);
  const {
    out,
    set,
    seed,
    onSplit: split,
    effect,
    rate,
    clusterBy = [],
    without = [],
    features,
    workers,
  } = options;
  const asked = { by: "data discover", force: options.force ?? false };
  const filling = out === undefined ? asked : await checkFillable(out, ["discover.html"], asked);
  const { answerOf, discoverAudit, openSubject } = await import("../ask-discover.ts");
  const hooks = answerHooks(options, session);
  const { subject, close } = await openSubject("dataset", [name], {
    ...hooks,
    set,
    dataSeed: seedOfData(name, seed).dataSeed,
    reading: readingOf(options),
    ...(clusterBy.length > 0 && { together: clusterBy }),
  });
  try {
    const question = { split, effect, rate, clusterBy, without, features, workers };
    const answered = await answerOf(discoverAudit, question, subject, hooks);
    if (out !== undefined) await writeAnswer(answered, { name: "discover", out, filling });
    if (out !== undefined && !options.quiet) session.console.note(`wrote ${join(out, "discover.html")}`);
    await printAnswer(answered, options, session);
  } finally {
    await close();
  }
}
