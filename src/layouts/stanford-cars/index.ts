/**
 * Cars cut out of somebody's own copy of Stanford Cars (Krause et al. 2013) by masks that they bring: the images come
 * with boxes only, and Li et al. 2023 segmented them with a network.
 */

import { join, resolve } from "node:path";
import type { Pixels, SkippedImage } from "../../core/dataset.ts";
import { CuelabError } from "../../core/errors.ts";
import { filesDigest, readPhoto, readPixels, requireFolder } from "../../sources/photo-files.ts";
import { chooseByLists } from "../../sources/photo-lists.ts";
import { maskedPhotos, type ObjectSource } from "../../sources/photo-source.ts";
import { readCarClasses } from "./annotations.ts";
import { urbanCars } from "./classes.ts";
import { candidates, findMasks } from "./masks.ts";

export interface StanfordCarsOptions {
  /** The folder of images, in Stanford's layout, in folders of classes, or with annotations.csv. */
  images: string;
  /** A folder of PNGs with the images' base names, in the same folders or flat. */
  masks: string;
  /** A list of the images to use; see photo-lists.ts. */
  keep?: string | undefined;
  /** A list of images to leave out, such as those that show people. */
  exclude?: string | undefined;
  /** Leave images without a mask out, and list them, instead of stopping at the first. */
  skipMissing?: boolean | undefined;
}

export interface CarSource extends ObjectSource {
  /** As Li et al. 2023, Appendix A.1, tell the 196 classes apart. */
  kind(index: number): CarKind;
}

type CarKind = "urban" | "country";

const license = "Stanford Cars' own terms: non-commercial research only, not to be handed on";
const urban: ReadonlySet<string> = new Set(urbanCars);

export async function readStanfordCars(options: StanfordCarsOptions): Promise<CarSource> {
  const [folder, maskFolder] = [resolve(options.images), resolve(options.masks)];
  await requireFolder(folder, "your copy of Stanford Cars");
  await requireFolder(maskFolder, "masks of the cars, one PNG an image");
  const all = await readCarClasses(folder);
  const chosen = new Set(
    await chooseByLists(
      all.map(({ file }) => file),
      options,
    ),
  );
  const listed = all.filter(({ file }) => chosen.has(file));
  const masks = await findMasks(
    maskFolder,
    listed.map(({ file }) => file),
  );
  const skipped: SkippedImage[] = [];
  const cars = listed.flatMap((car, i) => {
    const mask = masks[i];
    if (mask !== undefined) return [{ ...car, mask }];
    if (options.skipMissing !== true) throw noMask(join(folder, car.file), maskFolder, car.file);
    skipped.push({ image: join(folder, car.file), reason: "no mask" });
    return [];
  });
  if (cars.length === 0) throw noMask(join(folder, listed[0]!.file), maskFolder, listed[0]!.file);
  const image = (index: number) => join(folder, cars[index]!.file);
  const mask = (index: number) => join(maskFolder, cars[index]!.mask);
  const classNames = cars.map(({ carClass }) => carClass);
  const objects = maskedPhotos({
    classNames,
    describe: image,
    photo: image,
    load: (index) => readCar(image(index), mask(index)),
    record: {
      name: "Stanford Cars",
      license,
      sha256: {
        "images (names, classes and sizes)": await filesDigest(
          folder,
          cars.map(({ file }) => file),
          classNames,
        ),
        "masks (names and sizes)": await filesDigest(
          maskFolder,
          cars.map((car) => car.mask),
        ),
      },
    },
    skipped,
  });
  return { ...objects, kind: (index) => (urban.has(cars[index]!.carClass) ? "urban" : "country") };
}

async function readCar(path: string, maskPath: string): Promise<{ image: Pixels; mask: Uint8Array }> {
  const [image, stored] = [await readPhoto(path), await readPixels(maskPath, "a mask")];
  if (stored.width !== image.width || stored.height !== image.height) {
    throw new CuelabError({
      kind: "input",
      what: "a mask has another size than its image",
      where: maskPath,
      expected: `${image.width} × ${image.height}, as ${path}`,
      got: `${stored.width} × ${stored.height}`,
      todo: "resize the mask to its image, by nearest neighbour",
    });
  }
  const { channels } = stored;
  const mask = Uint8Array.from({ length: image.width * image.height }, (_, i) =>
    stored.data[i * channels]! > 127 ? 255 : 0,
  );
  if (mask.includes(255)) return { image, mask };
  const greatest = stored.data.reduce((a, b) => Math.max(a, b), 0);
  throw new CuelabError({
    kind: "input",
    what: "a mask is empty",
    where: maskPath,
    expected: "the car in white: values above 127 of 255",
    got: `no value above ${greatest}`,
    todo:
      greatest > 0
        ? "multiply the mask's values so that the object is 255"
        : "segment the car again, or leave the image out",
  });
}

function noMask(image: string, folder: string, file: string): CuelabError {
  return new CuelabError({
    kind: "input",
    what: "an image has no mask",
    where: image,
    expected: `one of: ${candidates(file).join(", ")} in ${folder}`,
    todo: "add the mask, or leave images without one out (skipMissing), which lists them",
  });
}
