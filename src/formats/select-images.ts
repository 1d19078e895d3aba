/** A dataset's images chosen anew: brought into the order of the splits, or without those that are broken. */

import type { Dataset, ImageSet, ImageShape, SideImages, SkippedImage } from "../core/dataset.ts";
import { attributeRecord } from "./columns.ts";
import { processImages, refuseBroken } from "./process-images.ts";

/** The same dataset with its images ordered by split, keeping their order within each. */
export function ordered(dataset: Dataset): Dataset {
  const { values } = dataset.splits;
  if (values.every((split, i) => i === 0 || split >= values[i - 1]!)) return dataset;
  const order = Uint32Array.from(values, (_, i) => i).sort((a, b) => values[a]! - values[b]! || a - b);
  return select(dataset, order);
}

export interface SurveyOptions {
  workers: number;
  /**
   * Leave broken images out and list them in the provenance, instead of stopping at the first. Not given where people
   * cannot choose.
   */
  skipBroken?: boolean;
  /** Whether an image with a broken side image counts as broken. */
  sides?: boolean | undefined;
  signal?: AbortSignal | undefined;
  onProgress?: ((done: number) => void) | undefined;
}

/** Decodes every image once: finds the size they share, if they do, and the ones that are broken. */
export async function surveyed(
  dataset: Dataset,
  { skipBroken, ...options }: SurveyOptions,
): Promise<Dataset> {
  const broken = new Map<number, SkippedImage>();
  const sizes = new Map<string, ImageShape>();
  for await (const chunk of processImages(dataset, { ...options, encoding: "none" })) {
    if (!skipBroken) refuseBroken(chunk, dataset.images, { canSkip: skipBroken !== undefined });
    for (const { index, reason } of chunk.broken)
      broken.set(index, { image: dataset.images.describe(index), reason });
    for (let i = 0; i < chunk.count; i++) {
      if (broken.has(chunk.start + i)) continue;
      const [height, width, channels] = chunk.shapes.subarray(3 * i, 3 * i + 3) as unknown as [
        number,
        number,
        number,
      ];
      sizes.set(`${height} ${width} ${channels}`, { height, width, channels });
    }
  }
  const shape = sizes.size === 1 ? [...sizes.values()][0]! : null;
  const kept = Uint32Array.from(dataset.labels, (_, i) => i).filter((i) => !broken.has(i));
  const chosen = select(dataset, kept, shape);
  const skipped = [...dataset.provenance.skipped, ...broken.values()];
  return { ...chosen, provenance: { ...chosen.provenance, skipped } };
}

function select(dataset: Dataset, order: Uint32Array, shape = dataset.images.shape): Dataset {
  const pick = (values: Uint16Array) => Uint16Array.from(order, (i) => values[i]!);
  const attributes = Object.entries(dataset.attributes).map(([name, attribute]) => {
    return [name, { ...attribute, values: pick(attribute.values) }] as const;
  });
  const { names, values } = dataset.splits;
  return {
    ...dataset,
    images: selectImages(dataset.images, order, shape),
    labels: pick(dataset.labels),
    splits: { names, values: Uint8Array.from(order, (i) => values[i]!) },
    attributes: attributeRecord(attributes),
    ...(dataset.sideImages && {
      sideImages: mapValues(dataset.sideImages, (side) => selectSides(side, order)),
    }),
    ...(dataset.boxes && {
      boxes: mapValues(dataset.boxes, (boxes) => ({
        ...boxes,
        at: (index: number) => boxes.at(order[index]!),
      })),
    }),
  };
}

function mapValues<Value>(
  record: Readonly<Record<string, Value>>,
  change: (value: Value) => Value,
): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}

function selectSides(side: SideImages, order: Uint32Array): SideImages {
  const at = (index: number) => order[index]!;
  return {
    ...side,
    pixels: (index) => side.pixels(at(index)),
    ...(side.path && { path: (index: number) => side.path!(at(index)) }),
  };
}

function selectImages(images: ImageSet, order: Uint32Array, shape: ImageShape | null): ImageSet {
  const at = (index: number) => order[index]!;
  return {
    count: order.length,
    shape,
    pixels: (index) => images.pixels(at(index)),
    describe: (index) => images.describe(at(index)),
    ...(images.encoded && { encoded: (index: number) => images.encoded!(at(index)) }),
    ...(images.path && { path: (index: number) => images.path!(at(index)) }),
    ...(images.rawPixels && {
      rawPixels: async (start: number, count: number) => {
        const parts = Array.from({ length: count }, (_, i) => images.rawPixels!(at(start + i), 1));
        return Buffer.concat(await Promise.all(parts));
      },
    }),
    ...(images.close && { close: () => images.close!() }),
  };
}
