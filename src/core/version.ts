/** The package's version, for manifests and `--version`. */

import { packageAbout } from "./package-files.ts";

export const version: string = packageAbout().version;
