/** `data watermark`: a copy of a dataset, or of your own images, with a watermark on all or some of them. */

import type { Command } from "commander";
import { CuelabError } from "../../core/errors.ts";
import type { StoredEncoding } from "../../formats/format.ts";
import { formats } from "../../formats/index.ts";
import { type WatermarkChoice, writeWatermarked } from "../../formats/watermark-dataset.ts";
import { type ContentName, contentNames, contents, ownContent } from "../../images/watermark/contents.ts";
import { imageNetW } from "../../images/watermark/watermark.ts";
import { namedDataset } from "../../training/named-data.ts";
import {
  addOutputOptions,
  addWorkers,
  choice,
  collect,
  formatOption,
  number,
  type OutputOptions,
  wholeNumber,
} from "../options.ts";
import type { Session } from "../program.ts";
import { addReading, type ReadingOptions, readingOf } from "../reading-options.ts";

interface WatermarkCommandOptions extends OutputOptions, ReadingOptions {
  out: string;
  format: string;
  image?: StoredEncoding;
  content?: string;
  script?: ContentName;
  fontSize?: number;
  x?: number;
  y?: number;
  alpha: number;
  random?: boolean;
  class: string[];
  probability: number;
  resize?: number;
  crop?: number;
  seed: number;
  set: string[];
  dataSeed?: number;
  skipBroken?: boolean;
  force?: boolean;
  workers: number;
}

const seed = wholeNumber(0, Number.MAX_SAFE_INTEGER);
const pixels = wholeNumber(1, 1e5);

export function addWatermarkCommand(data: Command, session: Session): void {
  const command = data
    .command("watermark <dataset>")
    .description(
      "a copy of a dataset (by name or path) or of your images, with ImageNet-W's watermark or another",
    )
    .requiredOption("--out <folder>", "where to write it")
    .addOption(formatOption("--format <format>", "how to store it").default("folder"))
    .addOption(choice("--image <encoding>", "how to store each image", ["png", "jpeg"]))
    .addOption(choice("--script <name>", "a content of the paper's Table 8 (default: chinese)", contentNames))
    .option("--content <text>", "a text of your own, in the first typeface that has all of it")
    .option("--font-size <pixels>", "(default: 36 at 224 pixels, 62 at 384, …, by the shorter side)", pixels)
    .option("--x <part>", "left end of the line, as part of the width (default: 0.01)", number)
    .option("--y <part>", "top of the line, as part of the height (default: 0.4)", number)
    .option("--alpha <n>", "opacity, from 0 to 255", number, imageNetW.alpha)
    .option("--random", "random place, size and Chinese, Japanese or Korean characters on each image")
    .addOption(collect("--class <name>", "mark images of this class alone; may be given again"))
    .option("--probability <p>", "how many of these images are marked", number, 1)
    .option("--resize <pixels>", "first resize the shorter side, as for ImageNet: 256", pixels)
    .option("--crop <pixels>", "then cut out the middle, as for ImageNet: 224", pixels)
    .option("--seed <n>", "same seed, same choice of images and random watermarks", seed, 0)
    .addOption(collect("--set <key=value>", "a setting of a dataset by name; may be given again"))
    .option("--data-seed <n>", "seed of a dataset by name (default: 0)", seed)
    .option("--skip-broken", "leave out images that cannot be read, and list them in the provenance")
    .option("--force", "replace a dataset that is there already");
  addOutputOptions(addWorkers(addReading(command)))
    .addHelpText(
      "after",
      `
The copy keeps labels, attributes and splits, and says in an attribute "watermark" which images carry one.

Examples:
  $ cuelab data watermark imagenet/val --resize 256 --crop 224 --out imagenet-w
  $ cuelab data watermark D --script korean --out D-korean
  $ cuelab data watermark D --class carton --probability 0.95 --out D-carton
  $ cuelab data watermark D --random --seed 1 --out D-random --format parquet`,
    )
    .action((name: string, options: WatermarkCommandOptions) => watermark(name, options, session));
}

async function watermark(
  name: string,
  options: WatermarkCommandOptions,
  { console, signal }: Session,
): Promise<void> {
  const choice = choiceOf(options);
  const format = formats.get(options.format);
  const dataset = await namedDataset(name, {
    set: options.set,
    dataSeed: options.dataSeed,
    ...readingOf(options),
  });
  const progress = console.follow(options.quiet);
  try {
    const { manifest, marked } = await writeWatermarked(dataset, choice, {
      out: options.out,
      format,
      encoding: options.image,
      skipBroken: options.skipBroken ?? false,
      force: options.force ?? false,
      workers: options.workers,
      signal,
      onOpened: (count, task) => progress.begin(`${task} ${name}`, count),
      onProgress: progress.update,
      onRemark: (text) => {
        if (!options.quiet) console.note(text);
      },
    });
    progress.finish();
    if (options.json) {
      console.json({ ...manifest, marked, out: options.out });
      return;
    }
    const [all, some] = [manifest.count, marked].map((count) => count.toLocaleString("en"));
    console.print(
      `wrote ${all} images, ${some} of them watermarked, as ${manifest.format} to ${options.out}`,
    );
    console.print(`hash ${manifest.hash}`);
  } finally {
    await dataset.images.close?.();
  }
}

function choiceOf(options: WatermarkCommandOptions): WatermarkChoice {
  const { random, content, script, alpha, probability, resize, crop } = options;
  refuseIdle(options);
  const { text, typeface } = content === undefined ? contents[script ?? "chinese"] : ownContent(content);
  const { x = imageNetW.x, y = imageNetW.y, fontSize } = options;
  return {
    watermark: random ? undefined : { text, typeface, x, y, alpha, fontSize },
    alpha,
    classes: options.class,
    probability,
    resize,
    crop,
    seed: options.seed,
  };
}

/** An option without effect is a mistake that nobody would notice. */
function refuseIdle(options: WatermarkCommandOptions): void {
  const given = (["content", "script", "fontSize", "x", "y"] as const).filter(
    (name) => options[name] !== undefined,
  );
  const flag = (name: string) => `--${name.replace("fontSize", "font-size")}`;
  if (options.random && given.length > 0) {
    throw new CuelabError({
      kind: "usage",
      what: `${given.map(flag).join(", ")} has no effect on random watermarks`,
      todo: "leave one away",
    });
  }
  if (options.content !== undefined && options.script !== undefined) {
    throw new CuelabError({
      kind: "usage",
      what: "--content and --script both say what the watermark reads",
      todo: "leave one away",
    });
  }
}
