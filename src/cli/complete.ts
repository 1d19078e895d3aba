/** What may come next on the command line, found by walking the command tree. */

import type { Command, Option } from "commander";
import { audits } from "../audits/index.ts";
import { describeSettings } from "../core/settings.ts";
import { datasets } from "../datasets/index.ts";
import { methods } from "../methods/index.ts";
import { studies } from "../studies/index.ts";
import { walkWords } from "./walk-words.ts";

/** `words` are those typed so far, the last one being completed and perhaps empty. Nothing means: a file name. */
export function complete(program: Command, words: readonly string[]): string[] {
  const current = words.at(-1) ?? "";
  const { command, given, awaiting } = walkWords(program, words.slice(0, -1));
  const dataset = given.find((word) => datasets.has(word));
  return candidates(command, current, awaiting, dataset).filter((candidate) => candidate.startsWith(current));
}

/** What an argument may be, by its name in the help. */
const namesOf: Readonly<Record<string, () => string[]>> = {
  study: () => studies.names,
  audit: () => audits.names,
};

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
  if (argument === undefined) return [];
  if (argument.name() !== "name") return namesOf[argument.name()]?.() ?? [];
  if (command.parent?.name() === "methods") return methods.names;
  return dataset === undefined ? datasets.names : [];
}

function optionValues(option: Option, dataset: string | undefined): string[] {
  if (option.argChoices) return option.argChoices;
  if (option.long === "--data") return datasets.names;
  if (option.long !== "--set" || dataset === undefined) return [];
  return describeSettings(datasets.get(dataset).settings).flatMap(({ key, names = [] }) => [
    `${key}=`,
    ...names.map((name) => `${key}.${name}=`),
  ]);
}
