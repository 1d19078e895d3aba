/**
 * The typefaces of watermarks. Their packages cut each into many files by character; only the files that a text needs
 * are loaded, and a character without a glyph is an error, since a canvas would draw another font's, or a box.
 */

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename } from "node:path";
import type { SourceRecord } from "../../core/dataset.ts";
import { CuelabError } from "../../core/errors.ts";
import { lookUp } from "../../core/look-up.ts";
import { fontFile as carriedFile, carriedFonts, type FontName, rangesByPart } from "../font-files.ts";
import { type FontTables, readWoff } from "./woff.ts";

interface Typeface {
  title: string;
  font: FontName;
}

/**
 * Noto Serif SC is Source Han Serif SC, the paper's face, under its other name. Each is the lightest that there is, which for the
 * serifs is the paper's ExtraLight.
 */
const typefaces = {
  "serif-sc": { title: "Noto Serif SC ExtraLight", font: "noto-serif-sc" },
  "serif-jp": { title: "Noto Serif JP ExtraLight", font: "noto-serif-jp" },
  "serif-kr": { title: "Noto Serif KR ExtraLight", font: "noto-serif-kr" },
  "naskh-arabic": { title: "Noto Naskh Arabic Regular", font: "noto-naskh-arabic" },
} satisfies Record<string, Typeface>;

export type TypefaceName = keyof typeof typefaces;

export const typefaceNames = Object.keys(typefaces) as TypefaceName[];

/** One of the files that a typeface is cut into. */
interface FontFile {
  path: string;
  family: string;
  tables: FontTables;
}

/** A canvas library that knows the files, and what its `font` calls them. */
export interface LoadedText {
  library: typeof import("@napi-rs/canvas");
  families: string;
  ascent: number;
}

const require = createRequire(import.meta.url);

/** Loads what a text needs. Without waiting, so that an image can be changed in the midst of a batch. */
export function loadFont(name: TypefaceName, text: string): LoadedText {
  const files = filesFor(name, text);
  const library = require("@napi-rs/canvas") as typeof import("@napi-rs/canvas");
  for (const { path, family } of files) {
    if (library.GlobalFonts.has(family)) continue;
    if (library.GlobalFonts.registerFromPath(path, family)) continue;
    throw new CuelabError({ kind: "failure", what: "a font cannot be loaded", where: path });
  }
  const families = files.map(({ family }) => `"${family}"`).join(", ");
  return { library, families, ascent: files[0]!.tables.ascent };
}

/** The first character that a typeface cannot draw; undefined where it draws them all. */
export function missingCharacter(name: TypefaceName, text: string): string | undefined {
  return Array.from(text).find((character) => fileWith(name, character.codePointAt(0)!) === undefined);
}

/** What was read of a typeface for a text, for a dataset's provenance. */
export function fontSource(name: TypefaceName, text: string): SourceRecord {
  const digests = filesFor(name, text).map(
    ({ path }) => [basename(path), createHash("sha256").update(readFileSync(path)).digest("hex")] as const,
  );
  return { name: typefaces[name].title, license: "OFL-1.1", sha256: Object.fromEntries(digests) };
}

/** Characters of one part of a typeface that the part really draws, in the order of their codes. */
export function charactersIn(name: TypefaceName, part: string, pattern: RegExp): string[] {
  const { tables } = fontFile(name, part);
  return lookUp(rangesOf(name), part)
    .flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, i) => first + i))
    .filter((code) => pattern.test(String.fromCodePoint(code)) && tables.draws(code))
    .map((code) => String.fromCodePoint(code));
}

function filesFor(name: TypefaceName, text: string): FontFile[] {
  const files = new Set<FontFile>();
  for (const character of text) {
    const file = fileWith(name, character.codePointAt(0)!);
    if (file === undefined) throw missingGlyph(character, [name]);
    files.add(file);
  }
  return [...files];
}

export function missingGlyph(character: string, names: readonly TypefaceName[]): CuelabError {
  const code = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0");
  return new CuelabError({
    kind: "usage",
    what: `${names.map((name) => typefaces[name].title).join(", ")}: no glyph for ${JSON.stringify(character)} (U+${code})`,
    expected: "a text that one typeface can draw, in one line",
    todo: "write it with other characters",
  });
}

function fileWith(name: TypefaceName, code: number): FontFile | undefined {
  for (const [part, ranges] of rangesOf(name)) {
    if (!ranges.some(([first, last]) => code >= first && code <= last)) continue;
    const file = fontFile(name, part);
    if (file.tables.draws(code)) return file;
  }
  return undefined;
}

type Ranges = readonly (readonly [number, number])[];

const rangesKnown = new Map<TypefaceName, ReadonlyMap<string, Ranges>>();

/** Which characters each file of a typeface is for. */
function rangesOf(name: TypefaceName): ReadonlyMap<string, Ranges> {
  let ranges = rangesKnown.get(name);
  if (ranges === undefined) {
    const parts = rangesByPart(typefaces[name].font);
    ranges = new Map(parts.map(([part, text]) => [part, text.split(",").map(rangeOf)]));
    rangesKnown.set(name, ranges);
  }
  return ranges;
}

function rangeOf(text: string): [number, number] {
  const [first, last = first] = text.trim().slice(2).split("-");
  return [Number.parseInt(first!, 16), Number.parseInt(last!, 16)];
}

const filesKnown = new Map<string, FontFile>();

function fontFile(name: TypefaceName, part: string): FontFile {
  const family = `Cuelab ${name} ${part}`;
  let file = filesKnown.get(family);
  if (file === undefined) {
    const { font } = typefaces[name];
    const path = carriedFile(font, part, carriedFonts[font].weights[0]);
    file = { path, family, tables: readWoff(readFileSync(path), path) };
    filesKnown.set(family, file);
  }
  return file;
}
