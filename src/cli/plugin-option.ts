/** `--plugin <file or package>` on every command, before or after its name. */

import { type Command, Option } from "commander";
import { usePlaces } from "../plugins/at-hand.ts";

const flag = "--plugin";

/** Loads them before commands are built. Whatever else is wrong with the words is told by the commands. */
export async function usePlugins(args: readonly string[]): Promise<void> {
  await usePlaces(placesIn(args), process.cwd());
}

/** The words of the command itself. */
export function withoutPlugins(args: readonly string[]): string[] {
  return args.filter((word, i) => !isFlag(word) && args[i - 1] !== flag);
}

export function addPluginOption(command: Command): void {
  command.addOption(
    new Option(`${flag} <file or package>`, "methods, datasets, … of your own; may be given again")
      // Loaded long before; what is left is to be told from a mistake.
      .argParser((place: string, before: string[] | undefined) => [...(before ?? []), place]),
  );
  for (const child of command.commands) addPluginOption(child as Command);
}

function placesIn(args: readonly string[]): string[] {
  const end = args.indexOf("--");
  return (end < 0 ? args : args.slice(0, end)).flatMap((word, i, words) => {
    if (word === flag) return words[i + 1] ?? [];
    return isFlag(word) ? word.slice(flag.length + 1) : [];
  });
}

function isFlag(word: string): boolean {
  return word === flag || word.startsWith(`${flag}=`);
}
