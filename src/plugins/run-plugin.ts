/** Runs a plugin's modules in this thread, with the program's own beside them. */

import * as nodeModule from "node:module";
import { fileURLToPath } from "node:url";
import { CuelabError } from "../core/errors.ts";
import { version } from "../core/version.ts";
import * as hooks from "./module-hooks.ts";
import type { PluginCode } from "./plugin-code.ts";
import { programAddresses } from "./program-modules.ts";

/** In this thread, where Node can; Node 20 wants them in one of their own, once for each plugin. */
type RegisterHooks = (hooks: object) => void;
const registerHooks = Reflect.get(nodeModule, "registerHooks") as RegisterHooks | undefined;
let registered = false;

/** What the plugin's first module exports. */
export async function runPlugin(code: PluginCode): Promise<Record<string, unknown>> {
  prepare({ modules: code.modules, program: programAddresses(), base: import.meta.url }, code.digest);
  try {
    return (await import(code.entry)) as Record<string, unknown>;
  } catch (cause) {
    throw failed(code, cause);
  }
}

function prepare(data: hooks.HookData, digest: string): void {
  if (registerHooks === undefined) {
    const address = new URL("./module-hooks.js", import.meta.url);
    address.search = digest;
    nodeModule.register(address.href, { data });
    return;
  }
  hooks.initialize(data);
  if (!registered) registerHooks({ resolve: hooks.resolve, load: hooks.load });
  registered = true;
}

function failed({ path, modules }: PluginCode, cause: unknown): CuelabError {
  const { message = String(cause), stack = "" } = (cause ?? {}) as Partial<Error>;
  const where = placeIn(stack, Object.keys(modules)) ?? path;
  const missing = /does not provide an export named '([^']+)'/.exec(message)?.[1];
  if (missing !== undefined) {
    return new CuelabError({
      kind: "input",
      what: `the plugin imports "${missing}", which is not there`,
      where,
      got: message,
      todo: `for a type write: import type { ${missing} }; this is cuelab ${version}, other versions have other exports`,
      cause,
    });
  }
  if (cause instanceof CuelabError) {
    const { where: own } = cause.parts;
    return new CuelabError({ ...cause.parts, where: own === undefined ? where : `${own}, in ${where}` });
  }
  return new CuelabError({
    kind: "input",
    what: "the plugin failed while it was loaded",
    where,
    got: message,
    cause,
  });
}

/** The first place of a stack that is the plugin's own: `path:line:column`. */
function placeIn(stack: string, addresses: readonly string[]): string | undefined {
  for (const line of stack.split("\n")) {
    const [, address, place] = /(file:\/\/.*?)((?::\d+){1,2})\)?$/.exec(line) ?? [];
    if (address !== undefined && addresses.includes(address)) return `${fileURLToPath(address)}${place}`;
  }
  return undefined;
}
