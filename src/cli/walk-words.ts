/** Which command the words of a command line call, and what they give it. */

import type { Command, Option } from "commander";

interface Walked {
  command: Command;
  /** What stands by itself, or is given as data, in order. */
  given: string[];
  /** An option whose value comes next. */
  awaiting: Option | undefined;
  /** The first that is no option of the command. */
  unknown: string | undefined;
  /** The first option whose value would be another option. */
  unvalued: Option | undefined;
}

export function walkWords(program: Command, words: readonly string[]): Walked {
  const walked: Walked = {
    command: program,
    given: [],
    awaiting: undefined,
    unknown: undefined,
    unvalued: undefined,
  };
  for (const word of words) {
    if (word === "--") break;
    const { awaiting, command } = walked;
    if (awaiting) {
      if (findOption(command, word)) walked.unvalued ??= awaiting;
      if (awaiting.long === "--data") walked.given.push(word);
      walked.awaiting = undefined;
    } else if (/^-[^\d.]/.test(word)) {
      const option = findOption(command, word) ?? findOption(program, word);
      walked.awaiting = option?.required === true && !word.includes("=") ? option : undefined;
      if (!option && word.startsWith("--") && word !== "--help") walked.unknown ??= word.split("=")[0];
    } else {
      const next = command.commands.find((child) => child.name() === word);
      if (next) walked.command = next;
      else walked.given.push(word);
    }
  }
  return walked;
}

/** A misspelt option is told before what is missed because of it, and one without its value does not take the next for it. */
export function refuseOddOptions(program: Command, words: readonly string[]): void {
  // Words that a shell asks to be completed are nobody's mistake yet.
  if (words[0]?.startsWith("__")) return;
  const walked = walkWords(program, words);
  // The parser's own words for it, with the nearest that there is.
  const command = walked.command as Command & {
    unknownOption(flag: string): void;
    optionMissingArgument(option: Option): void;
  };
  if (command.commands.length > 0) return;
  if (walked.unvalued !== undefined) command.optionMissingArgument(walked.unvalued);
  if (walked.unknown !== undefined) command.unknownOption(walked.unknown);
}

function findOption(command: Command, word: string): Option | undefined {
  const flag = word.split("=")[0];
  return command.options.find(({ long, short }) => long === flag || short === flag);
}
