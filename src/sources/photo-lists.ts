/**
 * Lists of photos to keep or to leave out, since papers choose with networks that are not at hand. A list is a text file
 * with one name a line, or a folder of such files: `train/alley.txt` then lists files of the folder `train/alley`.
 */

import { readdir, stat } from "node:fs/promises";
import { join, posix } from "node:path";
import { CuelabError } from "../core/errors.ts";
import { readPlainText } from "../disk/plain-file.ts";
import { reasonOf } from "./image-folder.ts";

export interface PhotoLists {
  /** Only these are used. */
  keep?: string | undefined;
  /** These are not. */
  exclude?: string | undefined;
}

/** Those of the photos, paths with forward slashes, that the lists leave. */
export async function chooseByLists(photos: readonly string[], lists: PhotoLists): Promise<string[]> {
  const kept = lists.keep === undefined ? undefined : await namedBy(lists.keep, photos);
  const excluded = lists.exclude === undefined ? undefined : await namedBy(lists.exclude, photos);
  const chosen = photos.filter(
    (photo) => (kept === undefined || kept.has(photo)) && excluded?.has(photo) !== true,
  );
  if (chosen.length > 0 || photos.length === 0) return chosen;
  throw new CuelabError({
    kind: "input",
    what: "the lists leave no photo",
    where: [lists.keep, lists.exclude].filter((list) => list !== undefined).join(" and "),
    expected: `names of some of ${photos.length} photos, such as ${photos[0]}`,
  });
}

/** The photos that a list names. Lines about folders that are not in use are passed over; other names must exist. */
async function namedBy(list: string, photos: readonly string[]): Promise<Set<string>> {
  const byEnding = endings(photos);
  const folders = endings([...new Set(photos.map((photo) => posix.dirname(photo)))]);
  const named = new Set<string>();
  for (const { file, folder } of await listFiles(list)) {
    for (const [i, line] of (await readText(file)).split(/\r?\n/).entries()) {
      const entry = line
        .trim()
        .replaceAll("\\", "/")
        .replace(/^\.?\//, "");
      if (entry === "" || entry.startsWith("#")) continue;
      const name = folder === "" || entry.includes("/") ? entry : `${folder}/${entry}`;
      const found = byEnding.get(name);
      if (found === undefined && name.includes("/") && !folders.has(posix.dirname(name))) continue;
      if (found === undefined) throw unknown(name, `${file}, line ${i + 1}`, photos);
      if (found === null) throw ambiguous(name, `${file}, line ${i + 1}`);
      named.add(found);
    }
  }
  return named;
}

/** Every ending of a path at a slash → the whole path; null where several paths end so. */
function endings(paths: readonly string[]): Map<string, string | null> {
  const map = new Map<string, string | null>();
  for (const path of paths) {
    // The published lists of Stanford Cars are called train and test.
    for (const form of new Set([path, path.replace(/(^|\/)cars_(train|test)(\/|$)/, "$1$2$3")])) {
      for (let at = 0; ; ) {
        const ending = form.slice(at);
        map.set(ending, map.has(ending) && map.get(ending) !== path ? null : path);
        const slash = form.indexOf("/", at);
        if (slash < 0) break;
        at = slash + 1;
      }
    }
  }
  return map;
}

async function listFiles(list: string): Promise<{ file: string; folder: string }[]> {
  const found = await stat(list).catch(() => undefined);
  if (!found?.isDirectory()) return [{ file: list, folder: "" }];
  const names = (await readdir(list, { recursive: true })).filter((name) => name.endsWith(".txt")).sort();
  return names.map((name) => ({
    file: join(list, name),
    folder: name.replaceAll("\\", "/").slice(0, -".txt".length),
  }));
}

async function readText(path: string): Promise<string> {
  try {
    return await readPlainText(path);
  } catch (cause) {
    throw new CuelabError({
      kind: "input",
      what: "a list of photos cannot be read",
      where: path,
      expected: "a text file with one name a line, or a folder of such files",
      got: reasonOf(cause),
      cause,
    });
  }
}

function unknown(name: string, where: string, photos: readonly string[]): CuelabError {
  return new CuelabError({
    kind: "input",
    what: `a list names "${name}", and there is no such photo`,
    where,
    expected: `the name of one of ${photos.length} photos, such as ${photos[0]}`,
    todo: "complete your copy, or remove the line",
  });
}

function ambiguous(name: string, where: string): CuelabError {
  return new CuelabError({
    kind: "input",
    what: `"${name}" is the name of several photos`,
    where,
    expected: "a name that is one photo's alone",
    todo: "put the folder before the name",
  });
}
