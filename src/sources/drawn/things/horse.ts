/** A horse: long legs, a long arched neck with a mane, a full tail. */

import type { Random } from "../../../core/random.ts";
import { between, type Colour, css, near, oneOf } from "../choices.ts";
import type { ObjectDrawing } from "../drawing.ts";
import { fade, fillDisc, fillShape, upright } from "../shapes.ts";
import { extentOf, fillChains, type Joint } from "./flesh.ts";

const coats = [
  [22, 48, 32],
  [22, 48, 26],
  [26, 55, 42],
  [220, 6, 13],
  [30, 10, 80],
  [215, 4, 58],
  [38, 45, 62],
] as const;

export function horse(random: Random): ObjectDrawing {
  const coat: Colour = near(random, oneOf(random, coats));
  const hair: Colour = random.boolean(0.3) ? near(random, [40, 30, 78]) : near(random, [22, 25, 11]);
  const length = between(random, 1.15, 1.35);
  const back = between(random, 1.5, 1.62);
  const barrel = between(random, 0.26, 0.3);
  const legWidth = between(random, 0.075, 0.09);
  const grazing = random.boolean(0.3);
  const walking = between(random, 0.02, 0.28);
  const middle = back - barrel;
  const body: Joint[] = [
    [0.28, middle + 0.02, barrel - 0.0],
    [0.28 + length * 0.4, middle - 0.04, barrel - 0.01],
    [length, middle - 0.01, barrel + 0.01],
  ];
  const poll: [number, number] = grazing
    ? [length + 0.78, 0.62]
    : [length + between(random, 0.5, 0.62), back + between(random, 0.42, 0.6)];
  const neck: Joint[] = [
    [length + 0.05, middle + 0.06, 0.25],
    [length + (grazing ? 0.45 : 0.26), middle + (grazing ? -0.12 : 0.36), 0.185],
    [poll[0], poll[1], 0.13],
  ];
  const muzzle: [number, number] = grazing ? [poll[0] + 0.2, 0.12] : [poll[0] + 0.34, poll[1] - 0.36];
  const head: Joint[] = [
    [poll[0], poll[1], 0.13],
    [poll[0] + 0.4 * (muzzle[0] - poll[0]), poll[1] + 0.4 * (muzzle[1] - poll[1]), 0.115],
    [muzzle[0], muzzle[1], 0.085],
  ];
  const leg = (x: number, step: number, hind: boolean): Joint[] => [
    [x, middle - 0.04, hind ? 0.21 : 0.17],
    [x + (hind ? -0.05 : 0.02) + step * 0.2, 0.66, legWidth + 0.02],
    [x + step * 0.8 + (hind ? -0.06 : 0), 0.32, legWidth],
    [x + step, legWidth, legWidth],
  ];
  const farLegs = [leg(0.34, walking, true), leg(length - 0.04, -walking * 0.8, false)];
  const nearLegs = [leg(0.22, -walking * 0.7, true), leg(length + 0.06, walking, false)];
  const lift = between(random, 0, 0.14);
  const tail: Joint[] = [
    [0.04, middle + 0.16, 0.07],
    [-0.1 - lift, middle - 0.05, 0.09],
    [-0.14 - lift, 0.8, 0.1],
    [-0.1 - lift, 0.52, 0.06],
  ];
  const mane = between(random, 0.07, 0.13);
  const socks = random.boolean(0.4) ? between(random, 0.14, 0.3) : 0;
  const blaze = random.boolean(0.4);
  const whole = [...farLegs, ...nearLegs, tail, body, neck, head];
  const extent = extentOf(whole);
  const ear = poll[1] + 0.3;
  return upright(
    { ...extent, top: grazing ? extent.top : Math.max(extent.top, ear) },
    random.boolean(0.5),
    (pen) => {
      const shaded = (colour: Colour) =>
        fade(pen, 0.3, back + 0.3, [
          [0, css(colour, -12)],
          [0.5, css(colour, -5)],
          [1, css(colour, 9)],
        ]);
      fillChains(pen, farLegs, css(coat, -12));
      fillChains(pen, [tail], css(hair));
      fillChains(pen, [body, neck, ...nearLegs], shaded(coat));
      for (const joints of [...farLegs, ...nearLegs]) {
        const [x, , radius] = joints[3]!;
        if (socks > 0)
          fillShape(
            pen,
            [
              [x - radius, 0.06],
              [x - radius * 1.02, socks],
              [x + radius * 1.02, socks],
              [x + radius, 0.06],
            ],
            "hsl(40, 10%, 86%)",
          );
        fillShape(
          pen,
          [
            [x - radius, 0],
            [x - radius * 0.8, 0.1],
            [x + radius * 0.8, 0.1],
            [x + radius * 1.15, 0],
          ],
          "hsl(25, 15%, 14%)",
        );
      }
      const crest: Joint[] = neck.map(([x, y, radius], i) => [
        x - (grazing ? -0.1 : 0.6) * radius,
        y + (grazing ? 0.8 : 0.55) * radius,
        mane * (i === 0 ? 0.7 : 1),
      ]);
      fillChains(pen, [crest], css(hair));
      fillShape(
        pen,
        [
          [poll[0] - 0.12, poll[1] + 0.04],
          [poll[0] - 0.06, ear, 0.03],
          [poll[0] + 0.06, poll[1] + 0.08],
        ],
        css(coat, -6),
      );
      fillChains(pen, [head], shaded(coat));
      fillDisc(pen, [poll[0] - 0.02, poll[1] + 0.09], mane * 0.8, css(hair));
      if (blaze)
        fillChains(
          pen,
          [
            [
              [poll[0] + 0.12, poll[1] - 0.02, 0.03],
              [muzzle[0] + 0.03, muzzle[1] + 0.04, 0.03],
            ],
          ],
          "hsl(40, 10%, 90%)",
        );
      fillDisc(pen, muzzle, 0.07, css(coat, -14));
      fillDisc(pen, [poll[0] + 0.06, poll[1] - 0.03], 0.026, "hsl(20, 20%, 6%)");
    },
  );
}
