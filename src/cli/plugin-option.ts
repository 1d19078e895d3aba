/** `--plugin <file>` on every command. */

import { CuelabError } from "../core/errors.ts";
import { onnxModelName } from "../models/onnx/model-name.ts";
import { takeOut } from "./everywhere.ts";

const flag = "--plugin";

export const pluginOption = {
  flags: `${flag} <file>`,
  about: "methods, datasets, … of your own, from a file or package; may be given again",
};

/** Loads plugins before commands are built, since their names are choices of options; the words that are left. */
export async function usePlugins(args: readonly string[]): Promise<string[]> {
  const { values, rest } = takeOut(args, flag);
  const networks = onnxModels(rest);
  const places = [...values.map(given), ...networks];
  if (places.length > 0) {
    const { usePlaces } = await import("../plugins/at-hand.ts");
    await usePlaces(places, process.cwd());
  }
  return networks.length === 0
    ? rest
    : rest.map((word) => (networks.includes(word) ? onnxModelName(word) : word));
}

/** `--model their.onnx`: a network in a file is a plugin, and its name stands for it. */
function onnxModels(args: readonly string[]): string[] {
  return args.filter((word, i) => args[i - 1] === "--model" && word.endsWith(".onnx"));
}

function given(place: string | undefined): string {
  if (place !== undefined && place !== "" && !place.startsWith("-")) return place;
  throw new CuelabError({
    kind: "usage",
    what: `${flag} needs a file or a package`,
    expected: `such as ${flag} ./mine.ts`,
  });
}
