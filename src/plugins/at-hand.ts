/** The plugins that this thread has loaded, and how others get them. It loads nothing itself, so that it costs nothing. */

import { CuelabError } from "../core/errors.ts";
import type { PluginCode, PluginReference } from "./plugin-code.ts";

/** What a plugin may bring. */
export const pluginKinds = [
  "methods",
  "datasets",
  "models",
  "metrics",
  "views",
  "audits",
  "studies",
] as const;
export type PluginKind = (typeof pluginKinds)[number];

export interface PluginAtHand {
  /** The file, or how else it came, for messages. */
  title: string;
  /** Undefined where it was handed over as an object, which no other thread can have. */
  code: PluginCode | undefined;
  /** Names of what it has brought. */
  brings: Readonly<Partial<Record<PluginKind, readonly string[]>>>;
}

const atHand: PluginAtHand[] = [];

export function noteAtHand(plugin: PluginAtHand): void {
  atHand.push(plugin);
}

export function findAtHand(digest: string): PluginAtHand | undefined {
  return atHand.find(({ code }) => code?.digest === digest);
}

export function findAtHandByPath(path: string): PluginAtHand | undefined {
  return atHand.find(({ code }) => code?.path === path);
}

/** For a process that does what this one does. */
export function pluginsToHand(): PluginCode[] {
  return atHand.flatMap(({ code }) => code ?? []);
}

/** For a thread that makes images: it needs no others. */
export function pluginsForImages(): PluginCode[] {
  return atHand.flatMap(({ code, brings }) => (code && (brings.datasets || brings.views) ? [code] : []));
}

/** The plugins without which these names mean nothing; undefined where there are none, so that it can be left out. */
export function pluginsBehind(
  names: Readonly<Partial<Record<PluginKind, readonly (string | undefined)[]>>>,
  further: readonly PluginReference[] = [],
): PluginReference[] | undefined {
  const found = new Map(further.map((reference) => [reference.digest, reference]));
  for (const { title, code, brings } of atHand) {
    const used = pluginKinds.find((kind) => brings[kind]?.some((name) => names[kind]?.includes(name)));
    if (used === undefined) continue;
    if (code === undefined) throw onlyHere(title, used);
    found.set(code.digest, { path: code.path, digest: code.digest });
  }
  // In an order that does not depend on that of the options.
  const all = [...found.values()].sort((a, b) => (a.digest < b.digest ? -1 : 1));
  return all.length === 0 ? undefined : all;
}

/** Every text in plain data: whichever of them is the name of something, it is meant. */
export function namesIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(namesIn) : [];
}

/** First in every process and thread: loads what whoever started it has handed over. */
export async function takePlugins(codes: readonly PluginCode[]): Promise<void> {
  if (codes.length === 0) return;
  const { loadCode } = await import("./load-plugins.ts");
  for (const code of codes) await loadCode(code);
}

/** Files and packages as people name them, seen from a folder. */
export async function usePlaces(places: readonly string[] = [], folder: string): Promise<void> {
  if (places.length === 0) return;
  const { loadPlugin } = await import("./load-plugins.ts");
  for (const place of places) await loadPlugin(place, folder);
}

/** Sees to it that what a spec names is loaded: by its digest, or from where it lay. */
export async function needPlugins(references: readonly PluginReference[] = []): Promise<void> {
  for (const reference of references) {
    if (findAtHand(reference.digest)) continue;
    const { loadReferred } = await import("./load-plugins.ts");
    await loadReferred(reference);
  }
}

function onlyHere(title: string, kind: PluginKind): CuelabError {
  return new CuelabError({
    kind: "usage",
    what: `${kind} of ${title} are known to this process alone`,
    expected: "a plugin in a file, which the process that trains can load too",
    todo: "write it to a file, and give its path to use()",
  });
}
