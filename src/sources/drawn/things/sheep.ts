/** A sheep: a cloud of fleece on thin short legs, with a small light or dark face. */

import type { Random } from "../../../core/random.ts";
import { between, type Colour, css, near, oneOf } from "../choices.ts";
import type { ObjectDrawing } from "../drawing.ts";
import { fade, fillDisc, fillShape, upright } from "../shapes.ts";
import { extentOf, fillChains, type Joint } from "./flesh.ts";

export function sheep(random: Random): ObjectDrawing {
  const wool: Colour = near(
    random,
    oneOf(random, [
      [42, 18, 84],
      [42, 18, 84],
      [40, 16, 74],
      [28, 18, 40],
    ] as const),
  );
  const skin: Colour = near(
    random,
    oneOf(random, [
      [24, 12, 14],
      [30, 20, 74],
      [28, 22, 42],
    ] as const),
  );
  const length = between(random, 0.85, 1.05);
  const height = between(random, 0.62, 0.72);
  const legs = between(random, 0.3, 0.38);
  const legWidth = between(random, 0.055, 0.065);
  const grazing = random.boolean(0.4);
  const middle = legs + height / 2;
  const clumps: Joint[] = [];
  const count = 15 + random.integer(5);
  for (let i = 0; i < count; i++) {
    const angle = (2 * Math.PI * (i + between(random, -0.2, 0.2))) / count;
    clumps.push([
      0.5 * length + 0.43 * length * Math.cos(angle),
      middle + 0.34 * height * Math.sin(angle),
      between(random, 0.11, 0.17),
    ]);
  }
  const inner = Array.from({ length: 16 }, () => ({
    x: 0.5 * length + between(random, -0.38, 0.38) * length,
    y: middle + between(random, -0.26, 0.3) * height,
    radius: between(random, 0.06, 0.1),
  }));
  const core: Joint[] = [
    [0.3 * length, middle, 0.36 * height],
    [0.7 * length, middle, 0.36 * height],
  ];
  const poll: [number, number] = grazing
    ? [length + 0.12, legs + 0.12]
    : [length + between(random, 0.06, 0.12), legs + height * between(random, 0.82, 0.95)];
  const muzzle: [number, number] = grazing ? [poll[0] + 0.1, 0.14] : [poll[0] + 0.2, poll[1] - 0.16];
  const head: Joint[] = [
    [poll[0], poll[1], 0.12],
    [muzzle[0], muzzle[1], 0.075],
  ];
  const neck: Joint[] = [
    [0.86 * length, middle + 0.08, 0.2],
    [poll[0] - 0.04, poll[1], 0.14],
  ];
  const leg = (x: number): Joint[] => [
    [x, legs + 0.1, legWidth + 0.02],
    [x + between(random, -0.04, 0.04), legWidth, legWidth],
  ];
  const farLegs = [leg(0.3 * length), leg(0.78 * length)];
  const nearLegs = [leg(0.18 * length), leg(0.9 * length)];
  const topknot = random.boolean(0.6);
  const horns = random.boolean(0.15);
  const extent = extentOf([clumps, core, head, neck, ...farLegs, ...nearLegs]);
  return upright(extent, random.boolean(0.5), (pen) => {
    const shaded = fade(pen, legs, legs + height, [
      [0, css(wool, -26)],
      [0.4, css(wool, -9)],
      [1, css(wool, 7)],
    ]);
    fillChains(pen, farLegs, css(skin, -8));
    fillChains(pen, nearLegs, css(skin));
    fillChains(pen, [neck], shaded);
    fillChains(pen, [...clumps.map((clump) => [clump]), core], shaded);
    for (const { x, y, radius } of inner) {
      fillDisc(pen, [x, y - 0.02], radius, css(wool, -16, 0.5));
      fillDisc(pen, [x, y + 0.01], radius, css(wool, 6 * (y > middle ? 1 : -1), 0.7));
    }
    fillShape(
      pen,
      [
        [poll[0] - 0.02, poll[1] + 0.08],
        [poll[0] - 0.2, poll[1] + 0.06, 0.04],
        [poll[0] - 0.16, poll[1] - 0.04, 0.04],
        [poll[0], poll[1]],
      ],
      css(skin, -4),
    );
    fillChains(pen, [head], css(skin, 3));
    if (topknot) fillDisc(pen, [poll[0] - 0.03, poll[1] + 0.09], 0.1, css(wool, 2));
    if (horns) {
      pen.beginPath();
      pen.arc(poll[0] - 0.06, poll[1] + 0.02, 0.09, -1, 3.4);
      pen.lineWidth = 0.05;
      pen.strokeStyle = "hsl(36, 22%, 52%)";
      pen.stroke();
    }
    fillDisc(
      pen,
      [poll[0] + 0.05, poll[1] + 0.01],
      0.022,
      skin.lightness < 30 ? "hsl(40, 60%, 60%)" : "hsl(20, 20%, 8%)",
    );
  });
}
