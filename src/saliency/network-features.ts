/** What the last linear layer of a network takes, of many images. */

import { Executable } from "../engine/executable.ts";
import { cast, input } from "../engine/expressions.ts";
import { asked, differentiable } from "./differentiable.ts";
import { batchesOf, rowsAt } from "./in-batches.ts";
import { imageSize, type SeenNetwork } from "./saliency-method.ts";

export interface FeatureReader {
  width: number;
  /** [images, width]. */
  readonly of: (images: Uint8Array) => Promise<Float32Array>;
  readonly close: () => Promise<void>;
}

export async function networkFeatures(
  network: SeenNetwork,
  { batch, threads }: { batch: number; threads: number },
): Promise<FeatureReader> {
  const { build, weights } = differentiable(network, "features");
  const { height, width, channels } = network.image;
  const built = build(cast(input("images", [batch, height, width, channels], "byte"), "float"));
  // Refuses a network that has none.
  asked(built, "features", network.name);
  const features = built.features!;
  const program = await Executable.compile({ outputs: { features } }, { threads });
  const [size, wide] = [imageSize(network.image), features.shape[1]!];
  return {
    width: wide,
    async of(images) {
      const count = images.length / size;
      const rows = new Float32Array(count * wide);
      for (const part of batchesOf(count, batch)) {
        const feeds = { images: rowsAt(images, size, part, batch) };
        const found = (await program.run(feeds, { state: weights })).features as Float32Array;
        rows.set(found.subarray(0, part.used * wide), part.first * wide);
      }
      return rows;
    },
    close: () => program.close(),
  };
}
