/** How large images are, in words; which number is which needs saying where they differ. */

import type { ImageShape } from "../../core/dataset.ts";

export function sizeText({ width, height }: Pick<ImageShape, "width" | "height">): string {
  return width === height ? `${width}×${height}` : `${width}×${height} (width × height)`;
}
