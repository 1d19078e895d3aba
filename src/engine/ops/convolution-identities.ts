/**
 * A network that normalises its images before the first convolution needs no gradient of those images, only of the
 * normalisation's scale and shift. Both, and the filters' own gradient, follow from one filter gradient, that of the
 * centred images with a channel of ones beside them.
 */

import type { Shape, Tensor } from "../tensor.ts";
import { fewChannels, filterGradient, type Geometry, isInputGradient } from "./convolution.ts";
import { add, mul } from "./elementwise.ts";
import { broadcastTo } from "./layout.ts";
import { concat, sliceAxis } from "./movement.ts";
import { sum } from "./reductions.ts";
import { scalar } from "./sources.ts";

/** Filter gradients for `x` [filters, channels, …] and for images that are 1 everywhere [filters, 1, …]. */
function jointFilterGradient(
  x: Tensor,
  dy: Tensor,
  w: Shape,
  geometry: Geometry,
): { own: Tensor; ones: Tensor } {
  const [batch, channels, rows, columns] = x.shape as [number, number, number, number];
  const extended = concat([x, broadcastTo(scalar(1), [batch, 1, rows, columns])], 1);
  const joint = filterGradient(extended, dy, [w[0]!, channels + 1, w[2]!, w[3]!], geometry);
  return { own: sliceAxis(joint, 1, 0, channels), ones: sliceAxis(joint, 1, channels, 1) };
}

/**
 * Where dx is the input gradient of a convolution of few channels: Σ dx·x is Σ w·(filter gradient of x) and Σ dx is
 * Σ w·(filter gradient of ones), by channel. They are the same products dy·x·w, added up in another order.
 */
export function sumsOfInputGradient(dx: Tensor, x: Tensor): { plain: Tensor; weighted: Tensor } | undefined {
  if (!isInputGradient(dx) || dx.attributes.groups !== 1 || dx.shape[1]! >= fewChannels) return undefined;
  const [dy, w] = dx.inputs as [Tensor, Tensor];
  const { own, ones } = jointFilterGradient(x, dy, w.shape, dx.attributes);
  return { plain: sum(mul(w, ones), [0, 2, 3]), weighted: sum(mul(w, own), [0, 2, 3]) };
}

/** For images c·scale + shift by channel: the filter gradient of c times the scale plus that of ones times the shift. */
export function filterGradientOfAffine(node: Tensor<Geometry>): Tensor | undefined {
  const [x, dy] = node.inputs as [Tensor, Tensor];
  if (node.attributes.groups !== 1 || x.shape[1]! >= fewChannels || x.op.name !== "add") return undefined;
  const [product, shift] = x.inputs as [Tensor, Tensor];
  if (product.op.name !== "mul" || !isPerChannel(shift, x.shape)) return undefined;
  const [centre, scale] = product.inputs as [Tensor, Tensor];
  if (centre.shape.join() !== x.shape.join() || !isPerChannel(scale, x.shape)) return undefined;
  const { own, ones } = jointFilterGradient(centre, dy, node.shape, node.attributes);
  return add(mul(own, scale), mul(ones, shift));
}

/** Is it [1, channels, 1, 1]? */
function isPerChannel(x: Tensor, map: Shape): boolean {
  return x.shape.join() === [1, map[1]!, 1, 1].join();
}
