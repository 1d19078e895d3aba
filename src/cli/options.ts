/** Options that several commands share, and how their texts are read. */

import { availableParallelism } from "node:os";
import { type Command, InvalidArgumentError, Option } from "commander";
import { didYouMean } from "../core/nearest.ts";
import { formats } from "../formats/index.ts";
import { fits } from "../images/fit.ts";
import type { ColumnMapping } from "../layouts/column-mapping.ts";
import { type FolderLayout, folderLayouts } from "../layouts/domain-folders.ts";
import { type Preparation, preparationOf } from "../layouts/preparation.ts";

export interface OutputOptions {
  json?: boolean;
  quiet?: boolean;
}

export function addOutputOptions(command: Command): Command {
  return command
    .option("--json", "print the result as JSON on stdout")
    .option("-q, --quiet", "no progress, no remarks");
}

export function addWorkers(command: Command): Command {
  return command.addOption(
    new Option("--workers <n>", "worker threads; the result does not depend on it")
      .argParser(wholeNumber(1, 256))
      .default(availableParallelism(), "one a core"),
  );
}

/** How many runs are made at a time, and how they can be gone on with. */
export interface RunsAtATimeOptions {
  workers: number;
  /** Refuse to begin. */
  resume?: boolean;
  checkpointSeconds: number;
}

export function addRunsAtATime(command: Command): Command {
  return command
    .addOption(
      new Option("--workers <n>", "runs at a time, each of one thread unless its spec says otherwise")
        .argParser(wholeNumber(1, 256))
        .default(availableParallelism(), "one a core"),
    )
    .option("--resume", "refuse to begin: something of it must be there already")
    .option("--checkpoint-seconds <s>", "how often a run saves within an epoch", number, 60);
}

export function addSettings(command: Command): Command {
  return command
    .addOption(
      collect("--set <key=value>", "a setting of the dataset; may be given again; see 'data show <name>'"),
    )
    .addOption(
      new Option("--seed <n>", "same seed, same bytes")
        .argParser(wholeNumber(0, Number.MAX_SAFE_INTEGER))
        .default(0),
    );
}

export function formatOption(flags: string, description: string): Option {
  return choice(flags, description, formats.names);
}

/** How images of one's own are made ready on reading. */
export function addPreparation(command: Command): Command {
  return command
    .option("--size <pixels>", "bring your own images to squares of so many pixels", wholeNumber(1, 8192))
    .addOption(choice("--fit <how>", "for images that are no squares (default: crop)", fits))
    .option(
      "--split <shares>",
      "divide your own images into train, val and test, such as 0.8,0.1,0.1, by what is in their files",
      (text) => list(text).map(number),
    )
    .option("--stratify", "with --split: exactly these shares of every class")
    .option("--split-by <column>", "with --split: images of one value, such as a patient's, stay together");
}

export interface MappingOptions {
  imageColumn?: string;
  labelColumn?: string;
  splitColumn?: string;
  cueColumns?: string[];
  layout?: FolderLayout;
}

export function addMapping(command: Command): Command {
  return command
    .option("--image-column <name>", "column with the image's path (default: img_filename, file_name, …)")
    .option("--label-column <name>", "column with the class (default: y, label)")
    .option("--split-column <name>", "column with the split (default: split)")
    .option(
      "--cue-columns <names>",
      "columns with possible shortcuts, by commas (default: all with few values)",
      list,
    )
    .addOption(choice("--layout <kind>", "what folders mean, where their names do not tell", folderLayouts));
}

export function mappingOf(options: MappingOptions, preparation: Preparation = {}): ColumnMapping {
  return {
    image: options.imageColumn,
    label: options.labelColumn,
    split: options.splitColumn,
    cues: options.cueColumns,
    layout: options.layout,
    ...preparedBy(preparation),
  };
}

/** Undefined where nothing is asked for, so that data is opened as it is. */
function preparedBy(given: Preparation): Pick<ColumnMapping, "prepared"> {
  const prepared = preparationOf(given);
  return Object.keys(prepared).length === 0 ? {} : { prepared };
}

/** An option that takes one of some names. */
export function choice(flags: string, description: string, names: readonly string[]): Option {
  return new Option(flags, description).choices(names).argParser((text) => {
    if (names.includes(text)) return text;
    const { todo = "" } = didYouMean(text, names);
    throw new InvalidArgumentError(
      `Allowed choices are ${names.join(", ")}.${todo === "" ? "" : `\n  try: ${todo}`}`,
    );
  });
}

/** An option that may be given several times. */
export function collect(flags: string, description: string): Option {
  return new Option(flags, description)
    .argParser((value: string, previous: string[]) => [...previous, value])
    .default([] as string[], "none");
}

export function number(text: string): number {
  const value = Number(text);
  if (text.trim() !== "" && Number.isFinite(value)) return value;
  throw new InvalidArgumentError("Expected a number.");
}

export function list(text: string): string[] {
  return text.split(",").map((part) => part.trim());
}

export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() !== "" && Number.isInteger(value) && value >= least && value <= most) return value;
    throw new InvalidArgumentError(`Expected a whole number from ${least} to ${most}.`);
  };
}
