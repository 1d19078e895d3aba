/** The font of every picture: Inter, carried along, since machines without any font would show boxes. */

import { carriedFonts, fontFile } from "./font-files.ts";

/** Scripts that the font covers, each a file and so a family of its own; others show as boxes. */
const { parts: scripts, weights } = carriedFonts.inter;
const familyOf = (script: string) => `Cuelab Inter ${script}`;

/** What most text is written in. */
export const latinFamily: string = familyOf("latin");

/** Letters of the scripts that are not Latin. */
const letters: readonly [RegExp, string][] = [
  [/[\u0400-\u052f]/, "cyrillic"],
  [/[\u0370-\u03ff]/, "greek"],
  [/[\u0100-\u0130\u0132-\u0151\u0154-\u024f\u1e00-\u1eff]/, "latin-ext"],
];

/** Text cut where the script changes, for programs that look for every letter in one family. */
export function fontRuns(text: string): { family: string; text: string }[] {
  const runs: { family: string; text: string }[] = [];
  for (const character of text) {
    const family = familyOf(letters.find(([pattern]) => pattern.test(character))?.[1] ?? "latin");
    const last = runs.at(-1);
    if (last?.family === family) last.text += character;
    else runs.push({ family, text: character });
  }
  return runs;
}

/** What a canvas is given as its font's family, once the font is registered. */
export const fontFamilies: string = scripts.map((script) => `"${familyOf(script)}"`).join(", ");

/** Path of the font's file for Latin letters, for pages that carry their font. */
export function latinFontFile(weight: 400 | 600): string {
  return fontFile("inter", "latin", weight);
}

/** The canvas library, knowing the font. */
export async function canvasWithFont(): Promise<typeof import("@napi-rs/canvas")> {
  const canvas = await import("@napi-rs/canvas");
  if (!canvas.GlobalFonts.has(familyOf("latin"))) {
    for (const script of scripts) {
      for (const weight of weights)
        canvas.GlobalFonts.registerFromPath(fontFile("inter", script, weight), familyOf(script));
    }
  }
  return canvas;
}
