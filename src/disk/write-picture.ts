/** Writes a picture or a page: whole or not at all, and never over something else. */

import { readFile } from "node:fs/promises";
import { CuelabError } from "../core/errors.ts";
import { writeWhole } from "./write-whole.ts";

/** A picture as PNG; replaces pictures and nothing else. */
export async function writePicture(path: string, png: Uint8Array): Promise<void> {
  if (!path.toLowerCase().endsWith(".png")) {
    throw new CuelabError({
      kind: "usage",
      what: "the picture is a PNG",
      expected: "a name that ends in .png",
      got: path,
    });
  }
  await refuseOthers(path, "a PNG", (old) => old.subarray(1, 4).toString("latin1") === "PNG");
  await writeWhole(path, png);
}

/** A page that says in its head who made it; replaces such pages and nothing else. */
export async function writePage(path: string, page: string): Promise<void> {
  const isOurs = (old: Buffer) => old.includes('<meta name="generator" content="cuelab ');
  await refuseOthers(path, "a page that cuelab made", isOurs);
  await writeWhole(path, page);
}

async function refuseOthers(path: string, kind: string, isKind: (old: Buffer) => boolean): Promise<void> {
  const old = await readFile(path).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === "ENOENT") return undefined;
    throw new CuelabError({
      kind: "input",
      what: "cannot write there",
      where: path,
      got: cause.message,
      cause,
    });
  });
  if (old === undefined || isKind(old)) return;
  throw new CuelabError({
    kind: "input",
    what: "something else is there already",
    where: path,
    expected: `${kind}, or nothing`,
  });
}
