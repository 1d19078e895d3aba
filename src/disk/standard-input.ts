/** What is piped in, as a file: tables are read from several places, and more than once. */

import { rmSync } from "node:fs";
import { join } from "node:path";
import { CuelabError } from "../core/errors.ts";
import { temporaryFolder } from "./make-folder.ts";
import { writeWhole } from "./write-whole.ts";

/** The name that stands for it, as in other programs. */
export const standardInput = "-";

let kept: Promise<string> | undefined;

/** The path to read: itself, or that of what was piped in, which is there until the process ends. */
export async function onDisk(path: string): Promise<string> {
  if (path !== standardInput) return path;
  kept ??= keep();
  return kept;
}

async function keep(): Promise<string> {
  if (process.stdin.isTTY) {
    throw new CuelabError({
      kind: "usage",
      what: `"${standardInput}" stands for what is piped in, and nothing is`,
      todo: "pipe a table in, such as: cat predictions.csv | cuelab eval -",
    });
  }
  const folder = await temporaryFolder("input");
  process.once("exit", () => rmSync(folder.path, { recursive: true, force: true }));
  const path = join(folder.path, "input");
  await writeWhole(path, process.stdin, { overwrite: false });
  return path;
}
