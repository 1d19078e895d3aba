/** Parts of an image under one colour: what is hidden says nothing any more. */

import type { Box } from "../core/box.ts";
import type { ImageShape } from "../core/dataset.ts";

/** In place. */
export function hideWindow(
  data: Uint8Array,
  { width, channels }: ImageShape,
  box: Box,
  fill: readonly number[],
): void {
  for (let y = box.top; y < box.top + box.height; y++)
    for (let x = box.left; x < box.left + box.width; x++)
      for (let k = 0; k < channels; k++) data[(y * width + x) * channels + k] = fill[k]!;
}

/** In place, where the region is 1; between 0 and 1 as much of it. */
export function hideRegion(
  data: Uint8Array,
  { channels }: ImageShape,
  region: ArrayLike<number>,
  fill: readonly number[],
): void {
  for (let place = 0; place < region.length; place++) {
    const hidden = region[place]!;
    if (hidden === 0) continue;
    for (let k = 0; k < channels; k++) {
      const at = place * channels + k;
      data[at] = Math.round(data[at]! + hidden * (fill[k]! - data[at]!));
    }
  }
}
