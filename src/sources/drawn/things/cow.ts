/** A cow: a long heavy body on short legs, often patched, with an udder and sometimes horns. */

import type { Random } from "../../../core/random.ts";
import { between, type Colour, css, near, oneOf } from "../choices.ts";
import type { ObjectDrawing } from "../drawing.ts";
import type { Pen } from "../paper.ts";
import {
  type Corner,
  fade,
  fillDisc,
  fillShape,
  type Ink,
  type Point,
  strokeLine,
  upright,
} from "../shapes.ts";
import { addChain, extentOf, type FleshJoint, fillChains } from "./flesh.ts";

const coats = [
  [24, 45, 34],
  [28, 40, 48],
  [20, 30, 16],
  [36, 40, 70],
  [220, 5, 14],
] as const;

const patches = [
  [220, 6, 12],
  [220, 6, 12],
  [20, 45, 28],
] as const;

export function cow(random: Random): ObjectDrawing {
  const patched = random.boolean(0.6);
  const coat = near(random, patched ? [40, 10, 88] : oneOf(random, coats));
  const patch = near(random, oneOf(random, patches));
  const length = between(random, 1.5, 1.72);
  const back = between(random, 1.3, 1.42);
  const belly = between(random, 0.37, 0.42);
  const middle = back - belly;
  const body: FleshJoint[] = [
    [0.3, middle + 0.06, belly - 0.06],
    [0.3 + length * 0.4, middle, belly],
    [length, middle + 0.06, belly - 0.08],
  ];
  const head = decideHead(random, length, middle, back);
  const legWidth = between(random, 0.085, 0.098);
  const leg = (x: number, thigh: number): FleshJoint[] => {
    const step = between(random, -0.1, 0.1);
    return [
      [x, middle - 0.1, thigh],
      [x + step * 0.3, 0.42, legWidth + 0.015],
      [x + step, legWidth * 0.9, legWidth * 0.9],
    ];
  };
  const farLegs = [leg(0.5, 0.16), leg(length - 0.16, 0.14)];
  const nearLegs = [leg(0.2, 0.2), leg(length + 0.06, 0.16)];
  const tail: FleshJoint[] = [
    [0.03, back - 0.2, 0.055],
    [-0.06, middle - 0.08, 0.05],
    [-0.06 + between(random, -0.03, 0.04), 0.62, 0.05],
    [-0.05, 0.5, 0.075],
  ];
  const udder = random.boolean(0.65);
  const spots = Array.from({ length: 4 + random.integer(4) }, () => ({
    x: between(random, 0, length + 0.1),
    y: middle + between(random, -0.3, 0.35),
    width: between(random, 0.12, 0.34),
    height: between(random, 0.1, 0.26),
    turn: between(random, 0, 3),
  }));
  const face = patched && random.boolean(0.6) ? patch : coat;
  const mirrored = random.boolean(0.5);
  const nearSide = [body, head.neck, ...nearLegs];
  const extent = extentOf([...farLegs, tail, head.chain, ...nearSide]);
  const draw = (pen: Pen, pixel: number) => {
    const shaded = (colour: Colour) =>
      fade(pen, 0.2, back, [
        [0, css(colour, -16)],
        [0.5, css(colour, -5)],
        [1, css(colour, 6)],
      ]);
    fillChains(pen, farLegs, css(coat, -24), pixel);
    fillChains(pen, [tail], css(patched ? patch : coat, -8), pixel);
    if (udder) fillDisc(pen, [0.56, back - 2 * belly + 0.05], 0.17, pink, 0.13);
    fillChains(pen, nearSide, shaded(coat), pixel);
    if (patched) {
      pen.save();
      pen.beginPath();
      for (const chain of nearSide) addChain(pen, chain);
      pen.clip();
      pen.beginPath();
      for (const { x, y, width, height, turn } of spots) {
        pen.moveTo(x + width * Math.cos(turn), y + width * Math.sin(turn));
        pen.ellipse(x, y, width, height, turn, 0, 2 * Math.PI);
      }
      pen.fillStyle = shaded(patch);
      pen.fill();
      pen.restore();
    }
    for (const chain of nearLegs) {
      const [x, y, radius] = chain[2]!;
      const hoof: Corner[] = [
        [x - radius, 0],
        [x - radius, y],
        [x + radius, y],
        [x + radius, 0],
      ];
      fillShape(pen, hoof, css({ hue: 25, saturation: 15, lightness: 18 }));
    }
    head.draw(pen, face, shaded(face), pixel);
  };
  return upright(extent, draw, { mirrored });
}

const pink = css({ hue: 8, saturation: 40, lightness: 70 });

/** Level with the back, or down in the grass. */
function decideHead(random: Random, length: number, middle: number, back: number) {
  const grazing = random.boolean(0.35);
  const [x, y]: Point = grazing
    ? [length + 0.6, 0.44]
    : [length + between(random, 0.48, 0.58), back + between(random, -0.1, 0.12)];
  const muzzle: Point = grazing ? [x + 0.14, 0.13] : [x + 0.3, y - 0.22];
  const neck: FleshJoint[] = [
    [length + 0.05, middle + 0.1, 0.29],
    [(length + 0.05 + x) / 2, (middle + 0.1 + y) / 2 + 0.02, 0.22],
    [x, y, 0.165],
  ];
  const chain: FleshJoint[] = [
    [x, y, 0.165],
    [(x + muzzle[0]) / 2, (y + muzzle[1]) / 2, 0.13],
    [muzzle[0], muzzle[1], 0.11],
  ];
  const ear: Corner[] = [
    [x - 0.08, y + 0.13, 0.02],
    [x - 0.36, y + 0.13, 0.05],
    [x - 0.28, y - 0.03, 0.05],
    [x - 0.04, y],
  ];
  const horn: Point[] = [
    [x, y + 0.1],
    [x, y + 0.25],
    [x + 0.1, y + 0.32],
  ];
  const horns = random.boolean(0.4);
  const draw = (pen: Pen, face: Colour, shaded: Ink, pixel: number) => {
    if (horns) strokeLine(pen, horn, Math.max(0.06, pixel), css({ hue: 40, saturation: 25, lightness: 76 }));
    fillChains(pen, [chain], shaded);
    fillShape(pen, ear, css(face, -14));
    fillDisc(pen, muzzle, 0.105, css({ hue: 12, saturation: 28, lightness: 62 }));
    fillDisc(
      pen,
      [muzzle[0] + 0.04, muzzle[1] + 0.02],
      0.022,
      css({ hue: 10, saturation: 20, lightness: 22 }),
    );
    fillDisc(pen, [x + 0.06, y + 0.04], 0.03, css({ hue: 20, saturation: 20, lightness: 8 }));
  };
  return { neck, chain, draw };
}
