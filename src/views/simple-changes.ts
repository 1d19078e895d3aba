/** The nine changes that AugMix chooses among, at a level from 0 to 10, as Pillow does them. */

import type { Pixels } from "../core/dataset.ts";

export interface SimpleChange {
  name: string;
  /** Those with a direction go either way. */
  make(image: Pixels, level: number, direction: 1 | -1): Pixels;
}

/** Parameters grow with the level up to these; whole numbers are cut off. */
const whole = (level: number, most: number) => Math.trunc((level * most) / 10);

export const simpleChanges: readonly SimpleChange[] = [
  { name: "autocontrast", make: (image) => byChannel(image, stretched) },
  { name: "equalize", make: (image) => byChannel(image, equalised) },
  {
    name: "posterize",
    make: (image, level) => byValue(image, (value) => value & ~(2 ** (4 + whole(level, 4)) - 1)),
  },
  {
    name: "rotate",
    make(image, level, direction) {
      const angle = (-direction * whole(level, 30) * Math.PI) / 180;
      const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
      const [x, y] = [image.width / 2, image.height / 2];
      return affine(image, [cos, sin, x - cos * x - sin * y, -sin, cos, y + sin * x - cos * y]);
    },
  },
  {
    name: "solarize",
    make(image, level) {
      const threshold = 256 - whole(level, 256);
      return byValue(image, (value) => (value < threshold ? value : 255 - value));
    },
  },
  {
    name: "shear-x",
    make: (image, level, direction) => affine(image, [1, direction * level * 0.03, 0, 0, 1, 0]),
  },
  {
    name: "shear-y",
    make: (image, level, direction) => affine(image, [1, 0, 0, direction * level * 0.03, 1, 0]),
  },
  {
    name: "translate-x",
    make: (image, level, direction) =>
      affine(image, [1, 0, direction * whole(level, image.width / 3), 0, 1, 0]),
  },
  {
    name: "translate-y",
    make: (image, level, direction) =>
      affine(image, [1, 0, 0, 0, 1, direction * whole(level, image.height / 3)]),
  },
];

function byValue(image: Pixels, of: (value: number) => number): Pixels {
  return byChannel(image, () => Array.from({ length: 256 }, (_, value) => of(value)));
}

/** A table of new values for each channel, from how often each old one occurs. */
function byChannel(image: Pixels, tableOf: (counts: readonly number[]) => readonly number[]): Pixels {
  const { data, channels } = image;
  const result = new Uint8Array(data.length);
  for (let c = 0; c < channels; c++) {
    const counts = Array.from({ length: 256 }, () => 0);
    for (let at = c; at < data.length; at += channels) counts[data[at]!]!++;
    const table = tableOf(counts);
    for (let at = c; at < data.length; at += channels) result[at] = table[data[at]!]!;
  }
  return { ...image, data: result };
}

const same = Array.from({ length: 256 }, (_, value) => value);

/** The darkest value becomes 0, the brightest 255. */
function stretched(counts: readonly number[]): readonly number[] {
  const [low, high] = [counts.findIndex((n) => n > 0), counts.findLastIndex((n) => n > 0)];
  if (high <= low) return same;
  const scale = 255 / (high - low);
  return same.map((value) => Math.min(255, Math.max(0, Math.trunc(value * scale - low * scale))));
}

/** Every value about equally often. */
function equalised(counts: readonly number[]): readonly number[] {
  const present = counts.filter((n) => n > 0);
  const all = present.reduce((a, b) => a + b);
  const step = Math.floor((all - present.at(-1)!) / 255);
  if (present.length <= 1 || step === 0) return same;
  let before = Math.floor(step / 2);
  return counts.map((n) => {
    const value = Math.min(255, Math.floor(before / step));
    before += n;
    return value;
  });
}

/** Bilinear: the pixel at (x, y) is taken from (a·x + b·y + c, d·x + e·y + f), centres at halves; black comes in from outside. */
function affine(
  image: Pixels,
  [a, b, c, d, e, f]: readonly [number, number, number, number, number, number],
): Pixels {
  const { data, height, width, channels } = image;
  const result = new Uint8Array(data.length);
  const within = (place: number, size: number) => Math.min(size - 1, Math.max(0, place));
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const fromX = a * (x + 0.5) + b * (y + 0.5) + c;
      const fromY = d * (x + 0.5) + e * (y + 0.5) + f;
      if (fromX < 0 || fromY < 0 || fromX >= width || fromY >= height) continue;
      const [left, top] = [Math.floor(fromX - 0.5), Math.floor(fromY - 0.5)];
      const [right, down] = [fromX - 0.5 - left, fromY - 0.5 - top];
      const columns = [within(left, width), within(left + 1, width)] as const;
      const rows = [within(top, height) * width, within(top + 1, height) * width] as const;
      for (let channel = 0; channel < channels; channel++) {
        const at = (row: 0 | 1, column: 0 | 1) => data[(rows[row] + columns[column]) * channels + channel]!;
        const above = at(0, 0) + right * (at(0, 1) - at(0, 0));
        const below = at(1, 0) + right * (at(1, 1) - at(1, 0));
        result[(y * width + x) * channels + channel] = Math.trunc(above + down * (below - above));
      }
    }
  return { ...image, data: result };
}
