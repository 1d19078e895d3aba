/** What signs, meters and lights stand on. */

import type { Random } from "../../../core/random.ts";
import { between, type Colour, near, oneOf } from "../choices.ts";
import type { Pen } from "../paper.ts";
import { box, fillShape } from "../shapes.ts";
import { roundedShade } from "./shade.ts";

export interface Pole {
  colour: Colour;
  width: number;
  foot: number;
}

/** Wide enough to be seen when the whole is sixteen pixels high; widths are shares of that height. */
export function decidePole(random: Random, height: number): Pole {
  return {
    colour: near(
      random,
      oneOf(random, [
        [215, 4, 58],
        [215, 4, 42],
        [140, 22, 26],
        [28, 26, 34],
        [220, 6, 18],
      ] as const),
    ),
    width: height * between(random, 0.072, 0.095),
    foot: random.boolean(0.3) ? height * between(random, 0.02, 0.05) : 0,
  };
}

export function drawPole(pen: Pen, { colour, width, foot }: Pole, bottom: number, top: number): void {
  fillShape(
    pen,
    box(-width / 2, bottom, width, top - bottom),
    roundedShade(pen, colour, -width / 2, width / 2),
  );
  if (foot > 0)
    fillShape(pen, box(-width, bottom, 2 * width, foot, foot / 4), roundedShade(pen, colour, -width, width));
}
