/**
 * The program as a few files. Node takes about a millisecond for each module it loads, and the commands import hundreds:
 * as they come from the compiler, half a second would pass before anything begins, and again in every process of a sweep.
 * The library in dist/src stays as it is compiled. Packages stay outside, with their licences.
 */

import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { defineConfig } from "rolldown";
import { buildDigest } from "./build-digest.ts";

const { dependencies } = JSON.parse(readFileSync("package.json", "utf8")) as { dependencies: object };
const packages = Object.keys(dependencies);

/** Begun by few, so that they may load more than they need. */
const rare =
  /dist\/src\/(contracts\/|plugins\/(library|load-plugins|module-hooks)|pools\/open-pool|training\/features\/extract|runs\/feature-folder|audits\/(index|open-subject|ask)|sweeps\/run-finder|reports\/(answer-files|as-html)|cli\/(ask-data-bias|every-audit)|plugins\/at-hand)/;

interface ModuleAbout {
  isEntry: boolean;
  importers: string[];
  dynamicImporters: string[];
}

/**
 * Modules that the same beginnings load are one file. What rare ones load is no reason to cut files smaller, as a bundler
 * does by itself: every other start would take longer for it.
 */
function beginningsOf(id: string, about: (id: string) => ModuleAbout | null): string | null {
  const [seen, waiting, beginnings]: [Set<string>, string[], string[]] = [new Set([id]), [id], []];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const { isEntry = false, importers = [], dynamicImporters = [] } = about(at) ?? {};
    if ((isEntry || dynamicImporters.length > 0) && !rare.test(at)) beginnings.push(at);
    for (const importer of importers.filter((each) => !seen.has(each))) {
      seen.add(importer);
      waiting.push(importer);
    }
  }
  return beginnings.length < 2 ? null : beginnings.sort().join();
}

/** Files have the name of one of their modules. */
const names = new Map<string, string>();

/** Equal names would make one file of two. */
function newName(beginnings: string, name: string): string {
  const free = [...names.values()].includes(name) ? `${name}-${names.size}` : name;
  names.set(beginnings, free);
  return free;
}

export default defineConfig({
  // Processes and threads are started by a path beside the code that starts them, so all lie in one folder.
  input: {
    main: "dist/src/cli/main.js",
    "signal-thread": "dist/src/cli/signal-thread.js",
    "train-process": "dist/src/training/train-process.js",
    "pool-process": "dist/src/pools/pool-process.js",
    "batch-worker": "dist/src/training/batch-worker.js",
    "chunk-worker": "dist/src/formats/chunk-worker.js",
    "measure-worker": "dist/src/audits/discover/measuring/measure-worker.js",
    "table-worker": "dist/src/tables/table-worker.js",
    // What plugins import must be what the program itself has loaded.
    "module-hooks": "dist/src/plugins/module-hooks.js",
    library: "dist/src/plugins/library.js",
    "library-plugin": "dist/src/plugins/library-plugin.js",
    "library-engine": "dist/src/plugins/library-engine.js",
    "library-methods": "dist/src/plugins/library-methods.js",
  },
  plugins: [buildDigest()],
  platform: "node",
  preserveEntrySignatures: "allow-extension",
  external: (id) => packages.some((name) => id === name || id.startsWith(`${name}/`)),
  output: {
    dir: "dist/program",
    cleanDir: true,
    sourcemap: true,
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [
        {
          debugName: "modules that are loaded together",
          name: (id, context) => {
            const beginnings = beginningsOf(id, (each) => context.getModuleInfo(each));
            if (beginnings === null) return null;
            return names.get(beginnings) ?? newName(beginnings, basename(id, ".js"));
          },
        },
      ],
    },
  },
});
