/** What a reader found, before it becomes a dataset: as many values of every column as there are images, of sizes that exist. */

import { CuelabError } from "../core/errors.ts";
import type { StoredDataset } from "../layouts/stored-dataset.ts";

/** Where numbers differ, values would belong to other images. */
export function checkStored({ images, columns, table }: StoredDataset): void {
  const { count, shape } = images;
  for (const [name, { length }] of columns) {
    if (length === count) continue;
    throw new CuelabError({
      kind: "input",
      what: `column "${name}" does not have one value an image`,
      where: table,
      expected: `${count} values, as many as images`,
      got: `${length} values`,
    });
  }
  const isSide = (side: number) => Number.isInteger(side) && side > 0;
  if (shape === null || [shape.height, shape.width, shape.channels].every(isSide)) return;
  throw new CuelabError({
    kind: "input",
    what: "the images have no size",
    where: table,
    expected: "a height, a width and channels of at least 1",
    got: `${shape.height}×${shape.width}×${shape.channels}`,
  });
}
