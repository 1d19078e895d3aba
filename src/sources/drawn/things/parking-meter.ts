/** A parking meter: a domed head, or two, on a post, with a window, a slot and a rating plate. */

import type { Random } from "../../../core/random.ts";
import { between, type Colour, css, near, oneOf } from "../choices.ts";
import type { ObjectDrawing } from "../drawing.ts";
import type { Pen } from "../paper.ts";
import { box, type Corner, fillDisc, fillShape, type Point, strokeLine, upright } from "../shapes.ts";
import { decidePole, drawPole } from "./pole.ts";
import { roundedShade } from "./shade.ts";

interface Head {
  colour: Colour;
  half: number;
  height: number;
  dome: number;
  needle: number;
  digital: boolean;
  panel: Colour;
  slotLeft: boolean;
}

export function parkingMeter(random: Random): ObjectDrawing {
  const two = random.boolean(0.3);
  const stem = between(random, 0.5, 1.0);
  const head: Head = {
    colour: near(
      random,
      oneOf(random, [
        [215, 5, 55],
        [215, 6, 32],
        [212, 40, 34],
        [150, 26, 30],
        [2, 50, 36],
        [220, 6, 18],
      ] as const),
    ),
    half: between(random, 0.25, 0.33),
    height: between(random, 0.7, 0.88),
    dome: between(random, 0.5, 1),
    needle: between(random, -0.9, 0.9),
    digital: random.boolean(0.4),
    panel: near(
      random,
      oneOf(random, [
        [46, 85, 55],
        [40, 6, 86],
        [212, 60, 45],
        [2, 65, 45],
      ] as const),
    ),
    slotLeft: random.boolean(0.5),
  };
  const apart = two ? head.half + between(random, 0.02, 0.06) : 0;
  const top = stem + head.height;
  const pole = decidePole(random, top);
  const half = apart + head.half;
  const mirrored = random.boolean(0.5);
  const lean = between(random, -0.05, 0.05);
  const draw = (pen: Pen) => {
    drawPole(pen, pole, 0, stem + 0.1);
    if (two) {
      fillShape(pen, box(-apart - 0.08, stem - 0.08, 2 * apart + 0.16, 0.14, 0.05), css(pole.colour, -6));
    } else {
      fillShape(
        pen,
        [
          [-0.09, stem - 0.12],
          [-0.14, stem + 0.06],
          [0.14, stem + 0.06],
          [0.09, stem - 0.12],
        ],
        css(head.colour, -10),
      );
    }
    for (const x of two ? [-apart, apart] : [0]) drawHead(pen, head, [x, stem]);
  };
  return upright({ left: -half, right: half, bottom: 0, top }, draw, { mirrored, lean });
}

function drawHead(pen: Pen, head: Head, [x, y]: Point): void {
  const { half, height, colour } = head;
  const shoulder = y + 0.58 * height;
  const shell: Corner[] = [
    [x - 0.72 * half, y, 0.05],
    [x - half, y + 0.3 * height, 0.2],
    [x - half, shoulder, 0.1],
    [x - half, y + height, head.dome * 0.5],
    [x + half, y + height, head.dome * 0.5],
    [x + half, shoulder, 0.1],
    [x + half, y + 0.3 * height, 0.2],
    [x + 0.72 * half, y, 0.05],
  ];
  fillShape(pen, shell, roundedShade(pen, colour, x - half, x + half));
  const glass: Corner[] = [
    [x - 0.74 * half, shoulder - 0.02, 0.02],
    [x - 0.74 * half, y + 0.92 * height, 0.16],
    [x + 0.74 * half, y + 0.92 * height, 0.16],
    [x + 0.74 * half, shoulder - 0.02, 0.02],
  ];
  fillShape(pen, glass, head.digital ? "hsl(90, 10%, 62%)" : "hsl(45, 14%, 88%)");
  if (head.digital) {
    for (let i = 0; i < 3; i++)
      fillShape(
        pen,
        box(x - 0.5 * half + i * 0.36 * half, shoulder + 0.07, 0.22 * half, 0.1),
        "hsl(110, 12%, 20%)",
      );
  } else {
    pen.beginPath();
    pen.arc(x, shoulder, 0.6 * half, 0.25, Math.PI - 0.25);
    pen.lineWidth = 0.03;
    pen.strokeStyle = "hsl(220, 6%, 25%)";
    pen.stroke();
    strokeLine(
      pen,
      [
        [x, shoulder],
        [x + 0.55 * half * Math.sin(head.needle), shoulder + 0.55 * half * Math.cos(head.needle)],
      ],
      0.035,
      "hsl(2, 75%, 42%)",
    );
  }
  strokeLine(
    pen,
    [
      [x - 0.5 * half, shoulder + 0.02],
      [x, y + 0.9 * height],
    ],
    0.04,
    "hsla(0, 0%, 100%, 0.45)",
  );
  fillShape(pen, box(x - 0.62 * half, y + 0.3 * height, 1.24 * half, 0.16 * height, 0.02), css(head.panel));
  const slot = x + (head.slotLeft ? -0.35 : 0.35) * half;
  fillShape(pen, box(slot - 0.06, y + 0.14 * height, 0.12, 0.09 * height), "hsl(220, 6%, 10%)");
  fillDisc(pen, [2 * x - slot, y + 0.18 * height], 0.035, css(colour, 26));
}
