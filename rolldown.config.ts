/**
 * The program as a few files. Node takes about a millisecond for each module it loads, and the commands import hundreds:
 * as they come from the compiler, half a second would pass before anything begins, and again in every process of a sweep.
 * The library in dist/src stays as it is compiled. Packages stay outside, with their licences.
 */

import { readFileSync } from "node:fs";
import { defineConfig } from "rolldown";

const { dependencies } = JSON.parse(readFileSync("package.json", "utf8")) as { dependencies: object };
const packages = Object.keys(dependencies);

export default defineConfig({
  // Processes and threads are started by a path beside the code that starts them, so all lie in one folder.
  input: {
    main: "dist/src/cli/main.js",
    "train-process": "dist/src/protocol/train-process.js",
    "pool-process": "dist/src/protocol/pool/pool-process.js",
    "batch-worker": "dist/src/protocol/batch-worker.js",
    "chunk-worker": "dist/src/formats/chunk-worker.js",
    "table-worker": "dist/src/tables/table-worker.js",
    // What plugins import must be what the program itself has loaded.
    "module-hooks": "dist/src/plugins/module-hooks.js",
    library: "dist/src/plugins/library.js",
    "library-plugin": "dist/src/plugins/library-plugin.js",
    "library-engine": "dist/src/plugins/library-engine.js",
    "library-methods": "dist/src/plugins/library-methods.js",
  },
  platform: "node",
  external: (id) => packages.some((name) => id === name || id.startsWith(`${name}/`)),
  output: { dir: "dist/program", cleanDir: true, sourcemap: true },
});
