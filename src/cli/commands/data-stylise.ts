/** `data stylise`: a copy of a dataset whose images are painted in the styles of other pictures. */

import type { Command } from "commander";
import { CuelabError } from "../../core/errors.ts";
import { formats } from "../../formats/index.ts";
import { namedDataset } from "../../training/named-data.ts";
import { writeStylised } from "../../training/stylise-dataset.ts";
import {
  addOutputOptions,
  collect,
  formatOption,
  number,
  type OutputOptions,
  wholeNumber,
} from "../options.ts";
import type { Session } from "../program.ts";
import { addReading, type ReadingOptions, readingOf } from "../reading-options.ts";

interface StyliseCommandOptions extends OutputOptions, ReadingOptions {
  out: string;
  format: string;
  styles: string;
  encoder: string;
  decoder: string;
  strength: number;
  seed: number;
  set: string[];
  dataSeed?: number;
  force?: boolean;
}

const seed = wholeNumber(0, Number.MAX_SAFE_INTEGER);

export function addStyliseCommand(data: Command, session: Session): void {
  const command = data
    .command("stylise <dataset>")
    .description("a copy of a dataset (by name or path) or of your images, in the styles of other pictures")
    .requiredOption("--styles <folder>", "pictures whose styles are taken, one for each image at random")
    .requiredOption("--encoder <file>", "VGG-19's weights up to relu4_1 (safetensors)")
    .requiredOption("--decoder <file>", "the mirrored decoder's weights (safetensors)")
    .requiredOption("--out <folder>", "where to write it")
    .addOption(formatOption("--format <format>", "how to store it").default("folder"))
    .option("--strength <x>", "from 0, no style, to 1", number, 1)
    .option("--seed <n>", "same seed, same choice of styles", seed, 0)
    .addOption(collect("--set <key=value>", "a setting of a dataset by name; may be given again"))
    .option("--data-seed <n>", "seed of a dataset by name (default: 0)", seed)
    .option("--force", "replace a dataset that is there already");
  addOutputOptions(addReading(command))
    .addHelpText(
      "after",
      `
Adaptive instance normalisation (Huang & Belongie 2017). No weights come with the program.

Examples:
  $ cuelab data stylise D --styles paintings --encoder vgg19.safetensors --decoder decoder.safetensors --out D-stylised
  $ cuelab data convert D --side stylised=D-stylised --to folder --out D2    # as a view: --augment copy`,
    )
    .action((name: string, options: StyliseCommandOptions) => stylise(name, options, session));
}

async function stylise(
  name: string,
  options: StyliseCommandOptions,
  { console, signal }: Session,
): Promise<void> {
  const { strength } = options;
  if (!(strength >= 0 && strength <= 1))
    throw new CuelabError({
      kind: "usage",
      what: "the strength of a style is out of range",
      where: "--strength",
      expected: "from 0 to 1",
      got: String(strength),
    });
  const format = formats.get(options.format);
  const { set, dataSeed } = options;
  const dataset = await namedDataset(name, { set, dataSeed, ...readingOf(options) });
  const progress = console.follow(options.quiet);
  try {
    progress.begin(`stylising ${name}`, dataset.images.count);
    const manifest = await writeStylised(dataset, options, {
      out: options.out,
      format,
      encoding: format.encodings[0]!,
      force: options.force ?? false,
      workers: 0,
      signal,
      onProgress: progress.update,
    });
    progress.finish();
    if (options.json) {
      console.json({ ...manifest, out: options.out });
      return;
    }
    console.print(
      `wrote ${manifest.count.toLocaleString("en")} stylised images as ${manifest.format} to ${options.out}`,
    );
    console.print(`hash ${manifest.hash}`);
  } finally {
    await dataset.images.close?.();
  }
}
