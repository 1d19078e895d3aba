/** The ten texture glyphs, class by class: strokes of one pixel, whatever the size of the canvas. */

import { linePixels, type RasterPoint } from "./raster.ts";

/** Chains of points from the left end of the baseline; y grows downwards. */
type Strokes = readonly (readonly RasterPoint[])[];

interface Glyph {
  name: string;
  /** In pixels of the full canvas. Fractions make a line fall on the pixels that it has in the published images. */
  strokes: Strokes;
  /** In pixels of the smaller canvases, where the strokes in proportion would run into each other. */
  small?: Readonly<Record<number, Strokes>>;
}

const greater: Glyph = {
  name: ">",
  strokes: [line(2, -7.07, 8, -3.95), line(2, -0.3, 8, -3.3)],
  small: {
    64: [line(1, -4.2, 5, -2), line(1, 0.2, 5, -2)],
    48: [chain("1,-4 3,-2 1,0")],
  },
};

export const glyphs: readonly Glyph[] = [
  { name: "-", strokes: [line(2, -4, 8.8, -4)] },
  { name: "/", strokes: [line(8.05, -10, 0.85, 2.8)] },
  { name: "|", strokes: [line(2, -10, 2, 2.8)] },
  { name: "+", strokes: [line(2, -4, 8.8, -4), line(5.2, -7.2, 5.2, 0)] },
  {
    name: "x",
    strokes: [line(1.15, -6, 5.95, 0), line(5.65, -6, 0.85, 0)],
    small: {
      64: [line(1, -4, 5, 0), line(5, -4, 1, 0)],
      48: [line(0, -3, 3, 0), line(3, -3, 0, 0)],
    },
  },
  {
    name: "~",
    strokes: [chain("1,-2 1,-3 2,-4 2,-5 3,-5 3,-4 5,-4 5,-3 6,-3 6,-2 7,-2 7,-3 8,-3 8,-5")],
    small: {
      64: [chain("1,-2 2,-3 3,-3 4,-2 5,-2 6,-3")],
      48: [chain("0,-1 1,-2 2,-2 3,-1 4,-2")],
    },
  },
  { name: "::", strokes: [2, 6].flatMap((x) => [line(x, -5.6, x, -5.1), line(x, -0.9, x, -0.1)]) },
  greater,
  {
    name: "<",
    strokes: mirror(greater.strokes, 10),
    small: { 64: mirror(greater.small![64]!, 6), 48: mirror(greater.small![48]!, 4) },
  },
  { name: "\\", strokes: [line(0.79, -6, 8.26, 3)] },
];

/** The pixels of a glyph, relative to its anchor, on a canvas of this size. */
export function glyphPixels({ strokes, small }: Glyph, canvas: number): RasterPoint[] {
  const scale = canvas / 96;
  const drawn =
    small?.[canvas] ?? strokes.map((points) => points.map(([x, y]): RasterPoint => [x * scale, y * scale]));
  const found = new Map<string, RasterPoint>();
  for (const points of drawn) {
    for (let i = 0; i + 1 < points.length; i++) {
      for (const pixel of linePixels(points[i]!, points[i + 1]!)) found.set(pixel.join(), pixel);
    }
  }
  return [...found.values()];
}

function line(x0: number, y0: number, x1: number, y1: number): RasterPoint[] {
  return [
    [x0, y0],
    [x1, y1],
  ];
}

function chain(points: string): RasterPoint[] {
  return points.split(" ").map((point) => {
    const [x, y] = point.split(",").map(Number);
    return [x!, y!];
  });
}

function mirror(strokes: Strokes, width: number): Strokes {
  return strokes.map((points) => points.map(([x, y]): RasterPoint => [width - x, y]));
}
