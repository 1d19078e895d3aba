/** A copy of a folder as it is at this very moment: for looking at what a kill would leave. */

import { cpSync } from "node:fs";
import { lockName } from "./lock.ts";
import { isPartial } from "./partial-name.ts";

/** Without locks and what is half-made: others take these over, or remove them. Files that are there are replaced. */
export function copyFolder(
  from: string,
  to: string,
  { except = () => false }: { except?: (path: string) => boolean } = {},
): void {
  cpSync(from, to, {
    recursive: true,
    filter: (path) => !path.includes(lockName) && !isPartial(path) && !except(path),
  });
}
