/**
 * Watermark augmentation (Li et al. 2023, Appendix B.1): a watermark of random place, size and content, so that
 * training sees watermarks on every class and never the one that is evaluated with.
 */

import type { ImageShape, SourceRecord } from "../../core/dataset.ts";
import type { Random } from "../../core/random.ts";
import { charactersIn, fontSource, type TypefaceName } from "./fonts.ts";
import { type TextMask, textMask } from "./text-mask.ts";
import { checkImage, imageNetW, stamp } from "./watermark.ts";

/** Some hundred frequent characters of each script, from as few font files as hold them. */
const scripts: readonly { typeface: TypefaceName; parts: readonly string[]; letters: RegExp }[] = [
  { typeface: "serif-sc", parts: ["117", "118"], letters: /\p{Script=Han}/u },
  { typeface: "serif-jp", parts: ["119"], letters: /[\p{Script=Hiragana}\p{Script=Katakana}]/u },
  { typeface: "serif-kr", parts: ["117", "118"], letters: /[\uac00-\ud7a3]/u },
];

/** Pixels at 224, around the 36 of ImageNet-W; in proportion for other images. */
const sizes = [32, 36, 40, 44, 48, 52];
const sizesAt = 224;

const mostCharacters = 8;

/** The part of an East Asian character's square that lies above the baseline. */
const aboveBaseline = 0.88;

/** The fonts that random watermarks are drawn with, for a dataset's provenance. */
export function randomSources(): SourceRecord[] {
  return scripts.map(({ typeface }, script) => fontSource(typeface, charactersOf(script).join("")));
}

/** Changes bytes in place. The watermark lies within the image unless it is too long, and then ends at its border. */
export function addRandomWatermark(
  data: Uint8Array,
  shape: ImageShape,
  random: Random,
  alpha: number = imageNetW.alpha,
): void {
  checkImage(shape);
  const { height, width } = shape;
  const script = random.integer(scripts.length);
  const size = Math.round((pick(sizes, random) * Math.min(height, width)) / sizesAt);
  const { typeface } = scripts[script]!;
  const letters = Array.from({ length: 1 + random.integer(mostCharacters) }, () =>
    textMask(pick(charactersOf(script), random), typeface, size),
  );
  const length = letters.reduce((sum, { advance }) => sum + advance, 0);
  const left = random.integer(Math.max(0, Math.floor(width - length)) + 1);
  const top = random.integer(height - size + 1) + Math.round(aboveBaseline * size);
  stampLine(data, shape, letters, left, top, alpha);
}

function stampLine(
  data: Uint8Array,
  shape: ImageShape,
  letters: readonly TextMask[],
  left: number,
  baseline: number,
  alpha: number,
): void {
  let x = left;
  for (const letter of letters) {
    stamp(data, shape, letter, Math.round(x) + letter.left, baseline - letter.ascent + letter.top, alpha);
    x += letter.advance;
  }
}

const charactersKnown = new Map<number, readonly string[]>();

function charactersOf(script: number): readonly string[] {
  let characters = charactersKnown.get(script);
  if (characters === undefined) {
    const { typeface, parts, letters } = scripts[script]!;
    characters = parts.flatMap((part) => charactersIn(typeface, part, letters));
    charactersKnown.set(script, characters);
  }
  return characters;
}

function pick<Value>(values: readonly Value[], random: Random): Value {
  return values[random.integer(values.length)]!;
}
