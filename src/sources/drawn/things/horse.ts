/** A horse: long legs, a long arched neck with a mane, a full tail. */

import type { Random } from "../../../core/random.ts";
import { between, type Colour, css, near, oneOf } from "../choices.ts";
import type { ObjectDrawing } from "../drawing.ts";
import type { Pen } from "../paper.ts";
import { type Corner, fade, fillDisc, fillShape, type Ink, type Point, upright } from "../shapes.ts";
import { extentOf, type FleshJoint, fillChains } from "./flesh.ts";

const coats = [
  [22, 48, 32],
  [22, 48, 26],
  [26, 55, 42],
  [220, 6, 13],
  [30, 10, 80],
  [215, 4, 58],
  [38, 45, 62],
] as const;

const white = css({ hue: 40, saturation: 10, lightness: 88 });

export function horse(random: Random): ObjectDrawing {
  const coat = near(random, oneOf(random, coats));
  const hair = near(random, random.boolean(0.3) ? [40, 30, 78] : [22, 25, 11]);
  const length = between(random, 1.15, 1.35);
  const back = between(random, 1.5, 1.62);
  const barrel = between(random, 0.26, 0.3);
  const middle = back - barrel;
  const body: FleshJoint[] = [
    [0.28, middle + 0.02, barrel],
    [0.28 + length * 0.4, middle - 0.04, barrel - 0.01],
    [length, middle - 0.01, barrel + 0.01],
  ];
  const head = decideHead(random, length, middle, back);
  const legWidth = between(random, 0.072, 0.085);
  const walking = between(random, 0.02, 0.28);
  const leg = (x: number, step: number, hind: boolean): FleshJoint[] => [
    [x, middle - 0.04, hind ? 0.21 : 0.17],
    [x + (hind ? -0.05 : 0.02) + step * 0.2, 0.66, legWidth + 0.02],
    [x + step * 0.8 + (hind ? -0.06 : 0), 0.32, legWidth],
    [x + step, legWidth, legWidth],
  ];
  const farLegs = [leg(0.34, walking, true), leg(length - 0.04, -walking * 0.8, false)];
  const nearLegs = [leg(0.22, -walking * 0.7, true), leg(length + 0.06, walking, false)];
  const lift = between(random, 0, 0.14);
  const tail: FleshJoint[] = [
    [0.04, middle + 0.16, 0.07],
    [-0.1 - lift, middle - 0.05, 0.09],
    [-0.14 - lift, 0.8, 0.1],
    [-0.1 - lift, 0.52, 0.06],
  ];
  const socks = random.boolean(0.4) ? between(random, 0.14, 0.3) : 0;
  const mirrored = random.boolean(0.5);
  const extent = extentOf([...farLegs, ...nearLegs, tail, body, head.neck, head.chain]);
  const draw = (pen: Pen, pixel: number) => {
    const shaded = fade(pen, 0.3, back + 0.3, [
      [0, css(coat, -12)],
      [0.5, css(coat, -5)],
      [1, css(coat, 9)],
    ]);
    fillChains(pen, farLegs, css(coat, -12), pixel);
    fillChains(pen, [tail], css(hair));
    fillChains(pen, [body, head.neck, ...nearLegs], shaded, pixel);
    for (const chain of [...farLegs, ...nearLegs]) drawHoof(pen, chain[3]!, socks);
    head.draw(pen, coat, hair, shaded);
  };
  return upright({ ...extent, top: Math.max(extent.top, head.top) }, draw, { mirrored });
}

function drawHoof(pen: Pen, [x, , radius]: FleshJoint, socks: number): void {
  const sock: Corner[] = [
    [x - radius, 0.06],
    [x - radius * 1.02, socks],
    [x + radius * 1.02, socks],
    [x + radius, 0.06],
  ];
  if (socks > 0) fillShape(pen, sock, white);
  const hoof: Corner[] = [
    [x - radius, 0],
    [x - radius * 0.8, 0.1],
    [x + radius * 0.8, 0.1],
    [x + radius * 1.15, 0],
  ];
  fillShape(pen, hoof, css({ hue: 25, saturation: 15, lightness: 14 }));
}

/** High, or down in the grass. */
function decideHead(random: Random, length: number, middle: number, back: number) {
  const grazing = random.boolean(0.3);
  const [x, y]: Point = grazing
    ? [length + 0.78, 0.62]
    : [length + between(random, 0.48, 0.6), back + between(random, 0.42, 0.58)];
  const muzzle: Point = grazing ? [x + 0.2, 0.12] : [x + 0.34, y - 0.36];
  const neck: FleshJoint[] = [
    [length + 0.05, middle + 0.06, 0.26],
    grazing ? [length + 0.45, middle - 0.12, 0.19] : [length + 0.26, middle + 0.36, 0.19],
    [x, y, 0.13],
  ];
  const chain: FleshJoint[] = [
    [x, y, 0.13],
    [x + 0.4 * (muzzle[0] - x), y + 0.4 * (muzzle[1] - y), 0.115],
    [muzzle[0], muzzle[1], 0.085],
  ];
  const breadth = between(random, 0.07, 0.13);
  const [aside, above] = grazing ? [0.1, 0.8] : [-0.6, 0.55];
  const mane = neck.map(([neckX, neckY, radius], i): FleshJoint => {
    return [neckX + aside * radius, neckY + above * radius, breadth * (i === 0 ? 0.7 : 1)];
  });
  const earTip: Corner = grazing ? [x - 0.2, y + 0.2, 0.03] : [x - 0.06, y + 0.3, 0.03];
  const ear: Corner[] = [[x - 0.12, y + 0.04], earTip, [x + 0.06, y + 0.08]];
  const stripe: FleshJoint[] = [
    [x + 0.12, y - 0.02, 0.03],
    [muzzle[0] + 0.03, muzzle[1] + 0.04, 0.03],
  ];
  const blaze = random.boolean(0.4);
  const draw = (pen: Pen, coat: Colour, hair: Colour, shaded: Ink) => {
    fillChains(pen, [mane], css(hair));
    fillShape(pen, ear, css(coat, -6));
    fillChains(pen, [chain], shaded);
    fillDisc(pen, [x - 0.02, y + 0.09], breadth * 0.8, css(hair));
    if (blaze) fillChains(pen, [stripe], white);
    fillDisc(pen, muzzle, 0.07, css(coat, -14));
    fillDisc(pen, [x + 0.06, y - 0.03], 0.026, css({ hue: 20, saturation: 20, lightness: 6 }));
  };
  return { neck, chain, draw, top: grazing ? 0 : y + 0.29 };
}
