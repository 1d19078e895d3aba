/** Plugins for tests, written into folders outside the repository: no package lies beside them. */

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Writes files by their names; the path of the first. */
export function writePlugin(folder: string, files: Readonly<Record<string, string>>): string {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return join(folder, Object.keys(files)[0]!);
}

/** ERM word for word, in TypeScript, with a file beside it. */
export const ermFiles = {
  "mine.ts": `import { mean, type Tensor } from "cuelab/engine";
import { defineMethod, definePlugin, once } from "cuelab/plugin";
import { z } from "zod";
import { title } from "./parts/title.ts";

const unchanged = (loss: Tensor): Tensor => loss;

const mine = defineMethod({
  name: "mine",
  version: 1,
  title,
  paper: "Me 2026",
  supervision: {},
  settings: z.object({}),
  search: {},
  presets: {},
  stages: once({
    build: ({ network, batch }) => ({ loss: unchanged(mean(batch.losses(network.logits(batch.inputs)))) }),
  }),
});

export default definePlugin({ cuelab: "^0.1.0", methods: [mine] });
`,
  "parts/title.ts": `export const title: string = "My own";\n`,
};

/** Bright squares in the upper or lower half, whose side is the shortcut; in plain JavaScript. */
export const squaresFile = `import { defineDataset, definePlugin, randomStream } from "cuelab/plugin";
import { z } from "zod";

const squares = defineDataset({
  name: "squares",
  title: "Squares",
  description: "A bright square in the upper or lower half; whether it lies left or right goes with it in training.",
  paper: "Me 2026",
  version: 1,
  settings: z.object({ count: z.number().int().min(10).default(200).describe("images") }),
  examples: ["count=100"],
  small: ["count=60"],
  build: async ({ count }, seed) => {
    const stream = randomStream(seed, "squares/labels");
    const labels = new Uint16Array(count), side = new Uint16Array(count), split = new Uint8Array(count);
    for (let i = 0; i < count; i++) {
      const random = stream.at(i);
      split[i] = i < 0.6 * count ? 0 : i < 0.8 * count ? 1 : 2;
      labels[i] = random.integer(2);
      side[i] = random.boolean(split[i] === 2 ? 0.5 : 0.9) ? labels[i] : 1 - labels[i];
    }
    const shape = { height: 16, width: 16, channels: 3 };
    return {
      name: "squares",
      labels,
      classNames: ["upper", "lower"],
      splits: { names: ["train", "val", "test"], values: split },
      attributes: { side: { values: side, valueNames: ["left", "right"], role: "cue", classValues: [0, 1] } },
      images: {
        count,
        shape,
        pixels: (index) => {
          const random = randomStream(seed, "squares/pixels").at(index);
          const data = new Uint8Array(16 * 16 * 3);
          for (let i = 0; i < data.length; i++) data[i] = random.integer(60);
          for (let y = 0; y < 8; y++)
            for (let x = 0; x < 8; x++)
            {
              const at = 3 * ((y + 8 * labels[index]) * 16 + x + 8 * side[index]);
              data.fill(200, at, at + 3);
            }
          return { ...shape, data };
        },
        describe: (index) => \`square \${index}\`,
      },
      provenance: {
        title: "Squares",
        description: "Squares.",
        generator: { name: "squares", version: 1 },
        settings: { count },
        seed,
        sources: [],
        license: "CC0-1.0",
        skipped: [],
        shiftedSplits: ["test"],
      },
    };
  },
});

export default definePlugin({ datasets: [squares] });
`;

export const networkFile = `import { mul, relu, sigmoid } from "cuelab/engine";
import { defineModel, definePlugin } from "cuelab/plugin";

const gated = defineModel({
  name: "gated",
  description: "one convolution, twice, one of which opens and closes the other",
  paper: "Me 2026",
  pixels: "unit",
  defaults: { width: 4 },
  head: "head",
  features(layers, images, { width }) {
    const once = (name) => layers.convolution(name, images, { filters: width, kernel: 3, stride: 2, padding: 1 });
    const x = mul(relu(once("values")), sigmoid(once("gates")));
    return layers.linear("mixed", x.shape.length > 2 ? flat(x) : x, 8);
  },
});

const flat = (x) => reshape(x, [x.shape[0], x.shape.slice(1).reduce((a, b) => a * b, 1)]);

export default definePlugin({ models: [gated] });
import { reshape } from "cuelab/engine";
`;

export const metricFile = `import { defineMetric, definePlugin } from "cuelab/plugin";

const smallest = defineMetric({
  name: "smallest-group",
  title: "share of the smallest group among all images",
  better: "higher",
  bounds: [0, 1],
  needs: [],
  of: ({ groups, all }) => [
    { of: null, value: Math.min(...groups.filter(({ count }) => count > 0).map(({ count }) => count)) / all.count, interval: null, count: all.count },
  ],
});

export default definePlugin({ metrics: [smallest] });
`;
