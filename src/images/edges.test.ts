/** Edges against OpenCV's own Sobel operator, and means around pixels by hand. */

import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { randomStream } from "../core/random.ts";
import { boxMean } from "./box-mean.ts";
import { edgeStrength } from "./edges.ts";

test("the strength of edges is that of OpenCV's Sobel, at the borders too", async () => {
  // biome-ignore lint/suspicious/noExplicitAny: the test uses more of the library than the program declares.
  const library = await (createRequire(import.meta.url)("@techstark/opencv-js") as PromiseLike<any>);
  const [height, width] = [9, 12];
  const random = randomStream(1, "edges").at(0);
  const data = Uint8Array.from({ length: height * width }, () => random.integer(256));
  const from = new library.Mat(height, width, library.CV_8UC1);
  from.data.set(data);
  const sobel = (dx: number, dy: number) => {
    const to = new library.Mat();
    library.Sobel(from, to, library.CV_32F, dx, dy, 3);
    const found = Float32Array.from(to.data32F);
    to.delete();
    return found;
  };
  const [across, down] = [sobel(1, 0), sobel(0, 1)];
  const expected = across.map((x, i) => Math.hypot(x, down[i]!) / 4);
  from.delete();
  const found = edgeStrength({ data, height, width, channels: 1 });
  found.forEach((strength, i) => {
    expect(strength).toBeCloseTo(expected[i]!, 3);
  });
  // Of several channels the strongest counts: a flat one changes nothing.
  const coloured = Uint8Array.from({ length: 3 * data.length }, (_, i) =>
    i % 3 === 1 ? data[Math.floor(i / 3)]! : 40,
  );
  expect(edgeStrength({ data: coloured, height, width, channels: 3 })).toEqual(found);
});

test("a mean around a pixel is that of the square within the image", () => {
  const image = { data: Uint8Array.from([0, 3, 6, 9, 12, 15, 30, 60, 90]), height: 3, width: 3, channels: 1 };
  // The whole: 225 / 9; a corner: (0 + 3 + 9 + 12) / 4; an edge: (0 + 3 + 6 + 9 + 12 + 15) / 6.
  expect([...boxMean(image, 1)]).toEqual([6, 7.5, 9, 19, 25, 31, 27.75, 36, 44.25]);
  expect(boxMean(image, 5).every((mean) => mean === 25)).toBe(true);
});
