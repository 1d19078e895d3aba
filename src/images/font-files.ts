/**
 * Font files of the package. The build takes them from their own packages (`gather-assets.mjs`), with their licences and nothing
 * else: those packages hold every weight of every script, a quarter of a gigabyte.
 */

import { readFileSync } from "node:fs";
import { packageFile } from "../core/package-files.ts";

interface CarriedFont {
  /** Scripts, each a file; those that `unicode.json` of the font's package tells of, where none are named. */
  parts?: readonly string[];
  weights: readonly number[];
  ending: "woff" | "woff2";
}

/** By the name of the font's package in @fontsource. */
export const carriedFonts = {
  inter: { parts: ["latin", "latin-ext", "cyrillic", "greek"], weights: [400, 600], ending: "woff2" },
  "noto-serif-sc": { weights: [200], ending: "woff" },
  "noto-serif-jp": { weights: [200], ending: "woff" },
  "noto-serif-kr": { weights: [200], ending: "woff" },
  "noto-naskh-arabic": { weights: [400], ending: "woff" },
} as const satisfies Record<string, CarriedFont>;

export type FontName = keyof typeof carriedFonts;

/** The name of one file, in the font's package and in ours. */
export function fontFileName(font: FontName, part: string, weight: number): string {
  return `${font}-${part}-${weight}-normal.${carriedFonts[font].ending}`;
}

export function fontFile(font: FontName, part: string, weight: number): string {
  return packageFile("dist/fonts", font, fontFileName(font, part, weight));
}

/** Which characters each part of a font is for, as its package says: `"[113]": "U+6377,U+6380-6385"`. */
export function rangesByPart(font: FontName): [part: string, ranges: string][] {
  return partsOf(readFileSync(packageFile("dist/fonts", font, "unicode.json"), "utf8"));
}

/** Parts with their ranges, of the text of a `unicode.json`. */
export function partsOf(text: string): [part: string, ranges: string][] {
  return Object.entries(JSON.parse(text) as Record<string, string>).map(([part, ranges]) => [
    part.replace(/[[\]]/g, ""),
    ranges,
  ]);
}
