/**
 * What watermarks cost: a copy of photographs with and without them, and the augmentation beside a mirror.
 *
 *   npm run bench:watermark
 *
 * Photographs are 400 × 300 JPEG files of noise over a slope, which is harder on the codecs than most real ones.
 */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { randomStream } from "../src/core/random.ts";
import { convertDataset } from "../src/formats/convert-dataset.ts";
import { formats } from "../src/formats/index.ts";
import { openDataset } from "../src/formats/open-dataset.ts";
import { writeWatermarked } from "../src/formats/watermark-dataset.ts";
import { encodeImage } from "../src/images/codec.ts";
import { imageNetW } from "../src/images/watermark/watermark.ts";
import { alone, Chain } from "../src/views/chain.ts";

const photographs = 300;
const rounds = 3;
const workers = availableParallelism();

const root = mkdtempSync(join(tmpdir(), "cuelab-bench-"));
try {
  console.log(
    `${workers} × ${cpus()[0]!.model}, Node ${process.version}; median of ${rounds} rounds (range)`,
  );
  await copies(await writePhotographs());
  for (const side of [64, 224]) await augmentations(side);
} finally {
  rmSync(root, { recursive: true });
}

async function writePhotographs(): Promise<string> {
  const random = randomStream(0, "bench").at(0);
  const [height, width] = [300, 400];
  mkdirSync(join(root, "photographs/a"), { recursive: true });
  for (let i = 0; i < photographs; i++) {
    const data = Uint8Array.from(
      { length: height * width * 3 },
      (_, at) => (at / 2000 + 30 * random.uniform()) % 256,
    );
    const { bytes } = await encodeImage({ data, height, width, channels: 3 }, "jpeg");
    writeFileSync(join(root, "photographs/a", `${i}.jpg`), bytes);
  }
  return join(root, "photographs");
}

async function copies(folder: string): Promise<void> {
  const common = { out: join(root, "copy"), skipBroken: false, force: true, workers };
  const choice = { watermark: imageNetW, alpha: 128, classes: [], probability: 1, seed: 0 };
  const format = formats.get("folder");
  const encoding = "jpeg";
  const marked = async (change: object) => {
    const { dataset } = await openDataset(folder);
    await writeWatermarked(dataset, { ...choice, ...change }, { ...common, format, encoding });
  };
  await report("convert to JPEG", () =>
    convertDataset(folder, { ...common, to: "folder", encoding, mapping: {} }),
  );
  await report("watermark", () => marked({}));
  await report("watermark, resized and cropped", () => marked({ resize: 256, crop: 224 }));
  await report("random watermarks", () => marked({ watermark: undefined }));
}

async function report(name: string, work: () => Promise<unknown>): Promise<void> {
  const rates: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    await work();
    rates.push((1000 * photographs) / (performance.now() - start));
  }
  rates.sort((a, b) => a - b);
  const [least, median, most] = [rates[0]!, rates[(rounds - 1) / 2]!, rates.at(-1)!].map(Math.round);
  console.log(`${name.padEnd(34)} ${String(median).padStart(6)} images/s (${least} – ${most})`);
}

/** Every image is changed twice: the first time around, masks of characters are drawn. */
async function augmentations(side: number): Promise<void> {
  const data = new Uint8Array(side * side * 3).fill(60);
  const image = { data, height: side, width: side, channels: 3 };
  const stream = randomStream(0, "augment");
  const images = 20_000;
  const cost = async (view: string) => {
    const chain = new Chain([{ view }]);
    const start = performance.now();
    for (let i = 0; i < images; i++) await chain.make(image, alone(stream.at(i)));
    return (1000 * (performance.now() - start)) / images;
  };
  for (const name of ["flip", "watermark"] as const) {
    const [first, second] = [await cost(name), await cost(name)];
    console.log(
      `--augment ${name} at ${side}`.padEnd(34) +
        ` ${second.toFixed(1).padStart(6)} µs an image (${first.toFixed(1)} in the first ${images.toLocaleString("en")})`,
    );
  }
}
