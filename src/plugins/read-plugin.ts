/** Reads a plugin with all that it imports of its own, without running it, and takes its digest. */

import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile, realpath } from "node:fs/promises";
import { builtinModules } from "node:module";
import { dirname, extname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { CuelabError } from "../core/errors.ts";
import { lookUp } from "../core/look-up.ts";
import { didYouMean } from "../core/nearest.ts";
import { findImports } from "./find-imports.ts";
import { entryOfPackage, findPackage, type PackageRecord, packageNameOf, recordPackage } from "./packages.ts";
import type { PluginCode, PluginModule } from "./plugin-code.ts";
import { programNames } from "./program-modules.ts";
import { stripTypes } from "./strip-types.ts";

/** Raised whenever equal files would give another digest than before. */
const digestVersion = 1;

const typed = [".ts", ".mts"];
const readable = [...typed, ".js", ".mjs", ".json"];

/** A file, or the package of this name, seen from a folder. */
async function findPlugin(place: string, from: string): Promise<string> {
  const path = resolve(from, place);
  if (existsSync(path)) return realpath(path);
  const folder = /^(\.{0,2}\/|\w:|.*\.[cm]?[jt]s$)/.test(place) ? undefined : findPackage(place, from);
  if (folder !== undefined) return realpath(await entryOfPackage(folder));
  throw new CuelabError({
    kind: "input",
    what: `there is no plugin "${place}"`,
    where: from,
    expected: "a file such as ./mine.ts, or the name of a package that is installed there",
  });
}

export async function readPlugin(place: string, from: string): Promise<PluginCode> {
  const path = await findPlugin(place, from);
  return new PluginReader().read(path);
}

class PluginReader {
  readonly #modules = new Map<string, PluginModule>();
  /** In the order in which they are met, which the files alone decide. */
  readonly #digests: { address: string; sha256: string }[] = [];
  readonly #packages = new Map<string, PackageRecord>();

  async read(path: string): Promise<PluginCode> {
    const entry = await this.#module(path, path);
    return { path, digest: this.#digest(), entry, modules: Object.fromEntries(this.#modules) };
  }

  /** The address of a module, which is read with all that it imports. */
  async #module(path: string, importer: string): Promise<string> {
    const address = pathToFileURL(path).href;
    if (this.#modules.has(address)) return address;
    checkKind(path, importer);
    const bytes = await readFile(path).catch((cause: Error) => {
      throw unread(path, importer, cause);
    });
    this.#digests.push({ address, sha256: createHash("sha256").update(bytes).digest("hex") });
    const text = bytes.toString("utf8");
    if (extname(path) === ".json") {
      this.#modules.set(address, { format: "json", source: text, imports: {} });
      return address;
    }
    const source = typed.includes(extname(path)) ? await stripTypes(text, path) : text;
    const imports: Record<string, string> = {};
    // Before what it imports, which may import it in turn.
    this.#modules.set(address, { format: "module", source, imports });
    for (const specifier of await findImports(source, path)) {
      const own = await this.#imported(specifier, path);
      if (own !== undefined) imports[specifier] = own;
    }
    return address;
  }

  /** The address of a module of the plugin's own; undefined where Node or the program finds it. */
  async #imported(specifier: string, importer: string): Promise<string | undefined> {
    if (/^\.{1,2}\//.test(specifier)) return this.#module(await ownFile(specifier, importer), importer);
    if (/^(cuelab|zod)($|\/)/.test(specifier)) return checkProgramName(specifier, importer);
    if (specifier.startsWith("node:") || builtinModules.includes(specifier)) return undefined;
    if (/^(\/|#|[a-z]+:)/.test(specifier)) throw neither(specifier, importer);
    const folder = findPackage(packageNameOf(specifier), dirname(importer));
    if (folder === undefined) throw notInstalled(specifier, importer);
    await recordPackage(folder, this.#packages);
    return undefined;
  }

  /** Files are told apart by what they hold and by who imports them under which name: folders may move. */
  #digest(): string {
    const numbers = new Map(this.#digests.map(({ address }, i) => [address, i]));
    const files = this.#digests.map(({ address, sha256 }) => [
      sha256,
      Object.entries(lookUp(this.#modules, address).imports).map(([name, own]) => [name, numbers.get(own)]),
    ]);
    const packages = [...this.#packages.values()].map((record) => record.join(" ")).sort();
    const all = JSON.stringify({ digestVersion, files, packages });
    return `sha256:${createHash("sha256").update(all).digest("hex")}`;
  }
}

/** `./x.js` may be written for `./x.ts`, as compilers want it. */
async function ownFile(specifier: string, importer: string): Promise<string> {
  const path = resolve(dirname(importer), decodeURI(specifier));
  const source = path.replace(/\.(m?)js$/, ".$1ts");
  for (const candidate of [path, source]) if (existsSync(candidate)) return realpath(candidate);
  const near = readable.map((ending) => path + ending).find((candidate) => existsSync(candidate));
  throw new CuelabError({
    kind: "input",
    what: `the plugin imports "${specifier}", and there is no such file`,
    where: importer,
    ...(near !== undefined && { todo: `write "${specifier}${extname(near)}"` }),
  });
}

function checkKind(path: string, importer: string): void {
  if (readable.includes(extname(path))) return;
  throw new CuelabError({
    kind: "input",
    what: path === importer ? "no plugin can be read from this" : "the plugin imports what it cannot",
    where: path,
    expected: `a module in a file that ends in one of: ${readable.join(", ")}`,
    ...(extname(path) === ".cjs" && { todo: "write it as an ES module, with import and export" }),
  });
}

function checkProgramName(specifier: string, importer: string): undefined {
  // All of zod is the program's, whatever part of it.
  if (!specifier.startsWith("cuelab") || programNames.includes(specifier)) return undefined;
  throw new CuelabError({
    kind: "input",
    what: `the plugin imports "${specifier}", which cuelab does not have`,
    where: importer,
    expected: `one of: ${programNames.join(", ")}`,
    ...didYouMean(specifier, programNames),
  });
}

function neither(specifier: string, importer: string): CuelabError {
  return new CuelabError({
    kind: "input",
    what: `the plugin imports "${specifier}"`,
    where: importer,
    expected: "a file beside it (./other.ts), a package, or cuelab: a plugin may move",
  });
}

function notInstalled(specifier: string, importer: string): CuelabError {
  return new CuelabError({
    kind: "input",
    what: `the plugin imports "${specifier}", which is not installed`,
    where: importer,
    todo: `npm install ${packageNameOf(specifier)} in the plugin's folder, or write ./${specifier} for a file`,
  });
}

function unread(path: string, importer: string, cause: Error): CuelabError {
  return new CuelabError({
    kind: "input",
    what: path === importer ? "cannot read the plugin" : "cannot read what the plugin imports",
    where: path,
    got: cause.message,
    cause,
  });
}
