/** Loads plugins into this thread: read, run, looked over, and their entries in the registries. */

import { extname, resolve } from "node:path";
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
  if (isOnnx(place)) return loadOnnx(resolve(from, place));
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
  if (isOnnx(code.path)) return loadOnnx(code.path, code.digest);
  const { default: given } = await runPlugin(code);
  return added(checkPlugin(given, code.path), code.path, code);
}

/** What a spec names, from where it lay. */
export async function loadReferred({ path, digest }: PluginReference): Promise<void> {
  const todo = "give the plugin of that digest with --plugin, or use() in the library";
  if (path === undefined) {
    throw new CuelabError({ kind: "input", what: "a plugin is needed", expected: digest, todo });
  }
  if (isOnnx(path)) {
    await loadOnnx(path, digest);
    return;
  }
  const code = await readPlugin(path, ".");
  if (code.digest !== digest) throw otherPlugin(path, digest, code.digest, todo);
  await loadCode(code);
}

function otherPlugin(where: string, expected: string, got: string, todo: string): CuelabError {
  const what = "the plugin is another one than the spec names";
  return new CuelabError({ kind: "input", what, where, expected, got, todo });
}

function isOnnx(place: string): boolean {
  return extname(place) === ".onnx";
}

/** A network in a file is a plugin that brings one model. Every process reads it from there, and finds it as it was. */
async function loadOnnx(path: string, digest?: string): Promise<PluginAtHand> {
  const { readOnnxNetwork } = await import("../models/onnx/network.ts");
  const { modelOfNetwork } = await import("../models/onnx/model-of-network.ts");
  const network = await readOnnxNetwork(path);
  if (digest !== undefined && network.digest !== digest)
    throw otherPlugin(path, digest, network.digest, "give the file that the run began with");
  const known = findAtHand(network.digest);
  if (known) return known;
  const code = { path, digest: network.digest, entry: path, modules: {} };
  return added(checkPlugin({ models: [modelOfNetwork(network)] }, path), path, code);
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
