import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { builtInTexture, type TextureImage, textureKinds } from "./index.ts";

describe.each(textureKinds)("%s", (kind) => {
  const variants = Array.from({ length: 4 }, (_, variant) => builtInTexture(kind, variant));

  test("every grey is about as frequent as any other", () => {
    for (const { grey, width, height } of variants) {
      expect([width, height, grey.length]).toEqual([256, 256, 65536]);
      const mean = grey.reduce((sum, value) => sum + value, 0) / grey.length;
      // Half a step of rounding.
      expect(Math.abs(mean - 127.5)).toBeLessThan(0.5);
      const sorted = grey.slice().sort();
      // Pits in bricks share one grey, and one pixel in a hundred is one.
      for (let share = 1; share < 64; share++) {
        expect(Math.abs(sorted[share * 1024]! - 4 * share)).toBeLessThanOrEqual(kind === "bricks" ? 4 : 1);
      }
    }
  });

  test("variants are independent images", () => {
    // Two chequers of nearly one size agree or disagree by chance over large parts.
    const limit = kind === "tiles" ? 0.75 : 0.25;
    for (let i = 1; i < variants.length; i++) {
      for (let j = 0; j < i; j++) {
        expect(Math.abs(correlation(variants[i]!, variants[j]!))).toBeLessThan(limit);
      }
    }
  });
});

/** What makes each kind what it is. In brackets what the paper's own picture of the kind gives, where it is a number. */
describe("the look of", () => {
  const everyVariant = (
    kind: (typeof textureKinds)[number],
    check: (image: TextureImage, agreement: Agreement) => void,
  ) => {
    for (let variant = 0; variant < 4; variant++) {
      const image = builtInTexture(kind, variant);
      check(image, agreementOf(image));
    }
  };

  test("tiles: a chequer of 38 to 48 pixels a side, both ways alike", () => {
    everyVariant("tiles", (_, agreement) => {
      const sides = range(34, 52);
      // One tile on, light has become dark [-0.78, -0.78]; one tile on and down, it is light again [0.77].
      expect(Math.min(...sides.map((d) => agreement(d, 0)))).toBeLessThan(-0.6);
      expect(Math.min(...sides.map((d) => agreement(0, d)))).toBeLessThan(-0.6);
      expect(Math.max(...sides.map((d) => agreement(d, d)))).toBeGreaterThan(0.6);
    });
  });

  test("wood: long along x, fine along y", () => {
    everyVariant("wood", (_, agreement) => {
      expect(agreement(6, 0)).toBeGreaterThan(0.3); // [0.63]
      expect(Math.abs(agreement(0, 6))).toBeLessThan(0.2); // [0.01]
      expect(agreement(0, 1)).toBeLessThan(0.4); // [0.33]
    });
  });

  test("carpet: a fine weave that repeats every 16 × 11 pixels or so", () => {
    everyVariant("carpet", (image, agreement) => {
      expect(Math.max(...range(14, 18).map((d) => agreement(d, 0)))).toBeGreaterThan(0.5); // [0.84]
      expect(Math.max(...range(10, 13).map((d) => agreement(0, d)))).toBeGreaterThan(0.5); // [0.85]
      expect(coarseShare(image)).toBeLessThan(0.12); // [0.08]
    });
  });

  test("bricks: edges along the joints of courses 29 to 36 pixels high, and no long chequer", () => {
    everyVariant("bricks", (image, agreement) => {
      const { period, strength } = coursePeriod(image); // [32, 0.68]
      expect(period).toBeGreaterThanOrEqual(29);
      expect(period).toBeLessThanOrEqual(36);
      expect(strength).toBeGreaterThan(0.45);
      expect(Math.min(...range(34, 52).map((d) => agreement(d, 0)))).toBeGreaterThan(0); // [0.24]
      expect(coarseShare(image)).toBeLessThan(0.45); // [0.33]
    });
  });

  test("lava: soft, coarse, alike both ways, without period", () => {
    everyVariant("lava", (image, agreement) => {
      expect(agreement(1, 0)).toBeGreaterThan(0.9); // [0.97]
      expect(agreement(0, 1)).toBeGreaterThan(0.9); // [0.94]
      expect(coarseShare(image)).toBeGreaterThan(0.6); // [0.71]
      for (const d of range(34, 52)) {
        expect(Math.abs(agreement(d, 0))).toBeLessThan(0.35); // [0.15 at most]
        expect(Math.abs(agreement(0, d))).toBeLessThan(0.35); // [0.11 at most]
      }
    });
  });
});

test("the same bytes on every machine", () => {
  const digests = textureKinds.flatMap((kind) =>
    [0, 1, 1000].map((variant) => {
      const { name, grey } = builtInTexture(kind, variant);
      return [name, createHash("sha256").update(grey).digest("hex").slice(0, 16)];
    }),
  );
  expect(Object.fromEntries(digests)).toMatchInlineSnapshot(`
    {
      "bricks 0": "91ebf336c11838f1",
      "bricks 1": "a0f4e7339e942e86",
      "bricks 1000": "4eb989b8fcdd6e2e",
      "carpet 0": "709620b333382e4d",
      "carpet 1": "2e3268d1c9714df4",
      "carpet 1000": "700327a467e52192",
      "lava 0": "eb9b806a421b4fb8",
      "lava 1": "0c9966bf8108e9db",
      "lava 1000": "20a59f9698b1c62f",
      "tiles 0": "913919c714d4ca4c",
      "tiles 1": "88e8b5d9667fcf14",
      "tiles 1000": "ff92cd144d4e0eb6",
      "wood 0": "0e9e2a0b1d42be12",
      "wood 1": "1032b7364a4d60a2",
      "wood 1000": "ed559730ab051ec4",
    }
  `);
});

test.each([-1, 0.5, Number.NaN])("variant %s is refused", (variant) => {
  expect(() => builtInTexture("wood", variant)).toThrow(/no such variant[\s\S]*an integer of 0 or more/);
});

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
}

function centred({ grey }: TextureImage): Float64Array {
  const mean = grey.reduce((sum, value) => sum + value, 0) / grey.length;
  return Float64Array.from(grey, (value) => value - mean);
}

function meanProduct(a: Float64Array, b: Float64Array): number {
  return a.reduce((sum, value, i) => sum + value * b[i]!, 0) / a.length;
}

function correlation(first: TextureImage, second: TextureImage): number {
  const [a, b] = [centred(first), centred(second)];
  return meanProduct(a, b) / Math.sqrt(meanProduct(a, a) * meanProduct(b, b));
}

/** Autocorrelation between pixels that lie so far apart. */
type Agreement = (right: number, below: number) => number;

function agreementOf(image: TextureImage): Agreement {
  const { width, height } = image;
  const values = centred(image);
  const variance = meanProduct(values, values);
  return (right, below) => {
    let sum = 0;
    for (let y = 0; y < height - below; y++) {
      for (let x = 0; x < width - right; x++) {
        sum += values[y * width + x]! * values[(y + below) * width + x + right]!;
      }
    }
    return sum / ((width - right) * (height - below)) / variance;
  };
}

/** Share of the variance that is left in means of 8 × 8 pixels. */
function coarseShare(image: TextureImage): number {
  const values = centred(image);
  const means = new Float64Array((image.width / 8) * (image.height / 8));
  values.forEach((value, i) => {
    const x = i % image.width;
    const y = (i - x) / image.width;
    means[Math.floor(y / 8) * (image.width / 8) + Math.floor(x / 8)]! += value / 64;
  });
  return meanProduct(means, means) / meanProduct(values, values);
}

/** The lag at which rows with strong steps to the next row repeat best. */
function coursePeriod({ grey, width, height }: TextureImage): { period: number; strength: number } {
  const steps = new Float64Array(height - 1);
  for (let i = 0; i < grey.length - width; i++) {
    steps[Math.floor(i / width)]! += Math.abs(grey[i + width]! - grey[i]!);
  }
  const mean = steps.reduce((sum, value) => sum + value, 0) / steps.length;
  const profile = steps.map((value) => value - mean);
  const strengths = range(20, 45).map((lag) => ({
    period: lag,
    strength:
      meanProduct(profile.subarray(0, profile.length - lag), profile.subarray(lag)) /
      meanProduct(profile, profile),
  }));
  return strengths.reduce((best, next) => (next.strength > best.strength ? next : best));
}
