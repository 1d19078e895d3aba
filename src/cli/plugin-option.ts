/** `--plugin <file>` on every command. */

import { CuelabError } from "../core/errors.ts";
import { takeOut } from "./everywhere.ts";

const flag = "--plugin";

export const pluginOption = {
  flags: `${flag} <file>`,
  about: "methods, datasets, … of your own, from a file or package; may be given again",
};

/** Loads plugins before commands are built, since their names are choices of options; the words that are left. */
export async function usePlugins(args: readonly string[]): Promise<string[]> {
  const { values, rest } = takeOut(args, flag);
  const places = values.map(given);
  if (places.length > 0) {
    const { usePlaces } = await import("../plugins/at-hand.ts");
    await usePlaces(places, process.cwd());
  }
  return rest;
}

function given(place: string | undefined): string {
  if (place !== undefined && place !== "" && !place.startsWith("-")) return place;
  throw new CuelabError({
    kind: "usage",
    what: `${flag} needs a file or a package`,
    expected: `such as ${flag} ./mine.ts`,
  });
}
