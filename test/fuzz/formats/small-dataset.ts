/** Eight small images with a class, a split and two attributes, and what a dataset holds as plain data. */

import { createHash } from "node:crypto";
import type { Dataset, Pixels } from "../../../src/core/dataset.ts";
import { openDataset } from "../../../src/formats/open-dataset.ts";
import { mustHold } from "../fuzzed-format.ts";

const count = 8;
const shape = { height: 5, width: 6, channels: 3 };

export function smallPixels(index: number): Pixels {
  const data = new Uint8Array(shape.height * shape.width * shape.channels);
  for (let i = 0; i < data.length; i++) data[i] = (index * 37 + i * 11) % 256;
  return { data, ...shape };
}

export const smallDataset: Dataset = {
  name: "small",
  images: { count, shape, describe: (index) => `image ${index}`, pixels: smallPixels },
  labels: Uint16Array.from({ length: count }, (_, i) => i % 2),
  classNames: ["cat", "dog"],
  attributes: {
    colour: {
      values: Uint16Array.from({ length: count }, (_, i) => i % 3),
      valueNames: ["red", "green", "blue"],
      role: "cue",
    },
    size: {
      values: Uint16Array.from({ length: count }, (_, i) => +(i > 4)),
      valueNames: ["s", "m"],
      role: "other",
    },
  },
  splits: { names: ["train", "val", "test"], values: Uint8Array.from([0, 0, 0, 0, 1, 1, 2, 2]) },
  provenance: {
    title: "Small",
    description: "Eight images.",
    generator: { name: "fuzz", version: 1 },
    settings: {},
    seed: 0,
    sources: [],
    license: "CC0",
    skipped: [],
  },
};

interface ImageContent {
  split: string;
  label: string;
  attributes: Readonly<Record<string, string>>;
  pixels: string;
}

export interface DatasetContent {
  images: ImageContent[];
  /** Columns that were left out, and told. */
  ignored: string[];
}

/** Everything that people would take out of it. */
export async function datasetContent(path: string): Promise<DatasetContent> {
  const { dataset, ignoredColumns } = await openDataset(path);
  const { images, labels, classNames, attributes, splits } = dataset;
  try {
    mustHold(Number.isInteger(images.count) && images.count < 100_000, `${images.count} images`);
    mustHold(labels.length === images.count, `${labels.length} labels of ${images.count} images`);
    mustHold(
      splits.values.length === images.count,
      `${splits.values.length} splits of ${images.count} images`,
    );
    for (const [name, { values }] of Object.entries(attributes))
      mustHold(
        values.length === images.count,
        `${values.length} values of ${name} of ${images.count} images`,
      );
    const content: ImageContent[] = [];
    for (let i = 0; i < images.count; i++) {
      const pixels = await images.pixels(i);
      const text = (names: readonly string[], code: number | undefined) => {
        const name = names[code ?? -1];
        mustHold(typeof name === "string", `image ${i} has the code ${code} of ${names.length}`);
        return name!;
      };
      content.push({
        split: text(splits.names, splits.values[i]),
        label: text(classNames, labels[i]),
        attributes: Object.fromEntries(
          Object.entries(attributes)
            .map(([name, { values, valueNames }]) => [name, text(valueNames, values[i])] as const)
            .sort(([a], [b]) => (a < b ? -1 : 1)),
        ),
        pixels: pixelText(pixels),
      });
      for (const [name, boxes] of Object.entries(dataset.boxes ?? {})) {
        const box = await boxes.at(i);
        if (box === undefined) continue;
        const fits = box.left + box.width <= pixels.width && box.top + box.height <= pixels.height;
        mustHold(fits && box.height > 0, `a box of ${name} beyond image ${i}`);
        Object.assign(content.at(-1)!.attributes, { [`box of ${name}`]: Object.values(box).join(" ") });
      }
    }
    return { images: content, ignored: ignoredColumns.map(({ name }) => name) };
  } finally {
    await images.close?.();
  }
}

export function pixelText({ data, height, width, channels }: Pixels): string {
  mustHold(channels >= 1 && channels <= 4, `${channels} channels`);
  mustHold(
    data.length === height * width * channels,
    `${data.length} bytes of ${height}×${width}×${channels} pixels`,
  );
  return `${height}×${width}×${channels} ${createHash("sha256").update(data).digest("hex").slice(0, 16)}`;
}
