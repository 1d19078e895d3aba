/** Paths that a dataset's own files name stay below its folder: who makes such a file must not choose what else is read. */

import { posix } from "node:path";
import { CuelabError } from "./errors.ts";

/** Whether a path, with slashes of either kind, leads out of the folder that it is seen from. */
export function leadsOutside(path: string): boolean {
  const said = path.replaceAll("\\", "/");
  if (posix.isAbsolute(said) || /^[a-z]:/i.test(said)) return true;
  const plain = posix.normalize(said);
  return plain === ".." || plain.startsWith("../");
}

/** Throws where a file of a dataset names one outside of it. */
export function requireInside(path: string, where: string): void {
  if (!leadsOutside(path) && !path.includes("\0")) return;
  throw new CuelabError({
    kind: "input",
    what: "the dataset names a file outside its folder",
    where,
    expected: "paths below the dataset's folder",
    got: JSON.stringify(path),
    todo: "if the files are yours: leave out dataset.json, and give the table as one of your own",
  });
}
