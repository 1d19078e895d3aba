/**
 * Noise from which textures are made. Only +, −, ×, ÷ and square roots of doubles, which IEEE 754 rounds in one way,
 * and 32-bit integers: equal bytes on every machine and every version of Node, which a sine would not promise.
 */

import type { Random } from "../../core/random.ts";

/** Width and height of every built-in texture. */
export const textureSize = 256;

/** A function of the plane. */
export type NoiseField = (x: number, y: number) => number;

/** The field's values at the pixels of a texture, rows first. */
export function sampleField(field: NoiseField): Float64Array {
  const values = new Float64Array(textureSize * textureSize);
  let at = 0;
  for (let y = 0; y < textureSize; y++) {
    for (let x = 0; x < textureSize; x++) values[at++] = field(x, y);
  }
  return values;
}

/** Smooth noise with features of about one unit, between -1 and 1 and mostly within ±0.5 (Perlin 2002). */
export function smoothNoise(random: Random): NoiseField {
  const order = Uint8Array.from(random.permutation(256));
  const gradientX = new Float64Array(256);
  const gradientY = new Float64Array(256);
  for (let i = 0; i < 256; i++) {
    const [x, y] = direction(random);
    gradientX[i] = x;
    gradientY[i] = y;
  }
  return (x, y) => {
    const column = Math.floor(x);
    const row = Math.floor(y);
    const right = x - column;
    const below = y - row;
    const shareX = fade(right);
    const first = order[column & 255]! + row;
    const second = order[(column + 1) & 255]! + row;
    const a = order[first & 255]!;
    const b = order[second & 255]!;
    const c = order[(first + 1) & 255]!;
    const d = order[(second + 1) & 255]!;
    const top = between(
      gradientX[a]! * right + gradientY[a]! * below,
      gradientX[b]! * (right - 1) + gradientY[b]! * below,
      shareX,
    );
    const bottom = between(
      gradientX[c]! * right + gradientY[c]! * (below - 1),
      gradientX[d]! * (right - 1) + gradientY[d]! * (below - 1),
      shareX,
    );
    return between(top, bottom, fade(below));
  };
}

/** Octaves of smooth noise, each twice as fine as the last and `gain` times as strong. */
export function fractalNoise(random: Random, octaves: number, gain = 0.5): NoiseField {
  const layers = Array.from({ length: octaves }, () => smoothNoise(random));
  return (x, y) => {
    let sum = 0;
    let scale = 1;
    let strength = 1;
    for (const layer of layers) {
      sum += strength * layer(x * scale, y * scale);
      scale *= 2;
      strength *= gain;
    }
    return sum;
  };
}

/** An independent number in [0, 1) for each pair of integers. */
export function grain(random: Random): NoiseField {
  const key = random.uint32();
  return (x, y) => {
    // Multiply and shift as in MurmurHash3's last steps: each input bit reaches each output bit.
    let word = Math.imul(x, 0x9e3779b1) ^ Math.imul(y, 0x85ebca77) ^ key;
    word = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
    word = Math.imul(word ^ (word >>> 13), 0xc2b2ae35);
    return ((word ^ (word >>> 16)) >>> 0) * 2 ** -32;
  };
}

/** A uniform number of [low, high). */
export function within(random: Random, low: number, high: number): number {
  return low + (high - low) * random.uniform();
}

export function between(a: number, b: number, share: number): number {
  return a + share * (b - a);
}

/** 0 below `low`, 1 above `high`, and a smooth way between them. */
export function smoothStep(low: number, high: number, value: number): number {
  const share = Math.min(1, Math.max(0, (value - low) / (high - low)));
  return share * share * (3 - 2 * share);
}

function fade(t: number): number {
  return t * t * t * (t * (t * 6 - 15) + 10);
}

/** A unit vector, from a point in the disc: no angle, so no sine. */
function direction(random: Random): [number, number] {
  for (;;) {
    const x = 2 * random.uniform() - 1;
    const y = 2 * random.uniform() - 1;
    const square = x * x + y * y;
    if (square > 0.01 && square <= 1) return [x / Math.sqrt(square), y / Math.sqrt(square)];
  }
}
