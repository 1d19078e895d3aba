/** Random resized crop: a window of the image, enlarged again (Salaudeen et al., Appendix C.1). */

import { z } from "zod";
import type { Pixels } from "../core/dataset.ts";
import { between, betweenLogs, bounds } from "./bounds.ts";
import { defineView } from "./view.ts";

export const crop = defineView({
  name: "crop",
  description: "a window of the image, enlarged again",
  version: 1,
  settings: z.object({
    scale: bounds(z.number().gt(0).max(1), [0.7, 1]).describe("share of the area, from and to"),
    aspect: bounds(z.number().positive(), [3 / 4, 4 / 3]).describe("width over height, from and to"),
  }),
  examples: ["scale=0.08,1"],
  moves: true,
  make(image, { settings, random }) {
    const { height, width } = image;
    const area = height * width * between(random, settings.scale);
    const aspect = betweenLogs(random, settings.aspect);
    const cropWidth = Math.min(width, Math.sqrt(area * aspect));
    const cropHeight = Math.min(height, Math.sqrt(area / aspect));
    const left = random.uniform() * (width - cropWidth);
    const top = random.uniform() * (height - cropHeight);
    resample(image, { left, top, cropWidth, cropHeight });
    return image;
  },
});

interface CropWindow {
  left: number;
  top: number;
  cropWidth: number;
  cropHeight: number;
}

/** Bilinear, with pixel centres at half integers. */
function resample(
  { data, height, width, channels }: Pixels,
  { left, top, cropWidth, cropHeight }: CropWindow,
): void {
  const source = Uint8Array.from(data);
  for (let y = 0; y < height; y++) {
    const fromY = clamp(top + ((y + 0.5) * cropHeight) / height - 0.5, height - 1);
    const y0 = Math.floor(fromY);
    const y1 = Math.min(y0 + 1, height - 1);
    const down = fromY - y0;
    for (let x = 0; x < width; x++) {
      const fromX = clamp(left + ((x + 0.5) * cropWidth) / width - 0.5, width - 1);
      const x0 = Math.floor(fromX);
      const x1 = Math.min(x0 + 1, width - 1);
      const right = fromX - x0;
      for (let c = 0; c < channels; c++) {
        const at = (row: number, column: number) => source[(row * width + column) * channels + c]!;
        const upper = at(y0, x0) * (1 - right) + at(y0, x1) * right;
        const lower = at(y1, x0) * (1 - right) + at(y1, x1) * right;
        data[(y * width + x) * channels + c] = Math.round(upper * (1 - down) + lower * down);
      }
    }
  }
}

function clamp(value: number, most: number): number {
  return Math.min(Math.max(value, 0), most);
}
