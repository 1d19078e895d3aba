/** The ten distractor shapes, class by class, as masks of any size: 16 pixels on the full canvas. */

import { fillPolygon, type Mask, rasterMask } from "./raster.ts";

interface DrawnShape {
  name: string;
  draw: (size: number) => Mask;
}

/** A polygon whose corners are given in twelfths of the size, cut down to whole pixels. */
const polygon =
  (...corners: readonly (readonly [x: number, y: number])[]) =>
  (size: number) =>
    fillPolygon(
      size,
      corners.map(([x, y]) => [Math.floor((x * size) / 12), Math.floor((y * size) / 12)]),
    );

const inCircle = (size: number, x: number, y: number) => {
  const radius = Math.floor(size / 2);
  return (x - radius) ** 2 + (y - radius) ** 2 <= radius ** 2;
};

export const shapes: readonly DrawnShape[] = [
  { name: "circle", draw: (size) => rasterMask(size, (x, y) => inCircle(size, x, y)) },
  { name: "right triangle", draw: polygon([0, 0], [0, 12], [12, 12]) },
  { name: "obtuse triangle", draw: polygon([0, 0], [4, 12], [12, 12]) },
  { name: "square", draw: (size) => rasterMask(size, () => true) },
  { name: "parallelogram", draw: polygon([4, 0], [0, 12], [8, 12], [12, 0]) },
  { name: "kite", draw: polygon([6, 0], [0, 4], [6, 12], [12, 4]) },
  { name: "pentagon", draw: polygon([6, 0], [0, 4], [4, 12], [8, 12], [12, 4]) },
  {
    name: "half circle",
    draw: (size) => rasterMask(size, (x, y) => x < Math.floor(size / 2) && inCircle(size, x, y)),
  },
  { name: "plus", draw: (size) => rasterMask(size, (x, y) => inBar(size, x) || inBar(size, y)) },
  { name: "arrow", draw: polygon([0, 3], [0, 9], [8, 9], [12, 6], [8, 3]) },
];

function inBar(size: number, at: number): boolean {
  return at >= Math.floor(size / 3) && at <= Math.floor((2 * size) / 3);
}
