/** The picture by formula that scripts of test/references draw, too: sharp edges and smooth parts, all whole numbers. */

import type { Pixels } from "../../src/core/dataset.ts";

export function formulaImage(height: number, width: number): Pixels {
  const data = new Uint8Array(height * width * 3);
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      for (let c = 0; c < 3; c++, at++)
        data[at] =
          (x * x * 7 +
            y * y * 13 +
            x * y * 5 +
            c * 101 +
            ((Math.floor(x / 9) + Math.floor(y / 7)) % 2) * 90) %
          256;
  return { data, height, width, channels: 3 };
}
