/** Pictures of one's own beside a dataset's images, found by the images' names: masks, stylised copies, edges. */

import type { Dataset } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import { readPlain } from "../disk/plain-file.ts";
import { decodeAsStored } from "../images/codec.ts";
import { openCompanions } from "../layouts/companions.ts";
import { sideFiles } from "../layouts/side-files.ts";

/** Under which name, and the folder that has them. */
export interface GivenSide {
  name: string;
  folder: string;
}

/** `name=folder`, as people type it. */
export function parseGivenSide(text: string): GivenSide {
  const [, name, folder] = /^(\w[\w-]*)=(.+)$/.exec(text) ?? [];
  if (name !== undefined && folder !== undefined) return { name, folder };
  throw new CuelabError({
    kind: "usage",
    what: `cannot read "${text}"`,
    where: "--side",
    expected: "name=folder, such as stylised=my-stylised-images",
  });
}

/** The dataset with these, too. All of a name have the channels of the first, and the size of the images. */
export async function withGivenSides(dataset: Dataset, given: readonly GivenSide[]): Promise<Dataset> {
  const sides = { ...dataset.sideImages };
  for (const { name, folder } of given) {
    if (name in sides) throw givenTwice(name);
    const { images } = dataset;
    const { shape } = images;
    if (images.file === undefined || shape === null) throw nameless(name);
    const companions = await openCompanions(`--side ${name}`, folder, "pictures beside the images");
    const files = Array.from({ length: images.count }, (_, index) => images.file!(index));
    await companions.requireAll(files);
    const paths = await Promise.all(files.map((file) => companions.path(file)));
    const channels =
      paths.length === 0 ? shape.channels : (await decodeAsStored(await readPlain(paths[0]!))).channels;
    sides[name] = sideFiles((index) => paths[index]!, `given as ${name}, by the images' names`, {
      ...shape,
      channels,
    });
  }
  return given.length === 0 ? dataset : { ...dataset, sideImages: sides };
}

function givenTwice(name: string): CuelabError {
  return new CuelabError({
    kind: "usage",
    what: `the dataset has side images "${name}" already`,
    where: "--side",
    todo: "choose another name",
  });
}

function nameless(name: string): CuelabError {
  return new CuelabError({
    kind: "input",
    what: `side images "${name}" cannot be found by the images' names`,
    expected: "a dataset whose images are files of one size",
    todo: "convert it to folder first, with --size where sizes differ",
  });
}
