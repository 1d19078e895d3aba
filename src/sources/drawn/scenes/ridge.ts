/** Silhouettes against the sky: hills, mountains, dunes, mesas. */

import type { Random } from "../../../core/random.ts";
import { between } from "../choices.ts";
import type { Pen } from "../paper.ts";
import { css, type SceneColour, shade } from "./colour.ts";
import { roughen, type TileName } from "./tiles.ts";

export interface Ridge {
  base: number;
  height: number;
  /** From 0, rounded like dunes, to 1, jagged like rock. */
  rough: number;
  colour: SceneColour;
  tile: TileName;
  speckle: number;
}

/** Draws a ridge across the whole picture and returns its upper edge, from left to right. */
export function drawRidge(pen: Pen, random: Random, ridge: Ridge): (readonly [number, number])[] {
  const { base, height, rough, colour, tile, speckle } = ridge;
  const points = edgeOf(random, ridge);
  const highest = Math.min(...points.map(([, y]) => y));
  pen.save();
  pen.beginPath();
  pen.moveTo(-0.05, base);
  points.forEach(([x, y], index) => {
    const [lastX, lastY] = points[index - 1] ?? [-0.05, y];
    if (rough > 0.5) pen.lineTo(x, y);
    else pen.quadraticCurveTo(lastX, lastY, (lastX + x) / 2, (lastY + y) / 2);
  });
  pen.lineTo(1.05, base);
  pen.closePath();
  const gradient = pen.createLinearGradient(0, highest, 0, base);
  gradient.addColorStop(0, css(shade(colour, 0.92)));
  gradient.addColorStop(1, css(shade(colour, 1.12)));
  pen.fillStyle = gradient;
  pen.fill();
  pen.clip();
  roughen(pen, random, tile, { x: 0, y: highest, width: 1, height: base - highest + 0.001 }, speckle, {
    across: 1,
    up: 1.5,
  });
  pen.restore();
  return height > 0 ? points : [];
}

/** Waves of falling length added up, each lower than the one before. */
function edgeOf(random: Random, { base, height, rough }: Ridge): (readonly [number, number])[] {
  const waves = [1, 2.3, 5.1, 11, 23].map((frequency, index) => ({
    frequency: frequency * between(random, 0.8, 1.2),
    phase: random.uniform(),
    weight: (0.35 + 0.4 * rough) ** index,
  }));
  const total = waves.reduce((sum, { weight }) => sum + weight, 0);
  return Array.from({ length: 33 }, (_, index) => {
    const x = -0.05 + (1.1 * index) / 32;
    const swing = waves.reduce((sum, { frequency, phase, weight }) => {
      const place = (x * frequency + phase) % 1;
      return (
        sum + weight * (rough > 0.5 ? 1 - Math.abs(2 * place - 1) : 0.5 + 0.5 * Math.sin(2 * Math.PI * place))
      );
    }, 0);
    return [x, base - height * (0.15 + (0.95 * swing) / total)] as const;
  });
}
