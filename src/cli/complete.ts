/** What may come next on the command line, found by walking the command tree. */

import type { Command, Option } from "commander";
import { describeSettings } from "../core/settings.ts";
import { datasets } from "../datasets/index.ts";

/** `words` are those typed so far, the last one being completed and perhaps empty. Nothing means: a file name. */
export function complete(program: Command, words: readonly string[]): string[] {
  const typed = words.slice(0, -1);
  const current = words.at(-1) ?? "";
  let command = program;
  let dataset: string | undefined;
  let awaiting: Option | undefined;
  for (const word of typed) {
    if (awaiting) {
      awaiting = undefined;
      continue;
    }
    if (word.startsWith("-")) {
      const option = findOption(command, word);
      awaiting = option && !option.isBoolean() && !word.includes("=") ? option : undefined;
      continue;
    }
    const next = command.commands.find((child) => child.name() === word);
    if (next) command = next;
    else dataset ??= datasets.has(word) ? word : undefined;
  }
  return candidates(command, current, awaiting, dataset).filter((candidate) => candidate.startsWith(current));
}

function candidates(
  command: Command,
  current: string,
  awaiting: Option | undefined,
  dataset: string | undefined,
): string[] {
  if (awaiting) return optionValues(awaiting, dataset);
  if (current.startsWith("-")) return [...command.options.flatMap(({ long }) => long ?? []), "--help"];
  const children = command.commands.map((child) => child.name()).filter((name) => !name.startsWith("__"));
  if (children.length > 0) return children;
  const [argument] = command.registeredArguments;
  if (argument?.argChoices) return argument.argChoices;
  return argument?.name() === "name" && dataset === undefined ? datasets.names : [];
}

function optionValues(option: Option, dataset: string | undefined): string[] {
  if (option.argChoices) return option.argChoices;
  if (option.long !== "--set" || dataset === undefined) return [];
  return describeSettings(datasets.get(dataset).settings).flatMap(({ key, names = [] }) => [
    `${key}=`,
    ...names.map((name) => `${key}.${name}=`),
  ]);
}

function findOption(command: Command, word: string): Option | undefined {
  const flag = word.split("=")[0];
  return command.options.find(({ long, short }) => long === flag || short === flag);
}
