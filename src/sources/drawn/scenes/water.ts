/** Open water: the sky's light on it, and ripples that grow towards the viewer. */

import type { Random } from "../../../core/random.ts";
import { between } from "../choices.ts";
import type { Pen } from "../paper.ts";
import { css, mix, type SceneColour, shade } from "./colour.ts";
import { faded, type Light } from "./light.ts";
import { roughen } from "./tiles.ts";

/** Across the whole width, from row `top` to row `bottom`. */
export function drawWater(
  pen: Pen,
  random: Random,
  light: Light,
  { top, bottom, colour, calm = 0 }: { top: number; bottom: number; colour: SceneColour; calm?: number },
): void {
  const gradient = pen.createLinearGradient(0, top, 0, bottom);
  gradient.addColorStop(0, css(mix(faded(colour, 80, light), light.skyLow, 0.35)));
  gradient.addColorStop(0.35, css(mix(colour, light.skyTop, 0.25)));
  gradient.addColorStop(1, css(shade(mix(colour, light.skyTop, 0.12), 0.95)));
  pen.globalAlpha = 1 - calm;
  pen.fillStyle = gradient;
  pen.fillRect(0, top, 1, bottom - top);
  pen.globalAlpha = 1;
  let from = top + 0.006;
  while (from < bottom) {
    const to = Math.min(bottom, from + (from - top) * 0.8 + 0.01);
    const near = (from - top) / Math.max(0.05, 1 - top);
    roughen(pen, random, "mottle", { x: 0, y: from, width: 1, height: to - from }, 0.3 * (1 - calm * 0.7), {
      across: between(random, 0.25, 0.35),
      up: 5 - 3.6 * near,
    });
    from = to;
  }
}
