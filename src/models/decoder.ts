/** The mirror of an encoder's strided convolutions: codes → pictures (Locatello et al. 2019), for any sides. */

import { relu, reshape, type Tensor } from "../engine/expressions.ts";
import { halvedSides } from "./halvings.ts";
import type { Layers } from "./layers.ts";
import { encoderFilters } from "./vae-encoder.ts";

export interface DecoderOptions {
  height: number;
  width: number;
  channels: number;
  /** Filters of the last stages but one, and half of the first ones'. */
  filters: number;
  dense: number;
}

/** [batch, codes] → logits of pixels [batch, channels, rows, columns]. */
export function decode(
  layers: Layers,
  codes: Tensor,
  { height, width, channels, filters, dense }: DecoderOptions,
): Tensor {
  const batch = codes.shape[0]!;
  const sides = halvedSides(height, width);
  const stages = sides.length - 1;
  const widths = [channels, ...encoderFilters(stages, filters)];
  const [rows, columns] = sides[stages]!;
  let x = relu(layers.linear("dense", codes, dense));
  const places = layers.linear("places", x, widths[stages]! * rows * columns);
  x = reshape(stages === 0 ? places : relu(places), [batch, widths[stages]!, rows, columns]);
  for (let stage = stages; stage > 0; stage--) {
    const target = sides[stage - 1]!;
    const y = layers.transposedConvolution(`deconv${stage}`, x, {
      filters: widths[stage - 1]!,
      kernel: 4,
      stride: 2,
      padding: 1,
      // An odd side was rounded down when it was halved.
      outputPadding: [target[0] % 2, target[1] % 2],
    });
    x = stage === 1 ? y : relu(y);
  }
  return x;
}
