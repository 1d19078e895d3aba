/** What this process is making and has not finished. It goes when the process ends, also in the middle of its work. */

import { rmSync } from "node:fs";

const paths = new Set<string>();

process.on("exit", () => {
  for (const path of paths) {
    try {
      // Threads may still be writing into it.
      rmSync(path, { recursive: true, force: true, maxRetries: 3 });
    } catch {
      // Who comes next knows by its name whose it was, and takes it away.
    }
  }
});

/** Of a file or folder that is about to be there. */
export function beginUnfinished(path: string): void {
  paths.add(path);
}

/** It has its own name now, or is gone. */
export function endUnfinished(path: string): void {
  paths.delete(path);
}
