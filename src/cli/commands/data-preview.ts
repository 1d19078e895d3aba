/** `data preview`: a contact sheet by class and cue value. */

import type { Command } from "commander";
import { CuelabError } from "../../core/errors.ts";
import { checkFree, writeWhole } from "../../disk/write-whole.ts";
import { contactSheet } from "../../formats/card/contact-sheet.ts";
import { occurrenceMatrix } from "../../formats/card/occurrence-matrix.ts";
import { surveyed } from "../../formats/select-images.ts";
import { namedDataset, seedOfData } from "../../training/named-data.ts";
import { addOutputOptions, addSettings, type OutputOptions, wholeNumber } from "../options.ts";
import type { Session } from "../program.ts";
import { addReading, type ReadingOptions, readingOf } from "../reading-options.ts";

interface PreviewOptions extends OutputOptions, ReadingOptions {
  set: string[];
  seed: number;
  out: string;
  force?: boolean;
  cue?: string;
  by?: string;
  examples?: number;
  matrix?: boolean;
  skipBroken?: boolean;
}

export function addPreview(data: Command, session: Session): void {
  const command = data
    .command("preview <name>")
    .description("a labelled contact sheet of a dataset, by name or by path");
  addSettings(command)
    .option("--out <file.png>", "where to write the picture", "contact-sheet.png")
    .option("--force", "replace a file that is there already")
    .option("--cue <attribute>", "attribute that makes the columns (default: the first cue)")
    .option("--by <attribute>", "attribute that makes the blocks (default: the dataset's own, or the splits)")
    .option("--examples <n>", "images a cell", wholeNumber(1, 64))
    .option("--skip-broken", "look at all images first, and leave out those that cannot be read")
    .option("--matrix", "one example a class and cue value, and how often training and testing have it");
  addOutputOptions(addReading(command))
    .addHelpText(
      "after",
      `
Examples:
  $ cuelab data preview colored-mnist --out sheet.png
  $ cuelab data preview colored-mnist --cue digit --by color --out digits.png
  $ cuelab data preview diagvib-study:shape-hue-CGO-1-0 --matrix --out matrix.png
  $ cuelab data preview path/to/my/images --label-column bird --cue-columns place --out sheet.png`,
    )
    .action((name: string, options: PreviewOptions) => preview(name, options, session));
}

async function preview(name: string, options: PreviewOptions, { console, signal }: Session): Promise<void> {
  for (const idle of ["by", "examples"] as const) {
    if (!options.matrix || options[idle] === undefined) continue;
    throw new CuelabError({
      kind: "usage",
      what: `--${idle} has no effect with --matrix`,
      todo: `leave one away`,
    });
  }
  if (!options.out.toLowerCase().endsWith(".png")) {
    throw new CuelabError({
      kind: "usage",
      what: "the picture is a PNG",
      expected: "a name that ends in .png",
      got: options.out,
    });
  }
  const overwrite = options.force ?? false;
  await checkFree(options.out, { overwrite });
  const opened = await namedDataset(
    name,
    { set: options.set, ...seedOfData(name, options.seed), ...readingOf(options) },
    { labels: "if-any" },
  );
  try {
    const dataset = options.skipBroken
      ? await surveyed(opened, { workers: 0, skipBroken: true, signal })
      : opened;
    const picture = options.matrix ? occurrenceMatrix(dataset, options.cue) : contactSheet(dataset, options);
    await writeWhole(options.out, await picture, { overwrite });
    const { skipped } = dataset.provenance;
    if (options.json) console.json({ out: options.out, count: dataset.images.count, skipped });
    else
      console.print(`wrote ${options.out}${skipped.length > 0 ? `, ${skipped.length} broken left out` : ""}`);
  } finally {
    await opened.images.close?.();
  }
}
