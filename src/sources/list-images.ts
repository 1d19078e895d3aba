/** Every image below a folder, told by content where the name does not tell, and what else lies there. */

import type { Dirent } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { CuelabError } from "../core/errors.ts";
import { followsLinks, limited, requireLimit } from "../core/limits.ts";
import { openPlain } from "../disk/plain-file.ts";
import {
  endingOf,
  headLength,
  imageKind,
  isRead,
  promisedKind,
  type UnreadKind,
  wayOut,
} from "../images/file-kind.ts";
import { reasonOf } from "./image-folder.ts";

export interface FolderContents {
  /** Sorted, relative to the folder, with forward slashes. */
  images: string[];
  /** Files that are no images, or of kinds that are not read: by kind, the most frequent first. */
  unread: UnreadFiles[];
  /** Folders below which there is no image, without those below them. */
  emptyFolders: string[];
  /** Links to folders, which are followed only if asked. */
  links: string[];
}

export interface UnreadFiles {
  /** The ending with its dot, or `without an ending`. */
  kind: string;
  count: number;
  /** The first of them. */
  example: string;
  todo?: string;
}

/** Paths of all images below a folder, sorted, relative to it, with forward slashes. */
export async function listImages(root: string): Promise<string[]> {
  return (await folderContents(root)).images;
}

/** Links to files are followed, links to folders if asked; what systems leave behind is passed over. */
export async function folderContents(root: string): Promise<FolderContents> {
  const found: FolderContents = { images: [], unread: [], emptyFolders: [], links: [] };
  await lookInto(root, "", [], found);
  found.images.sort();
  found.links.sort();
  found.emptyFolders = found.emptyFolders.filter(
    (folder) => folder !== "" && !found.emptyFolders.some((above) => folder.startsWith(`${above}/`)),
  );
  found.unread.sort((a, b) => b.count - a.count || (a.kind < b.kind ? -1 : 1));
  return found;
}

/** `above` holds the true paths of the folders above, among which a link would lead in a circle. */
async function lookInto(
  root: string,
  folder: string,
  above: readonly string[],
  found: FolderContents,
): Promise<void> {
  const path = join(root, folder);
  let entries: Dirent[];
  let truePath: string;
  try {
    truePath = await realpath(path);
    if (above.includes(truePath)) return;
    entries = await readdir(path, { withFileTypes: true });
  } catch (cause) {
    throw new CuelabError({
      kind: "input",
      what: "cannot read the folder",
      where: path,
      got: reasonOf(cause),
      cause,
    });
  }
  limited("the folder holds too much", root, () =>
    requireLimit("entries", found.images.length + entries.length),
  );
  const before = found.images.length;
  for (const entry of entries.filter(({ name }) => !isClutter(name))) {
    const name = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (await leadsToFolder(entry, join(root, name))) {
      if (entry.isSymbolicLink() && !followsLinks()) found.links.push(name);
      else await lookInto(root, name, [...above, truePath], found);
      continue;
    }
    // A name that promises an image is believed here: if there is none in it, that is told of the image.
    if (isRead(promisedKind(name))) found.images.push(name);
    else {
      const kind = await kindOfFile(join(root, name), name);
      if (isRead(kind)) found.images.push(name);
      else addUnread(found.unread, name, kind ?? unreadPromise(name));
    }
  }
  if (found.images.length === before) found.emptyFolders.push(folder);
}

/** Hidden files and folders, and those of Windows and macOS that lie among images. */
function isClutter(name: string): boolean {
  return name.startsWith(".") || /^(thumbs\.db|desktop\.ini|__macosx)$/i.test(name);
}

async function kindOfFile(path: string, name: string): Promise<ReturnType<typeof imageKind>> {
  const file = await openPlain(path).catch(() => undefined);
  if (file === undefined) return undefined;
  try {
    const head = new Uint8Array(headLength);
    const { bytesRead } = await file.read(head, 0, headLength, 0);
    return imageKind(head.subarray(0, bytesRead), name);
  } catch {
    // Sockets, devices and the like are no images.
    return undefined;
  } finally {
    await file.close();
  }
}

function unreadPromise(name: string): UnreadKind | undefined {
  const kind = promisedKind(name);
  return isRead(kind) ? undefined : kind;
}

function addUnread(unread: UnreadFiles[], name: string, kind: UnreadKind | undefined): void {
  const ending = endingOf(name);
  const shown = ending === "" ? "without an ending" : `.${ending}`;
  const known = unread.find((files) => files.kind === shown);
  if (known) known.count++;
  else unread.push({ kind: shown, count: 1, example: name, ...(kind && { todo: wayOut(kind) }) });
}

/** A link that leads nowhere counts as a file, so that it is reported as a missing image. */
async function leadsToFolder(entry: Dirent, path: string): Promise<boolean> {
  if (!entry.isSymbolicLink()) return entry.isDirectory();
  return stat(path).then(
    (target) => target.isDirectory(),
    () => false,
  );
}
