/** Carries a dataset from one format to another, images as they are wherever the target takes files. */

import { inSplitOrder } from "../images/change-dataset.ts";
import { storedFileOf } from "../images/recipe.ts";
import type { ColumnMapping } from "../layouts/column-mapping.ts";
import { type GivenSide, withGivenSides } from "./given-sides.ts";
import { formats } from "./index.ts";
import type { Manifest } from "./manifest.ts";
import { openDataset } from "./open-dataset.ts";
import { surveyed } from "./select-images.ts";
import { type WriteOptions, writeDataset } from "./write-dataset.ts";

export interface ConvertOptions extends Omit<WriteOptions, "format" | "encoding" | "expect"> {
  to: string;
  encoding?: WriteOptions["encoding"] | undefined;
  skipBroken: boolean;
  mapping: ColumnMapping;
  /** Pictures from elsewhere that are to go with the images. */
  given?: readonly GivenSide[] | undefined;
  /** Told the number of images once it is known, for progress. */
  onOpened?: ((count: number, task: string) => void) | undefined;
  /** Told what people would want to know of how it was read. */
  onRemark?: ((text: string) => void) | undefined;
}

export async function convertDataset(path: string, options: ConvertOptions): Promise<Manifest> {
  const { to, skipBroken, mapping, given = [], onOpened, onRemark, ...rest } = options;
  const format = formats.get(to);
  const { dataset: opened, manifest, warnings } = await openDataset(path, mapping);
  try {
    for (const warning of warnings) onRemark?.(warning);
    let dataset = opened;
    if (opened.images.shape === null || skipBroken) {
      onOpened?.(opened.images.count, "surveying");
      dataset = await surveyed(opened, { ...rest, skipBroken, sides: rest.sideImages !== false });
    }
    dataset = await withGivenSides(dataset, given);
    onOpened?.(dataset.images.count, "converting");
    const keeps = storedFileOf(opened.images) !== undefined && format.encodings.includes("keep");
    const encoding =
      options.encoding ??
      (manifest?.encoding === "png" && format.encodings.includes("png")
        ? "png"
        : keeps && manifest?.encoding !== "png"
          ? "keep"
          : format.encodings[0]!);
    // JPEG changes pixels, broken images are left out, chosen cues have other roles: all else must stay as it is.
    const unchanged =
      encoding !== "jpeg" &&
      dataset.images.count === opened.images.count &&
      mapping.cues === undefined &&
      mapping.prepared === undefined &&
      given.length === 0 &&
      inSplitOrder(dataset) === dataset;
    const expect = unchanged ? manifest : undefined;
    return await writeDataset(dataset, { ...rest, format, encoding, expect });
  } finally {
    await opened.images.close?.();
  }
}
