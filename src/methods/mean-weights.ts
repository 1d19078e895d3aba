/** The mean of what several stages have left. */

import { lookUp } from "../core/look-up.ts";
import type { Weights } from "./method.ts";

/** Of those values that any of them has changed: the others are the same arrays in all. */
export function meanWeights(all: readonly Weights[]): Weights {
  const [first] = all as [Weights];
  const mean = new Map<string, Float32Array>();
  for (const [name, values] of first) {
    const others = all.map((weights) => lookUp(weights, name));
    if (others.every((each) => each === values)) continue;
    mean.set(
      name,
      values.map((_, i) => others.reduce((total, each) => total + each[i]!, 0) / all.length),
    );
  }
  return mean;
}
