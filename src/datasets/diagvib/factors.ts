/** The factors of variation, their classes and the region of values that each class stands for (Table A1). */

type Range = readonly [low: number, high: number];

/** Where the object's centre lies, as shares of the canvas: rows, then columns. */
const positions = Object.fromEntries(
  (["top", "center", "bottom"] as const).flatMap((vertical, row) =>
    (["left", "center", "right"] as const).map((horizontal, column) => [
      `${vertical}-${horizontal}`,
      { row: seventh(2 * row + 1), column: seventh(2 * column + 1) },
    ]),
  ),
);

/** Degrees; red's region crosses zero. */
const hues = Object.fromEntries(
  ["red", "yellow", "green", "cyan", "blue", "magenta"].map((name, i): [string, Range] => [
    name,
    [60 * i - 15, 60 * i + 15],
  ]),
);

/** Lightness of the darker and of the brighter of the two colours. */
const lightnesses: Record<string, { darker: Range; brighter: Range }> = {
  dark: { darker: eleventh(0), brighter: eleventh(4) },
  darker: { darker: eleventh(2), brighter: eleventh(6) },
  brighter: { darker: eleventh(4), brighter: eleventh(8) },
  bright: { darker: eleventh(6), brighter: eleventh(10) },
};

const scales: Record<string, Range> = {
  small: [1 / 1.45, 1 / 1.35],
  smaller: [1 / 1.25, 1 / 1.15],
  normal: [1 / 1.05, 1.05],
  larger: [1.15, 1.25],
  large: [1.35, 1.45],
};

export const regions = { position: positions, hue: hues, lightness: lightnesses, scale: scales };

/** The paper's six, in its order. */
export const paperFactors = ["position", "hue", "lightness", "scale", "shape", "texture"] as const;

/** Further factors, which its authors wish for; they keep their first class unless a study varies them. */
export const furtherFactors = ["background", "corruption"] as const;

export const factorNames = [...paperFactors, ...furtherFactors] as const;

export type FactorName = (typeof factorNames)[number];

/** For data cards. */
export const factorMeanings: Record<FactorName, string> = {
  position: "where the object's centre lies",
  hue: "hue of the object's two colours",
  lightness: "lightness of the object's two colours",
  scale: "size of the object",
  shape: "the digit",
  texture: "how the two colours are mixed",
  background: "what lies behind the object",
  corruption: "damage to the finished image",
};

export const backgroundKinds = ["grey", "color", "gradient", "texture"] as const;
export const corruptionKinds = ["none", "noise", "blur", "jpeg", "occlusion"] as const;

/** Class names of each factor. Texture's are those of the textures in use. */
export function factorClasses(textureNames: readonly string[]): Record<FactorName, readonly string[]> {
  return {
    position: Object.keys(positions),
    hue: Object.keys(hues),
    lightness: Object.keys(lightnesses),
    scale: Object.keys(scales),
    shape: Array.from({ length: 10 }, (_, digit) => String(digit)),
    texture: textureNames,
    background: backgroundKinds,
    corruption: corruptionKinds,
  };
}

function seventh(n: number): Range {
  return [n / 7, (n + 1) / 7];
}

function eleventh(n: number): Range {
  return [n / 11, (n + 1) / 11];
}
