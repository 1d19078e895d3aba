/** Writes a picture that is there whole or not at all. */

import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { CuelabError } from "../core/errors.ts";
import { diskError } from "./disk-error.ts";

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
  const old = await readFile(path).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === "ENOENT") return undefined;
    throw new CuelabError({
      kind: "input",
      what: "cannot write the picture there",
      where: path,
      got: cause.message,
      cause,
    });
  });
  if (old !== undefined && old.subarray(1, 4).toString("latin1") !== "PNG") {
    throw new CuelabError({
      kind: "input",
      what: "something else is there already",
      where: path,
      expected: "a PNG, or nothing",
    });
  }
  await writeWhole(path, png);
}

async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  const partial = `${path}.cuelab-partial-${process.pid}`;
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(partial, bytes);
    await rename(partial, path);
  } catch (cause) {
    await rm(partial, { force: true });
    throw diskError(cause, path);
  }
}
