/**
 * How fast scenes are composed in memory, without encoding: images per second of one core, beside drawing everything
 * anew for every image, the two taking turns. Then the whole of UrbanCars at 64 pixels, made and written.
 *
 *   npm run bench:scenes                rates, and the whole of UrbanCars: a few minutes
 *   npm run bench:scenes -- --rates     rates only
 *
 * Rates by the clock say what a user sees; rates by the processor's time hold on a busy machine too.
 */

import { mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { randomStream } from "../src/core/random.ts";
import { parseAssignments } from "../src/core/settings.ts";
import { datasets } from "../src/datasets/index.ts";
import { arrange, compose, sidesAt } from "../src/datasets/urban-cars/scene.ts";
import { formats } from "../src/formats/index.ts";
import { writeDataset } from "../src/formats/write-dataset.ts";
import { createArtist } from "../src/sources/drawn/index.ts";

type Make = (index: number) => unknown;

interface Case {
  name: string;
  /** Images per second and core that are wanted. */
  wanted?: number;
  images: number;
  ours: () => Promise<Make>;
  naive: () => Promise<Make>;
}

/** Images of a dataset by name. */
const composed = (name: string, set: readonly string[]) => async () => {
  const definition = datasets.get(name);
  const { images } = await definition.build(parseAssignments(definition.settings, set), 0);
  return (index: number) => images.pixels(index % images.count);
};

/** UrbanCars with a background of its own for every image, as one would first write it. */
const urbanCarsAnew = (size: number) => async () => {
  const artist = await createArtist();
  const scenes = ["downtown", "alley", "forest-road", "field-road"] as const;
  const [cars, things] = [["sedan", "suv"] as const, ["stop-sign", "cow"] as const];
  const sides = sidesAt(size);
  const stream = randomStream(0, "bench/scenes");
  return (index: number) => {
    const random = stream.at(index);
    const background = artist.scene(scenes[index % scenes.length]!, random, size);
    const car = artist.object(cars[index % cars.length]!, random, sides.car);
    return compose(
      arrange(background, car, artist.object(things[index % things.length]!, random, sides.thing)),
    );
  };
};

const cases: readonly Case[] = [
  { size: 256, wanted: 150, images: 150 },
  { size: 128, images: 250 },
  { size: 64, wanted: 400, images: 400 },
].map(({ size, ...rest }) => ({
  name: `urban-cars ${size}×${size}`,
  ...rest,
  // A small pool, so that it is drawn before the clock starts; its cost is told apart below.
  ours: composed("urban-cars", [`size=${size}`, "backgrounds.train=20"]),
  naive: urbanCarsAnew(size),
}));

const rounds = 5;

console.log(`one core of ${cpus()[0]!.model}, Node ${process.version}; median of ${rounds} rounds (range)`);
for (const measured of cases) await printCase(measured);
if (!process.argv.includes("--rates")) await printWhole();

async function printCase({ name, wanted, images, ours, naive }: Case): Promise<void> {
  const [own, other] = [await ours(), await naive()];
  const rates: Record<"own" | "other" | "ownProcessor" | "otherProcessor", number[]> = {
    own: [],
    other: [],
    ownProcessor: [],
    otherProcessor: [],
  };
  // The first round warms the compiler up, draws the backgrounds and is not counted.
  for (let round = 0; round <= rounds; round++) {
    const [mine, theirs] = [await rate(own, images, round), await rate(other, Math.ceil(images / 4), round)];
    if (round === 0) continue;
    rates.own.push(mine.byClock);
    rates.ownProcessor.push(mine.byProcessor);
    rates.other.push(theirs.byClock);
    rates.otherProcessor.push(theirs.byProcessor);
  }
  const ratio = median(rates.ownProcessor) / median(rates.otherProcessor);
  const goal = wanted === undefined ? "" : `   wanted ${wanted}`;
  console.log(
    `${name.padEnd(22)} composed ${spread(rates.own)}, by processor time ${spread(rates.ownProcessor)}${goal}\n` +
      `${"".padEnd(22)} all anew ${spread(rates.other)}, by processor time ${spread(rates.otherProcessor)}   ratio ${ratio.toFixed(1)}`,
  );
}

async function rate(
  make: Make,
  images: number,
  round: number,
): Promise<{ byClock: number; byProcessor: number }> {
  const [start, processor] = [performance.now(), process.cpuUsage()];
  for (let i = 0; i < images; i++) await make(round * images + i);
  const { user, system } = process.cpuUsage(processor);
  return {
    byClock: (1000 * images) / (performance.now() - start),
    byProcessor: (1e6 * images) / (user + system),
  };
}

/** Made by two workers: as bytes for training, and with all side images as files. */
async function printWhole(): Promise<void> {
  for (const { format, sideImages } of [
    { format: "npz", sideImages: false },
    { format: "folder", sideImages: true },
  ]) {
    const folder = mkdtempSync(join(tmpdir(), "cuelab-bench-"));
    const start = performance.now();
    const target = formats.get(format);
    const { count } = await writeDataset(await datasets.get("urban-cars").build({ size: 64 }, 0), {
      out: join(folder, "D"),
      format: target,
      encoding: target.encodings[0]!,
      force: false,
      workers: 2,
      sideImages,
    });
    const seconds = (performance.now() - start) / 1000;
    rmSync(folder, { recursive: true });
    const what = `${format}${sideImages ? ", masks and backgrounds" : ""}`;
    console.log(
      `urban-cars at 64, all ${whole(count)} images, two workers, as ${what}: ${seconds.toFixed(1)} s (wanted: under 120)`,
    );
  }
}

function spread(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b);
  return `${whole(median(values)).padStart(5)}/s (${whole(sorted[0]!)} – ${whole(sorted.at(-1)!)})`;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

function whole(value: number): string {
  return Math.round(value).toLocaleString("en");
}
