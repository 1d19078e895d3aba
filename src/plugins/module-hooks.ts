/**
 * How Node finds and loads a plugin's modules: from memory, as they were when its digest was taken, and with the running
 * program's own modules in place of packages of the same names. Node 20 runs this file in a thread of its own.
 */

import type { LoadHookContext, ResolveHookContext } from "node:module";
import type { PluginModule } from "./plugin-code.ts";

export interface HookData {
  modules: Readonly<Record<string, PluginModule>>;
  /** Addresses of the program's own modules, by what plugins call them. */
  program: Readonly<Record<string, string>>;
  /** A module of the program, from which packages that both share are found. */
  base: string;
}

interface Resolved {
  url: string;
  format?: string | null | undefined;
  shortCircuit?: boolean | undefined;
}

interface Loaded {
  format: string | null | undefined;
  source?: unknown;
  shortCircuit?: boolean | undefined;
}

let modules: HookData["modules"] = {};
let program: HookData["program"] = {};
let base: string | undefined;

/** Called by Node in the hooks' own thread; elsewhere by whoever registers them. What came before stays known. */
export function initialize(data: HookData): void {
  modules = { ...modules, ...data.modules };
  ({ program, base } = data);
}

export function resolve<Next>(
  specifier: string,
  context: ResolveHookContext,
  next: (specifier: string, context: ResolveHookContext) => Next,
): Next | Resolved {
  const importer = modules[context.parentURL ?? ""];
  // Cuelab's also for packages that a plugin imports: a second engine's expressions are none to the first.
  const target = modules[specifier] ? specifier : (importer?.imports[specifier] ?? program[specifier]);
  if (target !== undefined) return { url: target, shortCircuit: true };
  const isShared = importer !== undefined && /^zod($|\/)/.test(specifier);
  return next(specifier, isShared ? { ...context, parentURL: base } : context);
}

export function load<Next>(
  url: string,
  context: LoadHookContext,
  next: (url: string, context: LoadHookContext) => Next,
): Next | Loaded {
  const module = modules[url];
  if (module === undefined) return next(url, context);
  return { format: module.format, source: module.source, shortCircuit: true };
}
