/** `data convert`: from any format, or your own images, to another format. */

import type { Command } from "commander";
import { convertDataset } from "../../formats/convert-dataset.ts";
import type { StoredEncoding } from "../../formats/format.ts";
import { parseGivenSide } from "../../formats/given-sides.ts";
import {
  addOutputOptions,
  addWorkers,
  choice,
  collect,
  formatOption,
  type OutputOptions,
} from "../options.ts";
import type { Session } from "../program.ts";
import { addReading, mappingOf, type ReadingOptions } from "../reading-options.ts";

interface ConvertCommandOptions extends OutputOptions, ReadingOptions {
  to: string;
  out: string;
  image?: StoredEncoding;
  skipBroken?: boolean;
  sideImages: boolean;
  side: string[];
  force?: boolean;
  workers: number;
}

export function addConvert(data: Command, session: Session): void {
  const command = data
    .command("convert <path>")
    .description("carry a dataset, or your own images, to another format")
    .addOption(formatOption("--to <format>", "the format to write").makeOptionMandatory())
    .requiredOption("--out <folder>", "where to write it")
    .addOption(
      choice("--image <encoding>", "how to store each image (default: as it is)", ["png", "jpeg", "keep"]),
    )
    .option("--skip-broken", "leave out images that cannot be read, and list them in the provenance")
    .option("--no-side-images", "leave out pictures that go with each image, such as masks")
    .addOption(
      collect(
        "--side <name=folder>",
        "pictures of your own that go with the images by their names; may be given again",
      ),
    )
    .option("--force", "replace a dataset that is there already");
  addOutputOptions(addWorkers(addReading(command)))
    .addHelpText(
      "after",
      `
Examples:
  $ cuelab data convert D --to parquet --out D-parquet
  $ cuelab data convert photos --skip-broken --to webdataset --out shards
  $ cuelab data convert photos --size 224 --split 0.8,0.1,0.1 --to folder --out D
  $ cuelab data convert D --side stylised=D-stylised --to folder --out D2
  $ cuelab data convert train-images-idx3-ubyte.gz --to npz --out fashion`,
    )
    .action((path: string, options: ConvertCommandOptions) => convert(path, options, session));
}

async function convert(
  path: string,
  options: ConvertCommandOptions,
  { console, signal }: Session,
): Promise<void> {
  const progress = console.follow(options.quiet);
  const manifest = await convertDataset(path, {
    to: options.to,
    out: options.out,
    encoding: options.image,
    skipBroken: options.skipBroken ?? false,
    sideImages: options.sideImages,
    given: options.side.map(parseGivenSide),
    force: options.force ?? false,
    workers: options.workers,
    mapping: mappingOf(options),
    signal,
    onRemark: (text) => {
      if (!options.quiet) console.note(text);
    },
    onOpened: (count, task) => progress.begin(`${task} ${path}`, count),
    onProgress: progress.update,
  });
  progress.finish();
  if (options.json) {
    console.json({ ...manifest, out: options.out });
    return;
  }
  const skipped = manifest.skipped.length === 0 ? "" : `, ${manifest.skipped.length} broken left out`;
  console.print(
    `wrote ${manifest.count.toLocaleString("en")} images as ${manifest.format} to ${options.out}${skipped}`,
  );
  console.print(`hash ${manifest.hash}`);
}
