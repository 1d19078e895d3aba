/** What is piped in, as a file: tables are read from several places, and more than once. */

import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { CuelabError } from "../core/errors.ts";
import { temporaryFolder } from "./make-folder.ts";
import { writeWhole } from "./write-whole.ts";

/** The name that stands for it, as in other programs. */
export const standardInput = "-";

const kept = new Map<string, Promise<string>>();

/** Whether a path is `-`, or what shells call something that they hold open: `/dev/stdin`, or `/dev/fd/63` for `<(…)`. */
export function isPipeName(path: string): boolean {
  return path === standardInput || /^\/dev\/(stdin|fd\/\d+)$|^\/proc\/self\/fd\/\d+$/.test(path);
}

/** Whether it is to be taken as it comes; what a shell holds open may be a file as well. */
export async function isPipedIn(path: string): Promise<boolean> {
  if (path === standardInput || !isPipeName(path)) return path === standardInput;
  const found = await stat(path).catch(() => undefined);
  return found?.isFIFO() === true || found?.isSocket() === true;
}

/** The path to read: itself, or that of what was piped in, which is there until the process ends. */
export async function onDisk(path: string): Promise<string> {
  if (!(await isPipedIn(path))) return path;
  const copy = kept.get(path) ?? keep(path);
  kept.set(path, copy);
  return copy;
}

async function keep(pipe: string): Promise<string> {
  if (pipe === standardInput && process.stdin.isTTY) {
    throw new CuelabError({
      kind: "usage",
      what: `"${standardInput}" stands for what is piped in, and nothing is`,
      todo: "pipe a table in, such as: cat predictions.csv | cuelab eval -",
    });
  }
  // Taken away with all that is unfinished when the process ends.
  const folder = await temporaryFolder("input");
  const path = join(folder.path, "input");
  await writeWhole(path, pipe === standardInput ? process.stdin : createReadStream(pipe), {
    overwrite: false,
  });
  return path;
}
