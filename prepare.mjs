/**
 * What npm runs after an installation in the clone, and before packing. `npx cuelab` in the clone is to npm an installation of
 * the clone, too: it would build again what is built.
 */

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const alreadyBuilt = process.env.npm_command === "exec" && existsSync("dist/program/main.js");
if (!alreadyBuilt) {
  const { status } = spawnSync("npm", ["run", "build"], { stdio: "inherit", shell: process.platform === "win32" });
  process.exitCode = status ?? 1;
}
