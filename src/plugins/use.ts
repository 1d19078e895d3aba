/** Plugins in the library: a file, a package or an object, for everything that follows in this process. */

import { fileURLToPath } from "node:url";
import type { Plugin } from "../plugin.ts";
import type { PluginAtHand } from "./at-hand.ts";

export interface UsedPlugin {
  /** Names of what it has brought, by kind. */
  brings: PluginAtHand["brings"];
  /** Of the file it begins with, and of its code; an object has none, and is known to this process alone. */
  path?: string;
  digest?: string;
}

/** A path is seen from the folder in which the program was started; `new URL("./mine.ts", import.meta.url)` from the caller's file. */
export async function use(plugin: string | URL | Plugin): Promise<UsedPlugin> {
  const { addPlugin, loadPlugin } = await import("./load-plugins.ts");
  const isPlace = typeof plugin === "string" || plugin instanceof URL;
  const place = plugin instanceof URL ? fileURLToPath(plugin) : plugin;
  const { brings, code } = isPlace ? await loadPlugin(place as string, process.cwd()) : addPlugin(plugin);
  return { brings, ...(code && { path: code.path, digest: code.digest }) };
}
