/** The four colour lists of the ten classes, all derived from the digits' colours. */

import { CuelabError } from "../../core/errors.ts";

export type Color = readonly [red: number, green: number, blue: number];

/** Colours by class. */
export interface Palette {
  digit: readonly Color[];
  /** The digits' colours in reverse order. */
  distractor: readonly Color[];
  /** 255 less the digit's colour. */
  texture: readonly Color[];
  /** A quarter of the texture's colour. */
  background: readonly Color[];
}

/** Digit colours for classes 0 to 9. */
export const namedColors = {
  paper: [
    "#0000ff",
    "#00ff00",
    "#ff0000",
    "#00ffff",
    "#ffff00",
    "#ff00ff",
    "#00ff80",
    "#ff0080",
    "#ff8000",
    "#80ff00",
  ],
  /** Paul Tol's muted scheme, whose ten colours people with any colour vision can tell apart. */
  muted: [
    "#cc6677",
    "#332288",
    "#ddcc77",
    "#117733",
    "#88ccee",
    "#882255",
    "#44aa99",
    "#999933",
    "#aa4499",
    "#dddddd",
  ],
} as const;

export function paletteOf(colors: keyof typeof namedColors | readonly string[]): Palette {
  const written: readonly string[] = typeof colors === "string" ? namedColors[colors] : colors;
  const digit = written.map(readColor);
  if (digit.length !== 10) throw wrongColors(`${digit.length} colours`);
  const texture = digit.map((color) => mapColor(color, (channel) => 255 - channel));
  const background = texture.map((color) => mapColor(color, (channel) => Math.floor(channel / 4)));
  const firstOf = new Map<string, number>();
  for (const [i, color] of background.entries()) {
    const other = firstOf.get(color.join());
    if (other !== undefined) {
      throw wrongColors(`${written[other]} and ${written[i]}, whose backgrounds are both ${hex(color)}`);
    }
    firstOf.set(color.join(), i);
  }
  return { digit, distractor: digit.toReversed(), texture, background };
}

/** In words where the twelve full colours and their dark forms have a name for each, else as #rrggbb. */
export function colorNames(colors: readonly Color[]): string[] {
  const words = colors.map(nameOf);
  return words.includes(undefined) || new Set(words).size < colors.length
    ? colors.map(hex)
    : (words as string[]);
}

function nameOf(color: Color): string | undefined {
  for (const [name, full] of Object.entries(fullColors)) {
    const dark = mapColor(full, (channel) => channel / 4);
    if (isNear(color, full)) return name;
    if (isNear(color, dark)) return `dark ${name}`;
  }
  return undefined;
}

const fullColors: Readonly<Record<string, Color>> = {
  red: [255, 0, 0],
  orange: [255, 128, 0],
  yellow: [255, 255, 0],
  chartreuse: [128, 255, 0],
  green: [0, 255, 0],
  "spring green": [0, 255, 128],
  cyan: [0, 255, 255],
  azure: [0, 128, 255],
  blue: [0, 0, 255],
  violet: [128, 0, 255],
  magenta: [255, 0, 255],
  rose: [255, 0, 128],
};

/** Half of 255 is 127 or 128, and quarters are cut down: one step is no other colour. */
function isNear(color: Color, other: Color): boolean {
  return color.every((channel, i) => Math.abs(channel - other[i]!) <= 1);
}

function mapColor([red, green, blue]: Color, change: (channel: number) => number): Color {
  return [change(red), change(green), change(blue)];
}

function readColor(text: string): Color {
  if (!/^#[0-9a-f]{6}$/i.test(text)) throw wrongColors(`"${text}"`);
  const value = Number.parseInt(text.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

function hex(color: Color): string {
  return `#${color.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
}

function wrongColors(got: string): CuelabError {
  return new CuelabError({
    kind: "usage",
    what: 'setting "colors" cannot be used',
    expected: `${Object.keys(namedColors).join(", ")}, or ten colours as #rrggbb for classes 0 to 9, far enough apart for ten backgrounds`,
    got,
  });
}
