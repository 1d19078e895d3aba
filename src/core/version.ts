/** The package's version, for manifests and `--version`. */

import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

export const version: string = (require("cuelab/package.json") as { version: string }).version;
