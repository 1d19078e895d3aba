/** Somebody's own copy of CelebA (Liu et al. 2015), which may not be handed on: its lists, and where its images lie. */

import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import { basename } from "node:path";
import { CuelabError } from "../../core/errors.ts";
import { sharedBytes } from "../../core/shared-bytes.ts";
import { readPlain } from "../../disk/plain-file.ts";
import { reasonOf } from "../../sources/image-folder.ts";
import { type AttributeList, readAttributeList, readPartitionList } from "./lists.ts";
import { type CelebaPlaces, locateCeleba } from "./locate.ts";

export { imageDigest } from "./images.ts";

export interface Celeba extends AttributeList {
  places: CelebaPlaces;
  /** 0 train, 1 validation, 2 test, in the order of the images. */
  splits: Uint8Array;
  /** SHA-256 of both lists, by file name. */
  sha256: Record<string, string>;
}

export async function readCeleba(folder: string): Promise<Celeba> {
  const places = await locateCeleba(folder);
  const [attributes, partition] = [await load(places.attributes), await load(places.partition)];
  const list = readAttributeList(places.attributes, attributes.bytes);
  const sha256 = {
    [basename(places.attributes)]: attributes.digest,
    [basename(places.partition)]: partition.digest,
  };
  return { ...list, places, splits: splitsOf(list, places, partition.bytes), sha256 };
}

/** Worker threads take over what the first thread has read, unless the file has changed since. */
async function load(path: string): Promise<{ bytes: Uint8Array; digest: string }> {
  try {
    const { size, mtimeMs } = await stat(path);
    const key = `${path} ${size} ${mtimeMs}`;
    const bytes = await sharedBytes(`celeba:${key}`, () => readPlain(path));
    const digest = await sharedBytes(`celeba-digest:${key}`, async () =>
      createHash("sha256").update(bytes).digest(),
    );
    return { bytes, digest: Buffer.from(digest).toString("hex") };
  } catch (cause) {
    throw new CuelabError({
      kind: "input",
      what: "the list cannot be read",
      where: path,
      got: reasonOf(cause),
      cause,
    });
  }
}

/** The split of every image of the list of attributes; both lists must have the same images, in any order. */
function splitsOf({ images, lines }: AttributeList, places: CelebaPlaces, bytes: Uint8Array): Uint8Array {
  const partition = readPartitionList(places.partition, bytes);
  const rows = new Map(partition.images.map((image, row) => [image, row]));
  const splits = Uint8Array.from(images, (image, i) => {
    const row = rows.get(image);
    if (row === undefined) throw onlyIn(image, places.attributes, lines[i]!, places.partition);
    rows.delete(image);
    return partition.splits[row]!;
  });
  for (const [image, row] of rows) {
    throw onlyIn(image, places.partition, partition.lines[row]!, places.attributes);
  }
  return splits;
}

function onlyIn(image: string, list: string, line: number, other: string): CuelabError {
  return new CuelabError({
    kind: "input",
    what: `${image} is in one list and not in the other`,
    where: `${list}, line ${line}`,
    expected: `the same images as in ${other}`,
    todo: "take both lists from one copy of CelebA; after leaving rows out of one, leave them out of the other too",
  });
}
