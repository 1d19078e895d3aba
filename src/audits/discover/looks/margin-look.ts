/** The outer part of an image: borders of one colour, frames, and the colour of the background. */

import { hueOf } from "./colour-look.ts";
import type { Planes } from "./look.ts";

export type RgbColour = readonly [red: number, green: number, blue: number];

export interface MarginLook {
  /** How wide the bars of one colour are: the sum of both sides over the image's side, the larger of across and down. */
  border: number;
  /** What colour they have; `none` where there are none. */
  borderColour: string;
  /** How much the outermost ring differs from the next but one, beyond what rings further inside do; of 255. */
  frame: number;
  /** Median of each channel over the outer ring. */
  background: RgbColour;
  backgroundColour: string;
  /** Hue of the background in degrees; undefined where it is grey. */
  backgroundHue: number | undefined;
  /** Standard deviation of brightness over the ring, of 255: low where the background is plain. */
  unevenness: number;
}

/** Of 255: what compression does to a bar of one colour stays below. */
const alike = 12;
/** The ring is a tenth of the shorter side. */
const ringShare = 0.1;
/** Pixels of a row that may differ: compression spills over at its ends. */
const strayShare = 0.02;

export function marginLook(planes: Planes): MarginLook {
  const { width, height } = planes;
  const top = bars(planes, { count: height, length: width, start: 0, step: width, along: 1 });
  const bottom = bars(planes, {
    count: height,
    length: width,
    start: (height - 1) * width,
    step: -width,
    along: 1,
  });
  const left = bars(planes, { count: width, length: height, start: 0, step: 1, along: width });
  const right = bars(planes, { count: width, length: height, start: width - 1, step: -1, along: width });
  const share = (a: number, b: number, side: number) => Math.min(1, (a + b) / side);
  const [down, across] = [share(top, bottom, height), share(left, right, width)];
  const border = Math.max(down, across);
  const corner = (down >= across ? top : left) > 0 ? 0 : width * height - 1;
  const { background, unevenness } = ringColour(planes);
  const [r, g, b] = background;
  return {
    border,
    borderColour: border === 0 ? "none" : colourName(at(planes, corner)),
    frame: frameContrast(planes),
    background,
    backgroundColour: colourName(background),
    backgroundHue: Math.max(r, g, b) - Math.min(r, g, b) > 2 * alike ? hueOf(r, g, b) : undefined,
    unevenness,
  };
}

/** Lines of pixels: how many, how long, where the first starts, and the steps from line to line and along one. */
interface PixelLines {
  count: number;
  length: number;
  start: number;
  step: number;
  along: number;
}

/** How many of the first lines have one colour, that of the first pixel. A picture of one colour has no border. */
function bars(planes: Planes, { count, length, start, step, along }: PixelLines): number {
  const colour = at(planes, start);
  for (let line = 0; line < count; line++) {
    let stray = 0;
    for (let i = 0; i < length; i++) {
      if (difference(at(planes, start + line * step + i * along), colour) <= alike) continue;
      if (++stray > strayShare * length) return line;
    }
  }
  return 0;
}

function at({ red, green, blue }: Planes, place: number): RgbColour {
  return [red[place]!, green[place]!, blue[place]!];
}

function difference(a: RgbColour, b: RgbColour): number {
  return Math.max(Math.abs(a[0] - b[0]), Math.abs(a[1] - b[1]), Math.abs(a[2] - b[2]));
}

function ringColour(planes: Planes): { background: RgbColour; unevenness: number } {
  const { width, height, light } = planes;
  const ring = Math.max(1, Math.round(ringShare * Math.min(width, height)));
  const counts = [0, 1, 2].map(() => new Uint32Array(256));
  let [many, sum, squares] = [0, 0, 0];
  for (let y = 0; y < height; y++) {
    const whole = y < ring || y >= height - ring;
    for (let x = 0; x < width; x++) {
      // Rows in the middle have their ends in the ring alone.
      if (!whole && x === ring && width > 2 * ring) x = width - ring;
      const place = y * width + x;
      counts[0]![planes.red[place]!]!++;
      counts[1]![planes.green[place]!]!++;
      counts[2]![planes.blue[place]!]!++;
      many++;
      sum += light[place]!;
      squares += light[place]! ** 2;
    }
  }
  const median = (own: Uint32Array) => {
    let below = 0;
    return own.findIndex((count) => {
      below += count;
      return 2 * below >= many;
    });
  };
  return {
    background: [median(counts[0]!), median(counts[1]!), median(counts[2]!)],
    unevenness: Math.sqrt(Math.max(0, squares / many - (sum / many) ** 2)),
  };
}

/** A drawn frame is a step between rings that follows all four sides. */
function frameContrast({ light, width, height }: Planes): number {
  const most = Math.floor(Math.min(width, height) / 4);
  if (most < 4) return 0;
  const means = Array.from({ length: most }, (_, inset) => ringMean(light, width, height, inset));
  const steps = means.slice(2).map((mean, i) => Math.abs(mean - means[i]!));
  const outer = Math.max(...steps.slice(0, Math.ceil(steps.length / 2)));
  const inner = Math.max(...steps.slice(Math.ceil(steps.length / 2)), 0);
  return Math.max(0, outer - inner);
}

function ringMean(light: Uint8Array, width: number, height: number, inset: number): number {
  const [right, bottom] = [width - 1 - inset, height - 1 - inset];
  let sum = 0;
  for (let x = inset; x <= right; x++) sum += light[inset * width + x]! + light[bottom * width + x]!;
  for (let y = inset + 1; y < bottom; y++) sum += light[y * width + inset]! + light[y * width + right]!;
  return sum / (2 * (right - inset + 1) + 2 * Math.max(0, bottom - inset - 1));
}

/** In words that people would use. */
export function colourName([r, g, b]: RgbColour): string {
  const [most, least] = [Math.max(r, g, b), Math.min(r, g, b)];
  if (most < 48) return "black";
  if (most - least < 40) return least > 208 ? "white" : most < 112 ? "dark grey" : "grey";
  const hue = hueOf(r, g, b);
  if (hue < 18 || hue >= 345) return "red";
  if (hue < 48) return most < 160 ? "brown" : "orange";
  if (hue < 70) return "yellow";
  if (hue < 165) return "green";
  if (hue < 195) return "cyan";
  if (hue < 260) return "blue";
  return hue < 300 ? "purple" : "pink";
}
