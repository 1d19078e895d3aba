/** The boxes of a dataset, image by image. */

import type { Dataset } from "../../core/dataset.ts";
import { CuelabError } from "../../core/errors.ts";
import type { ImageObjects } from "./measure.ts";

export interface ObjectsOptions {
  /** Whose boxes; may be left out where there is one thing alone, or one called object. */
  thing?: string | undefined;
  split?: string | undefined;
  /** Called after each image with how many are done. */
  onProgress?: ((done: number) => void) | undefined;
}

export async function* datasetObjects(
  dataset: Dataset,
  { thing, split, onProgress }: ObjectsOptions = {},
): AsyncGenerator<ImageObjects> {
  const boxes = dataset.boxes![chooseThing(dataset, thing)]!;
  const wanted = split === undefined ? undefined : chooseSplit(dataset, split);
  const { images, labels, classNames, splits } = dataset;
  for (let index = 0; index < images.count; index++) {
    if (wanted !== undefined && splits.values[index] !== wanted) continue;
    const box = boxes.all === undefined ? await boxes.at(index) : await boxes.all(index);
    const { width, height } = images.shape ?? (await images.pixels(index));
    yield {
      className: classNames[labels[index]!]!,
      width,
      height,
      boxes: box === undefined ? [] : [box].flat(),
      describe: images.describe(index),
    };
    onProgress?.(index + 1);
  }
}

export function chooseThing({ boxes = {}, name }: Dataset, thing: string | undefined): string {
  const names = Object.keys(boxes);
  if (names.length === 0) {
    throw new CuelabError({
      kind: "input",
      what: "the dataset has no boxes, so that nothing is known of where objects are",
      where: name,
      expected:
        "a dataset of ours with boxes, or --boxes with a folder of XML files, a boxes.csv or a COCO file",
    });
  }
  if (thing !== undefined && names.includes(thing)) return thing;
  if (thing === undefined && names.length === 1) return names[0]!;
  if (thing === undefined && names.includes("object")) return "object";
  throw new CuelabError({
    kind: "usage",
    what:
      thing === undefined ? "the dataset has boxes of several things" : `there are no boxes of "${thing}"`,
    where: name,
    expected: `--thing with one of: ${names.join(", ")}`,
  });
}

function chooseSplit({ splits }: Dataset, split: string): number {
  const found = splits.names.indexOf(split);
  if (found >= 0) return found;
  throw new CuelabError({
    kind: "usage",
    what: `the dataset has no split "${split}"`,
    expected: `one of: ${splits.names.join(", ")}`,
  });
}
