/** Makes folders to write to, before the work whose results go there, and takes temporary ones away again. */

import { access, constants, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { CuelabError } from "../core/errors.ts";
import { diskError } from "./disk-error.ts";
import { beginUnfinished, endUnfinished } from "./unfinished.ts";

/** There afterwards, with those above it, and may be written to. */
export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true }).catch(async (cause: NodeJS.ErrnoException) => {
      // So says the system where it may not be, whatever forbids it.
      if (cause.code === "ENOENT") await makeEach(path);
      else throw cause;
    });
    await access(path, constants.W_OK);
  } catch (cause) {
    throw diskError(cause, path);
  }
}

/** One after the other, for the sake of a better error. */
async function makeEach(path: string): Promise<void> {
  const above = dirname(path);
  await mkdir(path).catch(async (cause: NodeJS.ErrnoException) => {
    if (cause.code !== "ENOENT" || above === path || (await exists(above))) throw cause;
    await makeEach(above);
    await mkdir(path);
  });
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** It is no place that was asked for. */
function keptNowhere(error: unknown): unknown {
  if (!(error instanceof CuelabError)) return error;
  return new CuelabError({
    ...error.parts,
    what: `the temporary folder cannot be used: ${error.parts.what}`,
    todo: "set TMPDIR to a folder that may be written to, with room",
    cause: error,
  });
}

export interface TemporaryFolder {
  path: string;
  remove: () => Promise<void>;
}

/** For what is needed for a while, where the system keeps such things. */
export async function temporaryFolder(purpose: string): Promise<TemporaryFolder> {
  const start = join(tmpdir(), `cuelab-${purpose}-`);
  const path = await mkdtemp(start).catch((cause: unknown) => {
    throw keptNowhere(diskError(cause, start));
  });
  beginUnfinished(path);
  return {
    path,
    remove: async () => {
      await rm(path, { recursive: true, force: true });
      endUnfinished(path);
    },
  };
}
