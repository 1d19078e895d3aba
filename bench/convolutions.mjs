/**
 * Times every way to compute a convolution's forward pass, filter gradient and input gradient, one line a shape:
 * what the fixed rule in src/engine/ops/convolution-formulations.ts was fitted from. Processor milliseconds on one
 * thread, the least of several runs. Build first: `npm run build && node bench/convolutions.mjs`.
 */

import { findBlockSize } from "../dist/src/engine/blocked.js";
import { Executable } from "../dist/src/engine/executable.js";
import { conv2d, input, max } from "../dist/src/engine/expressions.js";
import { filterGradient, geometryOf, inputGradient } from "../dist/src/engine/ops/convolution.js";
import {
  filterFormulations,
  forwardByColumns,
  inputGradientByColumns,
  inputGradientByFlipping,
} from "../dist/src/engine/ops/convolution-formulations.js";

/** Batch, channels, side, filters, kernel, stride, padding. */
const shapes = [
  [64, 2, 28, 64, 3, 1, 1],
  [64, 64, 28, 128, 3, 2, 1],
  [64, 128, 14, 128, 3, 1, 1],
  [128, 3, 80, 32, 3, 1, 1],
  [128, 32, 40, 64, 3, 2, 1],
  [128, 64, 20, 128, 3, 2, 1],
  [128, 128, 10, 128, 3, 1, 1],
  [32, 3, 64, 64, 7, 2, 3],
  [32, 64, 16, 64, 3, 1, 1],
  [32, 64, 16, 128, 3, 2, 1],
  [32, 64, 16, 128, 1, 2, 0],
  [32, 128, 8, 128, 3, 1, 1],
  [32, 128, 8, 256, 3, 2, 1],
  [32, 256, 4, 256, 3, 1, 1],
  [32, 256, 4, 512, 3, 2, 1],
  [32, 512, 2, 512, 3, 1, 1],
  [64, 16, 16, 32, 3, 2, 1],
  [64, 32, 8, 32, 3, 1, 1],
  [32, 3, 96, 32, 5, 1, 2],
];

async function time(output, kernels) {
  const executable = await Executable.compile({ outputs: { y: max(output) } }, { kernels });
  const feeds = Object.fromEntries(
    ["x", "w", "dy"].map((name) => {
      const size = sizes[name].reduce((a, b) => a * b, 1);
      return [name, Float32Array.from({ length: size }, (_, i) => Math.sin(i * 1.37))];
    }),
  );
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 5; i++) {
    const before = process.cpuUsage();
    await executable.run(feeds);
    const used = process.cpuUsage(before);
    if (i > 0) least = Math.min(least, (used.user + used.system) / 1000);
  }
  await executable.close();
  return Math.round(least * 100) / 100;
}

let sizes;
const blocked = await findBlockSize();
for (const [batch, channels, side, filters, kernel, stride, padding] of shapes) {
  const geometry = geometryOf({ stride, padding });
  const x = input("x", [batch, channels, side, side]);
  const w = input("w", [filters, channels, kernel, kernel]);
  const y = conv2d(x, w, { stride, padding });
  const dy = input("dy", y.shape);
  sizes = { x: x.shape, w: w.shape, dy: y.shape };
  const filter = { chosen: await time(filterGradient(x, dy, w.shape, geometry)) };
  for (const [name, make] of Object.entries(filterFormulations))
    filter[name] = await time(make(x, dy, w.shape, geometry));
  const forward = {
    standard: await time(y, "standard"),
    ...(blocked ? { fastest: await time(y) } : {}),
    columns: await time(forwardByColumns(x, w, y.shape, geometry)),
  };
  const back = {
    chosen: await time(inputGradient(dy, w, x.shape, geometry)),
    columns: await time(inputGradientByColumns(dy, w, x.shape, geometry)),
    ...(stride === 1 ? { flipped: await time(inputGradientByFlipping(dy, w, geometry)) } : {}),
  };
  console.log(
    JSON.stringify({
      shape: [batch, channels, side, filters, kernel, stride, padding],
      forward,
      filter,
      back,
    }),
  );
}
