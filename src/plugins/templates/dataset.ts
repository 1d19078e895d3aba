/** A dataset to begin with: bars whose direction is the class and whose colour is the shortcut. */

import { titled } from "./titled.ts";

export const datasetTemplate = (
  name: string,
): string => `/** ${name}: bars that lie or stand; in training their colour nearly always tells which. */

import { defineDataset, definePlugin, randomStream } from "cuelab/plugin";
import { z } from "zod";

const colours = [
  [220, 60, 60],
  [60, 60, 220],
];

const dataset = defineDataset({
  name: "${name}",
  title: "${titled(name)}",
  description: "A bar that lies or stands, somewhere in the image. In training its colour goes with its direction.",
  paper: "unpublished",
  // Raise it whenever equal settings and seed would give other images.
  version: 1,
  settings: z.object({
    count: z.number().int().min(10).default(2000).describe("images, of which a fifth each are for validation and test"),
    agreement: z.number().min(0).max(1).default(0.9).describe("how often the colour goes with the class in training"),
    size: z.number().int().min(8).default(28).describe("rows and columns"),
  }),
  examples: ["count=500", "agreement=0.99"],
  // A few hundred images, for quick looks and for 'cuelab plugin check'.
  small: ["count=120", "size=16"],
  async build({ count, agreement, size }, seed) {
    const labels = new Uint16Array(count);
    const splits = new Uint8Array(count);
    const colour = new Uint16Array(count);
    // Random numbers of each image by its index alone: threads make images in any order.
    const drawn = randomStream(seed, "${name}/labels");
    for (let i = 0; i < count; i++) {
      const random = drawn.at(i);
      splits[i] = i < 0.6 * count ? 0 : i < 0.8 * count ? 1 : 2;
      labels[i] = random.integer(2);
      colour[i] = random.boolean(splits[i] === 2 ? 0.5 : agreement) ? labels[i] : 1 - labels[i];
    }
    const placed = randomStream(seed, "${name}/pixels");
    const shape = { height: size, width: size, channels: 3 };
    return {
      name: "${name}",
      labels,
      classNames: ["lying", "standing"],
      splits: { names: ["train", "val", "test"], values: splits },
      attributes: {
        colour: { values: colour, valueNames: ["red", "blue"], role: "cue", classValues: [0, 1] },
      },
      images: {
        count,
        shape,
        pixels(index) {
          const random = placed.at(index);
          const data = new Uint8Array(size * size * 3);
          for (let i = 0; i < data.length; i++) data[i] = random.integer(40);
          const [long, short] = [Math.floor(size / 2), Math.max(1, Math.floor(size / 8))];
          const [rows, columns] = labels[index] === 0 ? [short, long] : [long, short];
          const [top, left] = [random.integer(size - rows + 1), random.integer(size - columns + 1)];
          for (let row = top; row < top + rows; row++)
            for (let column = left; column < left + columns; column++)
              data.set(colours[colour[index]], 3 * (row * size + column));
          return { ...shape, data };
        },
        describe: (index) => \`bar \${index}\`,
      },
      provenance: {
        title: "${titled(name)}",
        description: "Bars that lie or stand.",
        generator: { name: "${name}", version: 1 },
        settings: { count, agreement, size },
        seed,
        sources: [],
        license: "CC0-1.0",
        skipped: [],
        // Accuracy there is out of distribution.
        shiftedSplits: ["test"],
      },
    };
  },
});

export default definePlugin({ datasets: [dataset] });
`;
