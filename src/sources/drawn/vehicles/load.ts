/** What lies on open beds. */

import type { Random } from "../../../core/random.ts";
import { between, css, oneOf } from "../choices.ts";
import { box, fillDisc, fillShape } from "../shapes.ts";
import type { Sketch } from "./look.ts";
import { decidePaint } from "./paint.ts";

/**
 * Sacks, crates, barrels or nothing on a bed of that length whose floor is hidden below its rail, in the colours that
 * vehicles have.
 */
export function decideLoad(random: Random, bed: number, rail: number): (sketch: Sketch) => void {
  const kind = oneOf(random, ["nothing", "nothing", "sacks", "crates", "barrels"] as const);
  const items = Array.from({ length: 2 + random.integer(2) }, (_, i) => ({
    x: 0.25 + i * 0.5,
    width: kind === "barrels" ? 0.34 : between(random, 0.36, 0.48),
    height: between(random, 0.12, 0.36),
    colour: decidePaint(random).main,
  })).filter(({ x, width }) => kind !== "nothing" && x + width < bed - 0.1);
  const round = kind === "sacks" ? 0.08 : 0;
  return ({ pen, far }) => {
    for (const { x, width, height, colour } of items) {
      const left = x + far[0] / 2;
      const bottom = rail - 0.2 + far[1] / 2;
      fillShape(pen, box(left, bottom, width, rail + height - bottom, round), css(colour));
      if (kind === "barrels")
        fillDisc(pen, [left + width / 2, rail + height], width / 2, css(colour, 14), 0.04);
    }
  };
}
