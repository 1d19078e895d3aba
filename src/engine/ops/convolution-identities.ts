/**
 * Sums over a convolution's input gradient without that gradient. A network that normalises its images before the
 * first convolution needs the gradient of the scale and the shift only, which are such sums: they follow from the
 * filter gradient, which is computed anyway.
 */

import type { Shape, Tensor } from "../tensor.ts";
import { fewChannels, filterGradient, type Geometry, isInputGradient } from "./convolution.ts";
import { add, isAdd, isMul, mul } from "./elementwise.ts";
import { sum } from "./reductions.ts";
import { full } from "./sources.ts";

/** [channels] as [1, channels, 1, 1], the shape of a sum over everything else. */
function perChannel(shape: Shape): Shape {
  return [1, shape[1]!, 1, 1];
}

function isPerChannel(x: Tensor, map: Shape): boolean {
  return x.shape.join() === perChannel(map).join();
}

/**
 * Σ dx·c by channel is Σ w·(filter gradient of c), and Σ dx the same with c = 1, where dx is the input gradient of a
 * convolution: both are sums of dy·c·w over all products of the convolution, taken in another order.
 */
export function sumOfInputGradient(x: Tensor, axes: readonly number[]): Tensor | undefined {
  const kept = x.shape.map((length, axis) => (axes.includes(axis) ? 1 : length));
  if (x.shape.length !== 4 || kept.join() !== perChannel(x.shape).join()) return undefined;
  const [dx, factor] = isMul(x) ? (isInputGradient(x.inputs[0]!) ? x.inputs : [...x.inputs].reverse()) : [x];
  if (dx === undefined || !isInputGradient(dx) || dx.attributes.groups !== 1) return undefined;
  if (factor !== undefined && factor.shape.join() !== x.shape.join()) return undefined;
  const [dy, w] = dx.inputs as [Tensor, Tensor];
  if (w.shape[1]! >= fewChannels) return undefined;
  const slopes =
    factor === undefined
      ? filterGradientOfOnes(dy, x.shape, w.shape, dx.attributes)
      : filterGradient(factor, dy, w.shape, dx.attributes);
  return sum(mul(w, slopes), [0, 2, 3], { keep: true });
}

/** The filter gradient for images that are 1 everywhere: [filters, 1, rows, columns], equal for all channels. */
function filterGradientOfOnes(dy: Tensor, x: Shape, w: Shape, geometry: Geometry): Tensor {
  const ones = full([1, 1, x[2]!, x[3]!], 1);
  return filterGradient(ones, sum(dy, [0], { keep: true }), [w[0]!, 1, w[2]!, w[3]!], geometry);
}

/** For x = c·scale + shift by channel, the filter gradient is that of c times the scale plus that of ones times the shift. */
export function filterGradientOfAffine(node: Tensor<Geometry>): Tensor | undefined {
  const [x, dy] = node.inputs as [Tensor, Tensor];
  if (node.attributes.groups !== 1 || x.shape[1]! >= fewChannels || !isAdd(x)) return undefined;
  const [product, shift] = x.inputs as [Tensor, Tensor];
  if (!isMul(product) || !isPerChannel(shift, x.shape)) return undefined;
  const [centre, scale] = product.inputs as [Tensor, Tensor];
  if (centre.shape.join() !== x.shape.join() || !isPerChannel(scale, x.shape)) return undefined;
  const own = filterGradient(centre, dy, node.shape, node.attributes);
  const ones = filterGradientOfOnes(dy, x.shape, node.shape, node.attributes);
  return add(mul(own, scale), mul(ones, shift));
}
