/** A network that was read from ONNX, as what maps are made of. */

import type { ImageShape } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import { randomStream } from "../core/random.ts";
import { Executable } from "../engine/executable.ts";
import { constant, div, flip, input, mul, sub, type Tensor, transpose } from "../engine/expressions.ts";
import { isInput } from "../engine/ops/sources.ts";
import { formatShape } from "../engine/shapes.ts";
import { State } from "../engine/state.ts";
import { topologicalOrder } from "../engine/tensor.ts";
import { initialise } from "../engine/training/parameters.ts";
import { Layers } from "../models/layers.ts";
import type { OnnxNetwork } from "../models/onnx/network.ts";
import type { PixelStatistics } from "../models/pixels.ts";
import type { DifferentiableNetwork, SeenNetwork } from "./saliency-method.ts";

/** What stands between stored bytes and the graph: (byte × factor − mean) / deviation, by the graph's channels. */
export interface GraphPixels extends PixelStatistics {
  order: "rgb" | "bgr" | "grey";
  factor: number;
}

/** Weights are inputs of what is built, so that others can stand in for them. */
export function differentiableOf(
  network: OnnxNetwork,
  image: ImageShape,
  pixels?: GraphPixels,
): DifferentiableNetwork {
  const build = (images: Tensor, layers = new Layers({ mode: "evaluate" })) => ({
    ...network.build(prepared(images, pixels), { layers }),
    layers,
  });
  const { height, width, channels } = image;
  const once = build(input("images", [1, height, width, channels]));
  if (once.logits.shape.length !== 2)
    throw new CuelabError({
      kind: "input",
      what: "the network's first output has no row of logits an image",
      where: network.path,
      expected: "[batch, classes]",
      got: formatShape(once.logits.shape),
    });
  const weights = new State();
  initialise(once.layers.parameters.all, weights, (purpose) => randomStream(0, purpose).at(0));
  const order = topologicalOrder([once.logits]).flatMap((node) =>
    isInput(node) && node.attributes.role === "state" ? [node.attributes.name] : [],
  );
  return { build: (images) => build(images), classes: once.logits.shape[1]!, weights, order };
}

/** Floats from 0 to 255, channels last, as the graph wants them. */
function prepared(images: Tensor, pixels: GraphPixels | undefined): Tensor {
  const planes = transpose(images, [0, 3, 1, 2]);
  if (pixels === undefined) return planes;
  const { order, factor, mean, deviation } = pixels;
  const each = (values: readonly number[]) => constant(values, [1, values.length, 1, 1]);
  const turned = order === "bgr" ? flip(planes, [1]) : planes;
  return div(sub(mul(turned, factor), each(mean)), each(deviation));
}

export interface ExpressedLogits {
  classes: number;
  readonly logits: SeenNetwork["logits"];
  readonly close: () => Promise<void>;
}

/** Logits by the same expressions, for networks that nothing else runs; a batch is filled up. */
export async function logitsBy(
  { build, weights }: DifferentiableNetwork,
  { height, width, channels }: ImageShape,
  { batch, threads }: { batch: number; threads: number },
): Promise<ExpressedLogits> {
  const { logits } = build(input("images", [batch, height, width, channels]));
  const classes = logits.shape[1]!;
  const program = await Executable.compile({ outputs: { logits } }, { threads });
  const taken = height * width * channels;
  return {
    classes,
    async logits(images: Uint8Array, count: number): Promise<Float32Array> {
      const rows = new Float32Array(count * classes);
      for (let first = 0; first < count; first += batch) {
        const used = Math.min(batch, count - first);
        const given = new Float32Array(batch * taken);
        given.set(images.subarray(first * taken, (first + used) * taken));
        const made = (await program.run({ images: given }, { state: weights })).logits as Float32Array;
        rows.set(made.subarray(0, used * classes), first * classes);
      }
      return rows;
    },
    close: () => program.close(),
  };
}
