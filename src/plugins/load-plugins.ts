/** Loads plugins into this thread: read, run, looked over, and their entries in the registries. */

import { CuelabError } from "../core/errors.ts";
import { type Brought, bring } from "../core/registry.ts";
import { findAtHand, findAtHandByPath, noteAtHand, type PluginAtHand, pluginKinds } from "./at-hand.ts";
import { checkPlugin, type GivenPlugin } from "./check-plugin.ts";
import type { PluginCode, PluginReference } from "./plugin-code.ts";
import { withPluginSource } from "./plugin-source.ts";
import { readPlugin } from "./read-plugin.ts";
import { runPlugin } from "./run-plugin.ts";

/** A plugin by its file or package, seen from a folder. The same one again changes nothing. */
export async function loadPlugin(place: string, from: string): Promise<PluginAtHand> {
  return loadCode(await readPlugin(place, from));
}

/** An object instead of a file: for this process alone. */
export function addPlugin(given: unknown): PluginAtHand {
  const title = `plugin ${(given as GivenPlugin | undefined)?.name ?? "without a name"}`;
  return added(checkPlugin(given, title), title, undefined);
}

export async function loadCode(code: PluginCode): Promise<PluginAtHand> {
  const known = findAtHand(code.digest);
  if (known) return known;
  if (findAtHandByPath(code.path)) throw changed(code.path);
  const { default: given } = await runPlugin(code);
  return added(checkPlugin(given, code.path), code.path, code);
}

/** What a spec names, from where it lay. */
export async function loadReferred({ path, digest }: PluginReference): Promise<void> {
  const todo = "give the plugin of that digest with --plugin, or use() in the library";
  if (path === undefined) {
    throw new CuelabError({ kind: "input", what: "a plugin is needed", expected: digest, todo });
  }
  const code = await readPlugin(path, ".");
  if (code.digest !== digest) {
    throw new CuelabError({
      kind: "input",
      what: "the plugin is another one than the spec names",
      where: path,
      expected: digest,
      got: code.digest,
      todo,
    });
  }
  await loadCode(code);
}

function added(plugin: GivenPlugin, title: string, code: PluginCode | undefined): PluginAtHand {
  const brought: Brought[] = pluginKinds.flatMap((key) =>
    (plugin[key] ?? []).map((entry) => ({
      key,
      entry: key === "datasets" && code ? withPluginSource(entry, code) : entry,
      from: title,
    })),
  );
  bring(brought);
  const brings = Object.fromEntries(
    pluginKinds.flatMap((key) => (plugin[key]?.length ? [[key, plugin[key].map(({ name }) => name)]] : [])),
  );
  const atHand: PluginAtHand = { title, code, brings };
  noteAtHand(atHand);
  return atHand;
}

/** Node keeps what it has loaded once. */
function changed(path: string): CuelabError {
  return new CuelabError({
    kind: "input",
    what: "the plugin has changed since it was loaded",
    where: path,
    todo: "start the program anew",
  });
}
