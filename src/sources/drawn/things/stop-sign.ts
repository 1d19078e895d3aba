/** A red octagon with a white rim and STOP on it, on a pole. */

import type { Random } from "../../../core/random.ts";
import { between, css, near } from "../choices.ts";
import type { ObjectDrawing } from "../drawing.ts";
import type { Pen } from "../paper.ts";
import { box, type Corner, fillShape, strokeLine, upright } from "../shapes.ts";
import { writeWord } from "./letters.ts";
import { decidePole, drawPole } from "./pole.ts";

export function stopSign(random: Random): ObjectDrawing {
  const height = between(random, 1.5, 2.15);
  const pole = decidePole(random, height);
  const radius = 0.5;
  const squeeze = between(random, 0.78, 1);
  const red = near(random, [357, 76, 40]);
  const white = `hsl(40, 8%, ${between(random, 84, 96)}%)`;
  const rim = between(random, 0.03, 0.055);
  const tilt = between(random, -0.05, 0.05);
  const extra = random.boolean(0.2);
  const glare = between(random, 0, 0.3);
  const fading = between(random, 0, 10);
  const sticker = random.boolean(0.25) ? between(random, -0.25, 0.25) : undefined;
  const centre = height - radius;
  const octagon = (size: number): Corner[] =>
    Array.from({ length: 8 }, (_, i) => {
      const angle = ((2 * i + 1) * Math.PI) / 8;
      return [
        (squeeze * size * Math.cos(angle)) / Math.cos(Math.PI / 8),
        (size * Math.sin(angle)) / Math.cos(Math.PI / 8),
      ];
    });
  const half = squeeze * radius;
  const lean = between(random, -0.05, 0.05);
  const draw = (pen: Pen) => {
    drawPole(pen, pole, 0, height - 0.2);
    pen.save();
    pen.translate(0, centre);
    pen.rotate(tilt);
    fillShape(pen, octagon(radius), white);
    fillShape(pen, octagon(radius - rim), css(red, fading));
    writeWord(
      pen,
      "STOP",
      { left: -0.37 * squeeze, bottom: -0.14, width: 0.74 * squeeze, height: 0.28 },
      white,
      0.24,
    );
    strokeLine(
      pen,
      [
        [-0.3 * squeeze, -0.42],
        [0.1 * squeeze, 0.42],
      ],
      0.14,
      `hsla(0, 0%, 100%, ${glare * 0.5})`,
    );
    if (sticker !== undefined) fillShape(pen, box(sticker * squeeze, -0.34, 0.1, 0.08), "hsl(200, 20%, 70%)");
    pen.restore();
    if (extra) {
      fillShape(pen, box(-0.24 * squeeze, centre - 0.72, 0.48 * squeeze, 0.18, 0.02), white);
      fillShape(pen, box(-0.215 * squeeze, centre - 0.7, 0.43 * squeeze, 0.14, 0.02), css(red, fading));
    }
  };
  return upright({ left: -half, right: half, bottom: 0, top: height }, draw, { lean });
}
