/**
 * Processes and threads that code of src starts lie beside it once it is compiled. Node cannot run their sources: in tests
 * they are those of the built program, so that commands within a test's process can train and work on several threads.
 */

import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Plugin } from "vitest/config";

const root = resolve(import.meta.dirname, "../..");
const started = /new URL\("\.\/([a-z]+-(?:process|worker)\.js)", import\.meta\.url\)/g;

export const builtBeside: Plugin = {
  name: "built beside",
  enforce: "pre",
  transform(code, id) {
    if (!id.startsWith(join(root, "src"))) return;
    const program = pathToFileURL(join(root, "dist/program"));
    return code.replaceAll(started, (_, file: string) => `new URL("${program.href}/${file}")`);
  },
};
