/**
 * How long removing an object takes: a hole of 100 × 100 pixels, widened by a kernel of 15, in an image of 256 × 256, by
 * each method; and what starting OpenCV costs, once a thread.
 *
 *   npm run bench:inpainting
 */

import { cpus } from "node:os";
import { randomStream } from "../src/core/random.ts";
import { createInpaint, type InpaintOptions, maskOfBoxes } from "../src/images/inpaint/index.ts";
import { createArtist } from "../src/sources/drawn/index.ts";

const cases: readonly InpaintOptions[] = [
  { method: "telea" },
  { method: "telea", radius: 15 },
  { method: "navier-stokes" },
  { method: "navier-stokes", radius: 15 },
  { method: "tiled" },
];
const rounds = 7;
const imagesPerRound = 5;

console.log(`one core of ${cpus()[0]!.model}, Node ${process.version}; median of ${rounds} rounds (range)`);
const before = process.memoryUsage().rss;
const started = performance.now();
await createInpaint({ method: "telea" });
console.log(
  `OpenCV starts in ${Math.round(performance.now() - started)} ms and takes ${Math.round((process.memoryUsage().rss - before) / 1e6)} MB`,
);

const artist = await createArtist();
const side = 256;
const scenes = Array.from({ length: imagesPerRound }, (_, i) =>
  artist.scene("downtown", randomStream(0, "bench/inpainting").at(i), side),
);
const hole = maskOfBoxes([{ left: 78, top: 78, width: 100, height: 100 }], side, side);
for (const options of cases) {
  const inpaint = await createInpaint(options);
  const times: number[] = [];
  // The first round warms the compiler up and is not counted.
  for (let round = 0; round <= rounds; round++) {
    const start = performance.now();
    for (const scene of scenes) inpaint(scene, hole);
    if (round > 0) times.push((performance.now() - start) / imagesPerRound);
  }
  times.sort((a, b) => a - b);
  const name = options.method === "tiled" ? "tiled" : `${options.method}, radius ${options.radius ?? 3}`;
  console.log(
    `${name.padEnd(26)} ${ms(times[(rounds - 1) / 2]!).padStart(7)} ms (${ms(times[0]!)} – ${ms(times.at(-1)!)})`,
  );
}

function ms(value: number): string {
  return value.toFixed(1);
}
