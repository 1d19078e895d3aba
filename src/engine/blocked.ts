/** Finds out whether this machine's runtime has the blocked convolution kernels, and with which block size. */

import { conv2d } from "./ops/convolution.ts";
import { input } from "./ops/sources.ts";
import { emitProgram } from "./program.ts";
import { RuntimeSession, toValue } from "./runtime.ts";
import { sizeOf } from "./shapes.ts";

/** AVX-512 and AVX2; other processors have other sizes or none, and use standard ops. */
const candidates = [16, 8];
/** Two ways to sum 288 products in float32 differ by less than this; a wrong block size by about 1. */
const tolerance = 1e-4;

/** Whole blocks of channels, and an image's, which have a kernel of their own. */
const depths = [32, 3];

let found: Promise<number | undefined> | undefined;

/** The block size whose results equal those of `Conv`, or undefined. Checked once a process. */
export function findBlockSize(): Promise<number | undefined> {
  found ??= search();
  return found;
}

async function search(): Promise<number | undefined> {
  const expected = await Promise.all(depths.map((channels) => run(channels, undefined)));
  const close = (actual: Float32Array, i: number) =>
    actual.every((value, at) => Math.abs(value - expected[i]![at]!) < tolerance);
  for (const blockSize of candidates) {
    try {
      const actual = await Promise.all(depths.map((channels) => run(channels, blockSize)));
      if (actual.every(close)) return blockSize;
    } catch {
      // The kernels are not in this build or not on this processor: the next size, or standard ops.
    }
  }
  return undefined;
}

/** A small convolution with padding and bias, on numbers without any pattern that blocks could hide in. */
async function run(channels: number, blockSize: number | undefined): Promise<Float32Array> {
  const shapes = { x: [1, channels, 8, 8], w: [32, channels, 3, 3], bias: [32] };
  const [x, w, bias] = Object.entries(shapes).map(([name, shape]) => input(name, shape));
  const emitted = emitProgram({ outputs: { y: conv2d(x!, w!, { padding: 1, bias: bias! }) } }, { blockSize });
  const session = await RuntimeSession.open(emitted.model);
  const feeds = Object.fromEntries(
    Object.entries(shapes).map(([name, shape], salt) => {
      const values = Float32Array.from(
        { length: sizeOf(shape) },
        (_, i) => Math.sin((i + 1) * (salt + 1.7)) / 8,
      );
      return [name, toValue(values, shape, "float")];
    }),
  );
  const { data } = await session.result(feeds, emitted.outputs.y!.name);
  await session.close();
  return data as Float32Array;
}
