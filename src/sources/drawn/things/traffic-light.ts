/** A traffic light: a housing with three lamps, one of them lit, on a pole or under a bracket. */

import type { Random } from "../../../core/random.ts";
import { between, css, near, oneOf } from "../choices.ts";
import type { ObjectDrawing } from "../drawing.ts";
import type { Pen } from "../paper.ts";
import { box, fillDisc, fillShape, upright } from "../shapes.ts";
import { decidePole, drawPole } from "./pole.ts";

const lamps = [
  [2, 90, 52],
  [40, 96, 54],
  [145, 80, 45],
] as const;

export function trafficLight(random: Random): ObjectDrawing {
  const housing = near(
    random,
    oneOf(random, [
      [46, 82, 46],
      [220, 8, 14],
      [220, 8, 14],
      [140, 30, 18],
      [215, 4, 34],
    ] as const),
  );
  const half = between(random, 0.22, 0.27);
  const cell = between(random, 0.42, 0.48);
  const radius = between(random, 0.14, 0.17);
  const lit = random.integer(3);
  const plate = random.boolean(0.35) ? between(random, 0.06, 0.12) : 0;
  const border = random.boolean(0.5) ? "hsl(46, 80%, 55%)" : "hsl(40, 6%, 85%)";
  const hanging = random.boolean(0.25);
  const stem = hanging ? between(random, 0.15, 0.25) : between(random, 0.25, 0.9);
  const visor = oneOf(random, ["hood", "hood", "ring", "none"] as const);
  const round = oneOf(random, [0.03, 0.08, 0.2]);
  const height = 3 * cell;
  const bottom = hanging ? plate : stem;
  const top = bottom + height + plate + (hanging ? stem : 0);
  const pole = decidePole(random, top);
  const colours = lamps.map((lamp) => near(random, lamp, 0.6));
  const glow = between(random, 0.3, 0.7);
  const full = half + plate;
  const mirrored = random.boolean(0.5);
  const lean = between(random, -0.04, 0.04);
  const draw = (pen: Pen) => {
    if (hanging) drawPole(pen, { ...pole, foot: 0 }, bottom + height, top);
    else drawPole(pen, pole, 0, bottom + 0.1);
    if (plate > 0) {
      fillShape(pen, box(-full, bottom - plate, 2 * full, height + 2 * plate, 0.05), border);
      fillShape(
        pen,
        box(-full + 0.025, bottom - plate + 0.025, 2 * full - 0.05, height + 2 * plate - 0.05, 0.04),
        "hsl(220, 8%, 9%)",
      );
    }
    fillShape(pen, box(-half, bottom, 2 * half, height, round), css(housing, -8));
    fillShape(pen, box(-half + 0.02, bottom + 0.02, 2 * half - 0.05, height - 0.04, round), css(housing, 3));
    colours.forEach((colour, i) => {
      const y = bottom + height - (i + 0.5) * cell;
      fillDisc(pen, [0, y], radius * 1.2, "hsl(220, 8%, 6%)");
      fillDisc(
        pen,
        [0, y],
        radius,
        i === lit ? css(colour) : css({ ...colour, saturation: 0.5 * colour.saturation }, -36),
      );
      if (i === lit) fillDisc(pen, [0, y], radius * 0.55, css(colour, 24, glow));
      if (visor === "none") return;
      pen.beginPath();
      if (visor === "ring") pen.arc(0, y, radius * 1.12, 0, 2 * Math.PI);
      else pen.arc(0, y, radius * 1.15, 0.1, Math.PI - 0.1);
      pen.lineWidth = 0.06;
      pen.strokeStyle = css(housing, -12);
      pen.stroke();
    });
  };
  return upright({ left: -full, right: full, bottom: 0, top }, draw, { mirrored, lean });
}
