/** Options that several commands share, and how their texts are read. */

import { availableParallelism } from "node:os";
import { type Command, InvalidArgumentError, Option } from "commander";
import { didYouMean } from "../core/nearest.ts";
import { formats } from "../formats/index.ts";

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

/** Lists that came from the command line: defaults are none, and are replaced. */
const said = new WeakSet<object>();

/** By commas; an option that is given again adds to the list. */
export function list(text: string, previous?: unknown): string[] {
  const before = Array.isArray(previous) && said.has(previous) ? (previous as string[]) : [];
  const whole = [...before, ...text.split(",").map((part) => part.trim())];
  said.add(whole);
  return whole;
}

export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() !== "" && Number.isInteger(value) && value >= least && value <= most) return value;
    throw new InvalidArgumentError(`Expected a whole number from ${least} to ${most}.`);
  };
}

/** Without the options that were not given, so that the spec's own defaults apply. */
export function given<Options extends object>(
  options: Options,
): { [Key in keyof Options]?: NonNullable<Options[Key]> } {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as never;
}

export const excelWords =
  "with CSV: an apostrophe before texts that a spreadsheet would compute (= + - @ tab, line break)";
