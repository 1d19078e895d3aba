/** Options of every command, before or after its name: taken out of the words before commands see them. */

import { type Command, Option } from "commander";

/** For help pages and completion. */
export function addEverywhere(command: Command, options: readonly { flags: string; about: string }[]): void {
  const isGroup = command.commands.length > 0 && command.parent !== null;
  if (!isGroup && (command.options.length > 0 || command.parent === null))
    for (const { flags, about } of options) command.addOption(new Option(flags, about));
  for (const child of command.commands) addEverywhere(child as Command, options);
}

/** The values of an option, undefined where one was left out, and the words that are left. */
export function takeOut(
  args: readonly string[],
  flag: string,
): { values: (string | undefined)[]; rest: string[] } {
  const [values, rest]: [(string | undefined)[], string[]] = [[], []];
  for (let i = 0; i < args.length; i++) {
    const word = args[i]!;
    // What follows is no option, whatever it looks like; and completion is asked about options.
    if (word === "--" || word === "__complete") return { values, rest: [...rest, ...args.slice(i)] };
    if (word === flag) values.push(args[++i]);
    else if (word.startsWith(`${flag}=`)) values.push(word.slice(flag.length + 1));
    else rest.push(word);
  }
  return { values, rest };
}
