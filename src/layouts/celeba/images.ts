/** Whether all images of a copy of CelebA are there, and a digest that tells one copy from another without reading them. */

import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { CuelabError } from "../../core/errors.ts";
import { freshSharedBytes } from "../../core/shared-bytes.ts";
import type { Celeba } from "./index.ts";

/** Files looked at in one go, before others get their turn: a few hundredths of a second. */
const filesAtOnce = 4000;

/**
 * SHA-256 of the names and sizes of these images; their bytes are a gigabyte and a half, too much to read at every
 * start. Throws where an image of the lists has no file, or one of these is empty.
 */
export async function imageDigest(celeba: Celeba, rows: Uint32Array): Promise<string> {
  const folder = celeba.places.images;
  const about = createHash("sha256").update(JSON.stringify(celeba.sha256)).update(rows).digest("hex");
  const digest = await freshSharedBytes(`celeba-images:${folder} ${about}`, async () => {
    await refuseMissing(celeba, folder);
    const hash = createHash("sha256");
    for (let start = 0; start < rows.length; start += filesAtOnce) {
      for (const row of rows.subarray(start, start + filesAtOnce)) {
        const name = celeba.images[row]!;
        hash.update(`${name} ${sizeOf(join(folder, name))}\n`);
      }
      await setImmediate();
    }
    return hash.digest();
  });
  return Buffer.from(digest).toString("hex");
}

async function refuseMissing({ images, lines, places }: Celeba, folder: string): Promise<void> {
  const there = new Set(await readdir(folder));
  const missing = images.flatMap((name, row) => (there.has(name) ? [] : [row]));
  const [first] = missing;
  if (first === undefined) return;
  throw new CuelabError({
    kind: "input",
    what: missing.length === 1 ? "a listed image is missing" : `${missing.length} listed images are missing`,
    where: join(folder, images[first]!),
    expected: `a file for every image of the list (this one: ${places.attributes}, line ${lines[first]})`,
    got: `${there.size} files in the folder, ${images.length} images in the list`,
    todo: "unpack img_align_celeba again; or, to use a part, leave the others out of both lists",
  });
}

function sizeOf(path: string): number {
  const { size } = statSync(path);
  if (size > 0) return size;
  throw new CuelabError({
    kind: "input",
    what: "an image is empty",
    where: path,
    expected: "a JPEG file",
    got: "0 bytes",
    todo: "unpack img_align_celeba again",
  });
}
