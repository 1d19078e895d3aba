/** Name plates on a pole, one or two of them, or a sign of another shape that is not a stop sign. */

import type { Random } from "../../../core/random.ts";
import { between, type Colour, css, near, oneOf } from "../choices.ts";
import type { ObjectDrawing } from "../drawing.ts";
import type { Pen } from "../paper.ts";
import { box, type Corner, fillDisc, fillShape, upright } from "../shapes.ts";
import { writeWord } from "./letters.ts";
import { decidePole, drawPole } from "./pole.ts";

interface Sign {
  half: number;
  height: number;
  draw(pen: Pen, middle: number): void;
}

/** Of letters that `writeWord` knows. */
const trees = "ASPEN CEDAR CHERRY ELM MAPLE OAK PALM PINE POPLAR WILLOW";
const places = "CANAL DALE EAST HILL LAKE MAIN MARKET MILL NORTH PARK RIVER SHORE STATE STATION WEST";
const names = `${trees} ${places}`.split(" ");

const white = "hsl(40, 8%, 92%)";

export function streetSign(random: Random): ObjectDrawing {
  const signs = random.boolean(0.65)
    ? namePlates(random)
    : [oneOf(random, [diamond, round, triangle, arrow])(random)];
  const stem = between(random, 0.75, 1.3);
  const heights = signs.reduce((sum, sign) => sum + sign.height, 0);
  const top = stem + heights;
  const half = Math.max(...signs.map((sign) => sign.half));
  const pole = decidePole(random, Math.max(top, 2 * half));
  const knob = random.boolean(0.4) ? pole.width * 0.5 : 0;
  const reach = Math.max(half, pole.width);
  // A sign wider than its pole is high stands straight.
  const lean = 2.2 * reach < top ? between(random, -0.05, 0.05) : 0;
  const draw = (pen: Pen) => {
    drawPole(pen, pole, 0, top + knob);
    let from = stem;
    for (const sign of signs) {
      sign.draw(pen, from + sign.height / 2);
      from += sign.height;
    }
  };
  return upright({ left: -reach, right: reach, bottom: 0, top: top + knob }, draw, { lean });
}

function namePlates(random: Random): Sign[] {
  const colour = near(
    random,
    oneOf(random, [
      [150, 60, 26],
      [150, 60, 26],
      [215, 65, 36],
      [40, 8, 92],
      [28, 45, 28],
    ] as const),
  );
  const ink = colour.lightness > 60 ? "hsl(220, 10%, 14%)" : white;
  return Array.from({ length: 1 + random.integer(2) }, () => plate(random, colour, ink));
}

function plate(random: Random, colour: Colour, ink: string): Sign {
  const half = between(random, 0.55, 0.85);
  const height = between(random, 0.28, 0.38);
  const skew = between(random, -0.12, 0.12);
  const word = oneOf(random, names);
  const rim = random.boolean(0.5);
  return {
    half,
    height: height + Math.abs(skew) * half + 0.03,
    draw: (pen, middle) => {
      pen.save();
      pen.transform(1, skew, 0, 1, 0, middle);
      fillShape(pen, box(-half, -height / 2, 2 * half, height, 0.03), rim ? ink : css(colour, -8));
      fillShape(
        pen,
        box(-half + 0.02, -height / 2 + 0.02, 2 * half - 0.04, height - 0.04, 0.02),
        css(colour),
      );
      writeWord(
        pen,
        word,
        { left: -0.8 * half, bottom: -0.25 * height, width: 1.6 * half, height: 0.5 * height },
        ink,
        0.2,
      );
      pen.restore();
    },
  };
}

function diamond(random: Random): Sign {
  const half = between(random, 0.5, 0.6);
  const colour = near(
    random,
    oneOf(random, [
      [48, 90, 52],
      [48, 90, 52],
      [26, 90, 52],
    ] as const),
  );
  const bend = oneOf(random, [-1, 0, 1]);
  const shape = (size: number): Corner[] => [
    [-size, 0, 0.06],
    [0, size, 0.06],
    [size, 0, 0.06],
    [0, -size, 0.06],
  ];
  return {
    half,
    height: 2 * half,
    draw: (pen, middle) => {
      pen.save();
      pen.translate(0, middle);
      fillShape(pen, shape(half), "hsl(220, 8%, 12%)");
      fillShape(pen, shape(half - 0.04), css(colour));
      drawArrow(pen, bend, 0.5 * half, "hsl(220, 8%, 12%)");
      pen.restore();
    },
  };
}

function round(random: Random): Sign {
  const half = between(random, 0.45, 0.52);
  const kind = oneOf(random, ["limit", "entry", "must"] as const);
  const limit = oneOf(random, ["20", "30", "50"]);
  const red = css(near(random, [357, 76, 42]));
  const blue = css(near(random, [214, 70, 40]));
  const bend = oneOf(random, [-1, 0, 1]);
  return {
    half,
    height: 2 * half,
    draw: (pen, middle) => {
      pen.save();
      pen.translate(0, middle);
      fillDisc(pen, [0, 0], half, kind === "must" ? white : red);
      if (kind === "limit") {
        fillDisc(pen, [0, 0], 0.76 * half, white);
        writeWord(
          pen,
          limit,
          { left: -0.4 * half, bottom: -0.3 * half, width: 0.8 * half, height: 0.6 * half },
          "hsl(220, 8%, 12%)",
          0.2,
        );
      } else if (kind === "entry") {
        fillShape(pen, box(-0.68 * half, -0.18 * half, 1.36 * half, 0.36 * half), white);
      } else {
        fillDisc(pen, [0, 0], 0.94 * half, blue);
        drawArrow(pen, bend, 0.6 * half, white);
      }
      pen.restore();
    },
  };
}

function triangle(random: Random): Sign {
  const half = between(random, 0.5, 0.58);
  const red = css(near(random, [357, 76, 42]));
  const shape = (size: number): Corner[] => [
    [-size, 0.85 * size, 0.1],
    [size, 0.85 * size, 0.1],
    [0, -0.9 * size, 0.1],
  ];
  return {
    half,
    height: 1.75 * half,
    draw: (pen, middle) => {
      pen.save();
      pen.translate(0, middle);
      fillShape(pen, shape(half), red);
      fillShape(pen, shape(0.66 * half), white);
      pen.restore();
    },
  };
}

function arrow(random: Random): Sign {
  const half = between(random, 0.55, 0.75);
  const height = between(random, 0.36, 0.48);
  const dark = random.boolean(0.5);
  const back = css(
    near(
      random,
      oneOf(random, [
        [215, 70, 38],
        [220, 8, 14],
      ] as const),
    ),
  );
  return {
    half,
    height,
    draw: (pen, middle) => {
      pen.save();
      pen.translate(0, middle);
      fillShape(pen, box(-half, -height / 2, 2 * half, height, 0.03), dark ? back : white);
      pen.rotate(-Math.PI / 2);
      drawArrow(pen, 0, 0.75 * half, dark ? white : back);
      pen.restore();
    },
  };
}

/** Straight up, or up and then aside. */
function drawArrow(pen: Pen, bend: number, size: number, ink: string): void {
  pen.beginPath();
  pen.moveTo(bend === 0 ? 0 : -0.4 * bend * size, -size);
  if (bend !== 0) pen.lineTo(-0.4 * bend * size, 0.2 * size);
  pen.lineTo(bend * size * 0.5, bend === 0 ? 0.6 * size : 0.2 * size);
  pen.lineWidth = 0.24 * size;
  pen.strokeStyle = ink;
  pen.stroke();
  const [x, y] = bend === 0 ? [0, 0.4 * size] : [bend * size * 0.3, 0.2 * size];
  const head: Corner[] =
    bend === 0
      ? [
          [-0.4 * size, y],
          [0.4 * size, y],
          [0, y + 0.6 * size],
        ]
      : [
          [x, y - 0.4 * size],
          [x, y + 0.4 * size],
          [x + bend * 0.6 * size, y],
        ];
  fillShape(pen, head, ink);
}
