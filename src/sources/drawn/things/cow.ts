/** A cow: a long heavy body on short legs, often patched, with an udder and sometimes horns. */

import type { Random } from "../../../core/random.ts";
import { between, type Colour, css, near, oneOf } from "../choices.ts";
import type { ObjectDrawing } from "../drawing.ts";
import { fade, fillDisc, fillShape, strokeLine, upright } from "../shapes.ts";
import { addChain, extentOf, fillChains, type Joint } from "./flesh.ts";

export function cow(random: Random): ObjectDrawing {
  const patched = random.boolean(0.6);
  const coat: Colour = patched
    ? near(random, [40, 10, 88])
    : near(
        random,
        oneOf(random, [
          [24, 45, 34],
          [28, 40, 48],
          [20, 30, 16],
          [36, 40, 70],
          [220, 5, 14],
        ] as const),
      );
  const patch: Colour = near(
    random,
    oneOf(random, [
      [220, 6, 12],
      [220, 6, 12],
      [20, 45, 28],
    ] as const),
  );
  const length = between(random, 1.5, 1.75);
  const back = between(random, 1.32, 1.45);
  const belly = between(random, 0.32, 0.38);
  const legWidth = between(random, 0.085, 0.1);
  const grazing = random.boolean(0.35);
  const stride = () => between(random, -0.12, 0.12);
  const middle = back - belly;
  const hip = belly - between(random, 0.02, 0.05);
  const body: Joint[] = [
    [0.3, middle + 0.04, hip],
    [0.45 + length * 0.35, middle - 0.02, belly],
    [length, middle + 0.02, hip - 0.02],
  ];
  const headAt: [number, number] = grazing
    ? [length + 0.62, 0.42]
    : [length + between(random, 0.5, 0.6), back + between(random, -0.08, 0.14)];
  const neck: Joint[] = [
    [length + 0.05, middle + 0.1, 0.28],
    [(length + 0.05 + headAt[0]) / 2, (middle + 0.1 + headAt[1]) / 2 + 0.04, 0.2],
    [headAt[0], headAt[1], 0.16],
  ];
  const muzzle: [number, number] = grazing ? [headAt[0] + 0.12, 0.14] : [headAt[0] + 0.32, headAt[1] - 0.2];
  const head: Joint[] = [
    [headAt[0], headAt[1], 0.16],
    [(headAt[0] + muzzle[0]) / 2, (headAt[1] + muzzle[1]) / 2, 0.125],
    [muzzle[0], muzzle[1], 0.105],
  ];
  const leg = (x: number, step: number): Joint[] => [
    [x, middle - 0.05, 0.19],
    [x + step * 0.3, 0.5, legWidth + 0.02],
    [x + step, legWidth * 0.9, legWidth * 0.9],
  ];
  const far = [leg(0.34, stride() + 0.12), leg(length - 0.02, stride() - 0.12)];
  const near_ = [leg(0.22, stride()), leg(length + 0.08, stride())];
  const tail: Joint[] = [
    [0.02, middle + 0.2, 0.05],
    [-0.06, middle - 0.1, 0.045],
    [-0.05 + between(random, -0.03, 0.05), 0.62, 0.045],
    [-0.04, 0.52, 0.07],
  ];
  const horns = random.boolean(0.4);
  const udder = random.boolean(0.6);
  const patches = Array.from({ length: 4 + random.integer(4) }, () => ({
    x: between(random, 0, length + 0.1),
    y: middle + between(random, -0.3, 0.35),
    width: between(random, 0.12, 0.34),
    height: between(random, 0.1, 0.26),
    turn: between(random, 0, 3),
  }));
  const darkHead = patched && random.boolean(0.6);
  const whole = [...far, ...near_, tail, body, neck, head];
  return upright(extentOf(whole), random.boolean(0.5), (pen) => {
    const shaded = (colour: Colour) =>
      fade(pen, 0.2, back, [
        [0, css(colour, -16)],
        [0.5, css(colour, -5)],
        [1, css(colour, 6)],
      ]);
    fillChains(pen, far, css(coat, -24));
    fillChains(pen, [tail], css(patched ? patch : coat, -8));
    if (udder) fillDisc(pen, [0.58, back - 2 * belly + 0.02], 0.15, "hsl(8, 40%, 70%)", 0.12);
    const parts = [body, neck, ...near_];
    fillChains(pen, parts, shaded(coat));
    if (patched) {
      pen.save();
      pen.beginPath();
      for (const part of parts) addChain(pen, part);
      pen.clip();
      pen.beginPath();
      for (const { x, y, width, height, turn } of patches) {
        pen.moveTo(x + width, y);
        pen.ellipse(x, y, width, height, turn, 0, 2 * Math.PI);
      }
      pen.fillStyle = shaded(patch);
      pen.fill();
      pen.restore();
    }
    for (const joints of near_) {
      const [x, y, radius] = joints[2]!;
      fillShape(
        pen,
        [
          [x - radius, 0],
          [x - radius, y],
          [x + radius, y],
          [x + radius, 0],
        ],
        "hsl(25, 15%, 18%)",
      );
    }
    const [headX, headY] = headAt;
    fillShape(
      pen,
      [
        [headX - 0.1, headY + 0.12, 0.02],
        [headX - 0.34, headY + 0.12, 0.05],
        [headX - 0.26, headY - 0.02, 0.05],
        [headX - 0.06, headY + 0.02],
      ],
      css(darkHead ? patch : coat, -14),
    );
    if (horns)
      strokeLine(
        pen,
        [
          [headX - 0.02, headY + 0.12],
          [headX - 0.02, headY + 0.24],
          [headX + 0.08, headY + 0.3],
        ],
        0.06,
        "hsl(40, 25%, 76%)",
      );
    fillChains(pen, [head], shaded(darkHead ? patch : coat));
    fillDisc(pen, muzzle, 0.1, "hsl(12, 28%, 62%)");
    fillDisc(pen, [muzzle[0] + 0.04, muzzle[1] + 0.02], 0.02, "hsl(10, 20%, 22%)");
    fillDisc(pen, [headX + 0.06, headY + 0.04], 0.028, "hsl(20, 20%, 8%)");
  });
}
