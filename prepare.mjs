/**
 * What npm runs after an installation in the clone, and before packing. `npx cuelab` in the clone is to npm an installation of
 * the clone, too: it would build again what is built.
 */

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const { npm_command: command, npm_execpath: npm } = process.env;
if (command !== "exec" || !existsSync("dist/program/main.js")) {
  const { status } = spawnSync(process.execPath, [npm, "run", "build"], { stdio: "inherit" });
  process.exitCode = status ?? 1;
}
