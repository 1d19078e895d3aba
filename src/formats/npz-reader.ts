/** Reads NumPy archives of images and labels: ours, or what `np.savez` and `np.savez_compressed` wrote. */

import type { ImageShape, Pixels, StoredImages } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import { plainBytes } from "../core/plain-bytes.ts";
import { ownColumn, ReadColumn } from "../layouts/columns.ts";
import type { StoredDataset } from "../layouts/stored-dataset.ts";
import { reasonOf } from "../sources/image-folder.ts";
import { npyValues } from "../tables/npy.ts";
import {
  openArrays,
  readWithin,
  type StoredArray,
  tuple,
  type UnreadableArray,
} from "../tables/npz-archive.ts";
import type { Manifest } from "./manifest.ts";

export async function openNpz(path: string, manifest?: Manifest): Promise<StoredDataset> {
  const { arrays, unreadable, close } = await openArrays(path);
  try {
    const found = { arrays, unreadable };
    const stack = pick(found, ["images", "image", "x", "X"], path, "images");
    const labels = pick(found, ["labels", "label", "y", "Y"], path, "labels");
    const shape = shapeOf(stack, path);
    const images = new StackedImages(path, stack, shape, close);
    checkLabels(labels, images.count, path);
    const columns = new Map([[labels.name, await readColumn(labels, path)]]);
    const ignoredColumns = unreadable.map(({ name, failure }) => ({ name, reason: reasonOf(failure) }));
    for (const array of arrays) {
      if (array === stack || array === labels) continue;
      const column = await readExtra(array, images.count, path);
      if (column instanceof ReadColumn) columns.set(array.name, column);
      else ignoredColumns.push({ name: array.name, reason: column.reason });
    }
    if (manifest) checkShape(shape, manifest.image, path);
    return { images, columns, labelColumn: labels.name, table: path, ignoredColumns };
  } catch (cause) {
    await close();
    throw cause;
  }
}

class StackedImages implements StoredImages {
  readonly count: number;
  readonly shape: ImageShape;
  readonly close: () => Promise<void>;
  readonly #path: string;
  readonly #stack: StoredArray;

  constructor(path: string, stack: StoredArray, shape: ImageShape, close: () => Promise<void>) {
    this.#path = path;
    this.#stack = stack;
    this.count = stack.shape[0]!;
    this.shape = shape;
    this.close = close;
  }

  describe(index: number): string {
    return `${this.#path}, image ${index}`;
  }

  async pixels(index: number): Promise<Pixels> {
    return { data: await this.rawPixels(index, 1), ...this.shape };
  }

  async rawPixels(start: number, count: number): Promise<Uint8Array> {
    const { height, width, channels } = this.shape;
    const size = height * width * channels;
    return plainBytes(await readWithin(this.#stack, start * size, count * size, this.describe(start)));
  }
}

/** As numbers are written; what is missing may be NaN. */
const infinite = ["Infinity", "-Infinity"];

async function readColumn(array: StoredArray, path: string): Promise<ReadColumn> {
  const where = `${path}, array ${array.name}`;
  const column = ownColumn(array.name);
  const isNumber = !array.dtype.startsWith("<U");
  for (const value of npyValues(await readWithin(array, 0, array.bytes, where), array.dtype, where)) {
    if (isNumber && infinite.includes(value))
      throw new CuelabError({
        kind: "input",
        what: "a value of an array is no finite number",
        where,
        got: `${value} for image ${column.length}`,
      });
    column.push(value);
  }
  return column;
}

/** Further arrays are attributes if they can be; a heat map or a list of objects is no reason to stop. */
async function readExtra(
  array: StoredArray,
  count: number,
  path: string,
): Promise<ReadColumn | { reason: string }> {
  if (array.shape.length !== 1 || array.shape[0] !== count)
    return { reason: `of shape ${tuple(array.shape)}, not (${count},)` };
  try {
    return await readColumn(array, path);
  } catch (cause) {
    return { reason: reasonOf(cause) };
  }
}

function pick(
  { arrays, unreadable }: { arrays: StoredArray[]; unreadable: UnreadableArray[] },
  names: string[],
  path: string,
  what: string,
): StoredArray {
  for (const name of names) {
    const found = arrays.find((array) => array.name === name);
    if (found) return found;
    const broken = unreadable.find((array) => array.name === name);
    if (broken) throw broken.failure;
  }
  throw new CuelabError({
    kind: "input",
    what: `the npz has no array of ${what}`,
    where: path,
    expected: `an array named ${names.join(", ")}`,
    got: `arrays ${[...arrays, ...unreadable].map(({ name }) => name).join(", ")}`,
  });
}

function shapeOf({ dtype, shape, bytes, name }: StoredArray, path: string): ImageShape {
  const [count, height, width, channels = 1] = shape as [number, number, number, number?];
  const stacked = shape.length === 3 || shape.length === 4;
  const fits = dtype === "|u1" && stacked && channels <= 3;
  if (fits && bytes === count * height * width * channels) return { height, width, channels };
  const hints = [
    ...(dtype.includes("f") ? ['floats from 0 to 1? (images * 255).astype("uint8") in NumPy'] : []),
    ...(stacked && channels > 3 ? ["channels first? images.transpose(0, 2, 3, 1) in NumPy"] : []),
  ];
  throw new CuelabError({
    kind: "input",
    what: `the array "${name}" does not hold images`,
    where: path,
    expected:
      "uint8 of shape (count, height, width) or (count, height, width, channels), with at most 3 channels",
    got: `${dtype} of shape ${tuple(shape)}, ${bytes} bytes`,
    ...(hints.length === 0 ? {} : { todo: hints.join("; ") }),
  });
}

function checkLabels({ name, shape }: StoredArray, count: number, path: string): void {
  if (shape.length === 1 && shape[0] === count) return;
  const oneHot = shape.length === 2 && shape[0] === count;
  throw new CuelabError({
    kind: "input",
    what: `the array "${name}" does not hold one label an image`,
    where: path,
    expected: `shape (${count},)`,
    got: `shape ${tuple(shape)}`,
    ...(oneHot ? { todo: `one-hot labels? ${name}.argmax(axis=1) in NumPy` } : {}),
  });
}

function checkShape(found: ImageShape, declared: ImageShape | null, path: string): void {
  if (JSON.stringify(Object.values(found)) === JSON.stringify(declared && Object.values(declared))) return;
  throw new CuelabError({
    kind: "input",
    what: "the images have another size than dataset.json says",
    where: path,
    expected: JSON.stringify(declared),
    got: JSON.stringify(found),
  });
}
