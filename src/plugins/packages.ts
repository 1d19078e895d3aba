/** Packages that a plugin imports: where they lie, and what tells one version of their code from another. */

import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir, readFile, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { CuelabError } from "../core/errors.ts";

interface PackageFile {
  name?: string;
  version?: string;
  main?: string;
  exports?: unknown;
  dependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

/** Name, version and integrity. */
export type PackageRecord = readonly [name: string, version: string, integrity: string];

/** More is no code, and would take long to read in every command. */
const mostBytes = 64 * 2 ** 20;

/** `@scope/name/deeper` → `@scope/name`. */
export function packageNameOf(specifier: string): string {
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}

/** The folder in which Node finds a package from here. */
export function findPackage(name: string, from: string): string | undefined {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    const candidate = join(folder, "node_modules", name);
    if (existsSync(join(candidate, "package.json"))) return candidate;
    if (dirname(folder) === folder) return undefined;
  }
}

/** The file that a package begins with, for whoever imports it. */
export async function entryOfPackage(folder: string): Promise<string> {
  const { exports, main } = await readPackage(folder);
  const entry = exports === undefined ? (main ?? "index.js") : importedOf(exports);
  const path = entry === undefined ? undefined : join(folder, entry);
  if (path !== undefined && existsSync(path)) return path;
  throw new CuelabError({
    kind: "input",
    what: "the package has no module to begin with",
    where: join(folder, "package.json"),
    expected: "a file under exports, for import or default, or under main",
    ...(entry !== undefined && { got: entry }),
  });
}

/** The conditions under which Node chooses what to import, the first that fits. */
function importedOf(exports: unknown): string | undefined {
  if (typeof exports === "string") return exports;
  if (typeof exports !== "object" || exports === null) return undefined;
  for (const [key, value] of Object.entries(exports)) {
    if (![".", "import", "node", "default"].includes(key)) continue;
    const found = importedOf(value);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A package and all that it depends on, each once, added to those known already by their folders. */
export async function recordPackage(folder: string, known: Map<string, PackageRecord>): Promise<void> {
  const real = await realpath(folder);
  if (known.has(real)) return;
  const { name = "", version = "", dependencies, peerDependencies } = await readPackage(real);
  known.set(real, [name, version, (await recordedIntegrity(folder)) ?? (await digestOfFolder(real))]);
  for (const dependency of Object.keys({ ...dependencies, ...peerDependencies })) {
    const found = findPackage(dependency, real);
    // An optional one may be missing, and the program's own is no version of the plugin's.
    if (found !== undefined && dependency !== "cuelab") await recordPackage(found, known);
  }
}

async function readPackage(folder: string): Promise<PackageFile> {
  const path = join(folder, "package.json");
  try {
    return JSON.parse(await readFile(path, "utf8")) as PackageFile;
  } catch (cause) {
    throw new CuelabError({
      kind: "input",
      what: "cannot read the package",
      where: path,
      got: (cause as Error).message,
      cause,
    });
  }
}

/** What npm has recorded when it installed the package. */
async function recordedIntegrity(folder: string): Promise<string | undefined> {
  for (let outer = dirname(folder); dirname(outer) !== outer; outer = dirname(outer)) {
    if (basename(outer) !== "node_modules") continue;
    const text = await readFile(join(outer, ".package-lock.json"), "utf8").catch(() => undefined);
    if (text === undefined) continue;
    const { packages = {} } = JSON.parse(text) as { packages?: Record<string, { integrity?: string }> };
    const key = relative(dirname(outer), folder).split(sep).join("/");
    return packages[key]?.integrity;
  }
  return undefined;
}

/** Of a package that is linked, or that npm has not installed: its files themselves. */
async function digestOfFolder(folder: string): Promise<string> {
  const hash = createHash("sha256");
  let bytes = 0;
  for (const path of (await filesOf(folder)).sort()) {
    bytes += (await stat(join(folder, path))).size;
    if (bytes > mostBytes) {
      throw new CuelabError({
        kind: "input",
        what: "the package is too large for a digest of its files",
        where: folder,
        expected: `${mostBytes / 2 ** 20} MB at most, or an integrity that npm has recorded`,
        todo: "install it with npm",
      });
    }
    const content = await readFile(join(folder, path));
    hash.update(`${path} ${content.length} `).update(content);
  }
  return `sha256-${hash.digest("base64")}`;
}

async function filesOf(folder: string, inner = ""): Promise<string[]> {
  const files: string[] = [];
  for (const entry of await readdir(join(folder, inner), { withFileTypes: true })) {
    const path = inner === "" ? entry.name : `${inner}/${entry.name}`;
    if (entry.name === "node_modules" || entry.name === ".git") continue;
    if (entry.isDirectory()) files.push(...(await filesOf(folder, path)));
    else if (entry.isFile()) files.push(path);
  }
  return files;
}
