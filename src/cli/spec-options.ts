/** Options about data and weights that several commands share, and what they say in the words of a spec. */

import type { Command, Option } from "commander";
import { CuelabError } from "../core/errors.ts";
import type { DataWords } from "../training/data-book.ts";
import type { NamedDataOptions } from "../training/named-data.ts";
import { pixelChoices } from "../training/weights.ts";
import { choice, collect, given, list, wholeNumber } from "./options.ts";
import { addReading, type ReadingOptions, readingOf } from "./reading-options.ts";

export interface DataOptions extends ReadingOptions {
  set: string[];
  dataSeed?: number;
}

export function addDataOptions(command: Command, { required = true } = {}): Command {
  const about = "a dataset by name (made on the fly) or by path";
  const named = required
    ? command.requiredOption("--data <name or path>", about)
    : command.option("--data <name or path>", `${about} (default: the run's)`);
  return addReading(named)
    .addOption(collect("--set <key=value>", "a setting of the dataset; may be given again"))
    .option(
      "--data-seed <n>",
      "seed of a dataset by name (default: 0)",
      wholeNumber(0, Number.MAX_SAFE_INTEGER),
    );
}

/** What these options say of data, as `dataWordsOf` takes it. */
export function dataChoiceOf(options: DataOptions): NamedDataOptions {
  const { set, dataSeed } = options;
  return { set, ...given({ dataSeed }), ...readingOf(options) };
}

export interface HeldOutOptions {
  holdOut?: string;
  trainOn?: string[];
  environment?: string;
}

export function addHeldOutOptions(command: Command): Command {
  return command
    .option("--hold-out <environment>", "train on all environments but this one, and test on it")
    .option("--train-on <environments>", "instead: train on these, by commas, and test on all others", list)
    .option(
      "--environment <attribute>",
      "what tells environments apart (default: environment or domain; else splits that are shifted)",
    );
}

/** Which environments are held out, where that is asked for. */
export function heldOutWordsOf(
  { holdOut, trainOn, environment }: HeldOutOptions,
  { seed = 0 }: DataWords,
): Pick<DataWords, "environments"> {
  if (holdOut !== undefined && trainOn !== undefined) {
    throw new CuelabError({ kind: "usage", what: "--hold-out and --train-on cannot be told both" });
  }
  if (holdOut === undefined && trainOn === undefined) {
    if (environment === undefined) return {};
    throw new CuelabError({
      kind: "usage",
      what: "--environment has no effect without --hold-out or --train-on",
      todo: "say which of its values to hold out",
    });
  }
  return { environments: { ...given({ holdOut, trainOn, by: environment }), seed } };
}

export interface WeightOptions {
  weights?: string;
  pixels?: (typeof pixelChoices)[number];
}

export function pixelsOption(): Option {
  return choice(
    "--pixels <whose>",
    "mean and deviation that pixels are standardised by (default: data; with --weights those of the file, or imagenet)",
    pixelChoices,
  );
}
