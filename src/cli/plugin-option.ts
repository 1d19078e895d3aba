/** `--plugin <file>` on every command, before or after its name. */

import { type Command, Option } from "commander";
import { CuelabError } from "../core/errors.ts";

const flag = "--plugin";

/** Loads plugins before commands are built, since their names are choices of options; the words that are left. */
export async function usePlugins(args: readonly string[]): Promise<string[]> {
  const { places, rest } = parted(args);
  if (places.length > 0) {
    const { usePlaces } = await import("../plugins/at-hand.ts");
    await usePlaces(places, process.cwd());
  }
  return rest;
}

/** For help pages and completion: what is given is taken out of the words before commands see them. */
export function addPluginOption(command: Command): void {
  const isGroup = command.commands.length > 0 && command.parent !== null;
  if (!isGroup && (command.options.length > 0 || command.parent === null)) {
    const about = "methods, datasets, … of your own, from a file or package; may be given again";
    command.addOption(new Option(`${flag} <file>`, about));
  }
  for (const child of command.commands) addPluginOption(child as Command);
}

function parted(args: readonly string[]): { places: string[]; rest: string[] } {
  const [places, rest]: [string[], string[]] = [[], []];
  for (let i = 0; i < args.length; i++) {
    const word = args[i]!;
    // What follows is no option, whatever it looks like; and completion is asked about options.
    if (word === "--" || word === "__complete") return { places, rest: [...rest, ...args.slice(i)] };
    if (word === flag) places.push(given(args[++i]));
    else if (word.startsWith(`${flag}=`)) places.push(given(word.slice(flag.length + 1)));
    else rest.push(word);
  }
  return { places, rest };
}

function given(place: string | undefined): string {
  if (place !== undefined && place !== "" && !place.startsWith("-")) return place;
  throw new CuelabError({
    kind: "usage",
    what: `${flag} needs a file or a package`,
    expected: `such as ${flag} ./mine.ts`,
  });
}
