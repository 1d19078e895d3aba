/** A folder with all that lies in it, as it is, times included; by functions that nobody stands in front of. */

import fs from "node:fs";
import { join } from "node:path";

const { copyFileSync, lstatSync, mkdirSync, readdirSync, readlinkSync, symlinkSync, utimesSync } = fs;

export function copyTree(from: string, to: string): void {
  const there = lstatSync(from);
  if (there.isSymbolicLink()) symlinkSync(readlinkSync(from), to);
  else if (there.isDirectory()) {
    mkdirSync(to, { recursive: true });
    for (const name of readdirSync(from)) copyTree(join(from, name), join(to, name));
  } else copyFileSync(from, to);
  if (!there.isSymbolicLink()) utimesSync(to, there.atime, there.mtime);
}
