/** Where the package itself lies, for what the build puts beside the code: fonts, and the runtime where it is carried along. */

import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const require = createRequire(import.meta.url);
const about = "cuelab/package.json";

const packageFolder = dirname(require.resolve(about));

/** The path of a file of the package, from its root. */
export function packageFile(...path: string[]): string {
  return join(packageFolder, ...path);
}

/** What `package.json` says. */
export function packageAbout(): { version: string; peerDependencies: Record<string, string> } {
  return require(about);
}
