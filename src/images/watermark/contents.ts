/** What watermarks say: the contents of Li et al. 2023, Table 8, each with the typeface that draws it. */

import { CuelabError } from "../../core/errors.ts";
import { missingCharacter, missingGlyph, type TypefaceName, typefaceNames } from "./fonts.ts";

export interface WatermarkContent {
  text: string;
  typeface: TypefaceName;
}

interface PublishedContent extends WatermarkContent {
  language: string;
  meaning: string;
  /** Of ResNet-50 on ImageNet, in points: accuracy with the watermark minus without, of all classes and of carton. */
  gap: number;
  cartonGap: number;
}

/** The first one makes ImageNet-W. */
export const contents = {
  chinese: {
    text: "捷径捷径捷径",
    typeface: "serif-sc",
    language: "Simplified Chinese",
    meaning: "shortcut, three times",
    gap: -26.64,
    cartonGap: 40,
  },
  "chinese-digits": {
    text: "一二三四五六",
    typeface: "serif-sc",
    language: "Simplified Chinese",
    meaning: "one to six",
    gap: -6.12,
    cartonGap: 22,
  },
  japanese: {
    text: "ショートカット",
    typeface: "serif-jp",
    language: "Japanese",
    meaning: "shortcut",
    gap: -2.66,
    cartonGap: 18,
  },
  korean: {
    text: "지름길지름길",
    typeface: "serif-kr",
    language: "Korean",
    meaning: "shortcut, twice",
    gap: -12.3,
    cartonGap: 34,
  },
  english: {
    text: "shortcut",
    typeface: "serif-sc",
    language: "English",
    meaning: "shortcut",
    gap: -6.39,
    cartonGap: 8,
  },
  alphabet: {
    text: "abcdefghijkl",
    typeface: "serif-sc",
    language: "English",
    meaning: "twelve letters",
    gap: -5.54,
    cartonGap: 4,
  },
  arabic: {
    text: "الاختصار",
    typeface: "naskh-arabic",
    language: "Arabic",
    meaning: "the shortcut",
    gap: -7.79,
    cartonGap: 4,
  },
} satisfies Record<string, PublishedContent>;

export type ContentName = keyof typeof contents;

export const contentNames = Object.keys(contents) as ContentName[];

/** A text of one's own, in the first typeface that draws all of it. */
export function ownContent(text: string): WatermarkContent {
  if (text.trim() === "") {
    throw new CuelabError({ kind: "usage", what: "the watermark has no text", expected: "some characters" });
  }
  let missing = "";
  for (const typeface of typefaceNames) {
    const character = missingCharacter(typeface, text);
    if (character === undefined) return { text, typeface };
    // The one to name is the one that came furthest.
    if (text.indexOf(character) >= text.indexOf(missing)) missing = character;
  }
  throw missingGlyph(missing, typefaceNames);
}
