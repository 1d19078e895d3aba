/** Counts the datasets that a command builds, over all its processes and threads, without the program's knowing. */

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { RunOptions } from "./cuelab.ts";

interface Build {
  process: "parent" | "child" | "thread";
  /** Name, settings and seed. */
  dataset: string;
}

export function countBuilds(file: string): { options: RunOptions; builds: () => Build[] } {
  const noter = join(import.meta.dirname, "note-builds.cjs");
  return {
    options: { env: { NODE_OPTIONS: `--require=${noter}`, CUELAB_TEST_BUILDS: file } },
    builds: () =>
      existsSync(file)
        ? readFileSync(file, "utf8")
            .trim()
            .split("\n")
            .map((line) => JSON.parse(line) as Build)
        : [],
  };
}
