/** What a plugin brings, looked over before any of it is used: plain JavaScript has no compiler to do so. */

import { z } from "zod";
import { CuelabError } from "../core/errors.ts";
import { didYouMean } from "../core/nearest.ts";
import { version } from "../core/version.ts";
import { type PluginKind, pluginKinds } from "./at-hand.ts";
import { fitsRange } from "./version-range.ts";

/** A plugin of which only its form is known. */
export interface GivenPlugin extends Partial<Record<PluginKind, readonly { readonly name: string }[]>> {
  name?: string;
  cuelab?: string;
}

type Field = "text" | "number" | "function" | "schema" | "list" | "object";

const fits: Readonly<Record<Field, (value: unknown) => boolean>> = {
  text: (value) => typeof value === "string",
  number: (value) => typeof value === "number",
  function: (value) => typeof value === "function",
  // One of another zod would be refused much later, and less clearly.
  schema: (value) => value instanceof z.ZodObject,
  list: Array.isArray,
  object: (value) => typeof value === "object" && value !== null,
};

/** What each must have; of several by `|`, one. */
const fields: Readonly<Record<PluginKind, Readonly<Record<string, Field>>>> = {
  methods: {
    version: "number",
    title: "text",
    settings: "schema",
    search: "object",
    presets: "object",
    stages: "function",
  },
  datasets: {
    title: "text",
    description: "text",
    version: "number",
    settings: "schema",
    examples: "list",
    small: "list",
    build: "function",
  },
  models: { description: "text", defaults: "object", head: "text", features: "function" },
  metrics: { title: "text", better: "text", bounds: "list", needs: "list", of: "function" },
  views: {
    description: "text",
    version: "number",
    settings: "schema",
    examples: "list",
    "make|mix": "function",
  },
  audits: {
    title: "text",
    description: "text",
    of: "text",
    question: "schema",
    ask: "function",
    show: "function",
  },
  studies: { title: "text", registered: "function", jobs: "function", report: "function" },
};

const names = /^[a-z\d]+(-[a-z\d]+)*$/;

/** Throws unless it is a plugin, and one for this version. */
export function checkPlugin(given: unknown, where: string): GivenPlugin {
  if (typeof given !== "object" || given === null || Array.isArray(given)) throw noPlugin(where, given);
  const plugin = given as GivenPlugin;
  const known = ["name", "cuelab", ...pluginKinds];
  for (const key of Object.keys(plugin)) if (!known.includes(key)) throw unknownKind(key, where, plugin);
  if (plugin.cuelab !== undefined && !fitsRange(plugin.cuelab, version)) {
    throw new CuelabError({
      kind: "input",
      what: "the plugin is for another version of cuelab",
      where,
      expected: plugin.cuelab,
      got: version,
      todo: "take a version of the plugin or of cuelab that fits, or change what it says if it works all the same",
    });
  }
  for (const kind of pluginKinds)
    for (const entry of entriesOf(plugin, kind, where)) checkEntry(kind, entry, where);
  return plugin;
}

function entriesOf(plugin: GivenPlugin, kind: PluginKind, where: string): readonly unknown[] {
  const entries: unknown = plugin[kind] ?? [];
  if (Array.isArray(entries)) return entries;
  throw new CuelabError({
    kind: "input",
    what: `${kind} of a plugin are a list`,
    where,
    expected: `${kind}: [mine]`,
  });
}

function checkEntry(kind: PluginKind, entry: unknown, where: string): void {
  const { name, ...rest } = (entry ?? {}) as { name?: unknown };
  if (typeof name !== "string" || !names.test(name)) {
    throw new CuelabError({
      kind: "input",
      what: `a name in ${kind} that cannot be one`,
      where,
      expected: "small letters, digits and hyphens, such as my-method",
      got: JSON.stringify(name) ?? "none",
    });
  }
  const values = rest as Record<string, unknown>;
  for (const [field, type] of Object.entries(fields[kind])) {
    const value = field.split("|").map((each) => values[each]);
    if (value.some((each) => fits[type](each))) continue;
    throw new CuelabError({
      kind: "input",
      what: `"${name}" in ${kind} has no ${field.replace("|", " or ")} as it should be`,
      where,
      expected: type === "schema" ? "settings: z.object({…}), with z from zod" : `a ${type}`,
      got: value.every((each) => each === undefined)
        ? "nothing"
        : typeof value.find((each) => each !== undefined),
    });
  }
}

function unknownKind(key: string, where: string, plugin: GivenPlugin): CuelabError {
  const known = ["name", "cuelab", ...pluginKinds];
  // Somebody may have exported the thing itself.
  if ("name" in plugin && ("settings" in plugin || "of" in plugin || "features" in plugin))
    return noPlugin(where, plugin);
  return new CuelabError({
    kind: "input",
    what: `a plugin cannot bring "${key}"`,
    where,
    expected: `some of: ${known.join(", ")}`,
    ...didYouMean(key, known),
  });
}

function noPlugin(where: string, given: unknown): CuelabError {
  return new CuelabError({
    kind: "input",
    what: "the file exports no plugin",
    where,
    expected: "export default definePlugin({ methods: [mine] }), with definePlugin from cuelab/plugin",
    got: given === undefined ? "no default export" : "something else as the default export",
    todo: "begin with: cuelab plugin new method mine --out mine.ts",
  });
}
