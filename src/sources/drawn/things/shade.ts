/** Light on round and flat metal. */

import { type Colour, css } from "../choices.ts";
import type { Pen } from "../paper.ts";
import type { Ink } from "../shapes.ts";

/** An upright cylinder, lit from the front left. */
export function roundedShade(pen: Pen, colour: Colour, left: number, right: number): Ink {
  const gradient = pen.createLinearGradient(left, 0, right, 0);
  gradient.addColorStop(0, css(colour, -10));
  gradient.addColorStop(0.3, css(colour, 13));
  gradient.addColorStop(0.6, css(colour, -2));
  gradient.addColorStop(1, css(colour, -20));
  return gradient;
}
