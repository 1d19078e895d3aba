/** A fire hydrant: a barrel under a domed cap, with a nozzle on each side and one in front. */

import type { Random } from "../../../core/random.ts";
import { between, type Colour, css, grey, near, oneOf } from "../choices.ts";
import type { ObjectDrawing } from "../drawing.ts";
import type { Pen } from "../paper.ts";
import { box, fillDisc, fillShape, type Point, strokeLine, upright } from "../shapes.ts";
import { roundedShade } from "./shade.ts";

const coats = [
  [2, 72, 42],
  [2, 72, 42],
  [46, 84, 52],
  [46, 84, 52],
  [22, 82, 50],
  [215, 6, 66],
  [60, 6, 86],
  [140, 40, 32],
  [212, 60, 42],
] as const;

export function fireplug(random: Random): ObjectDrawing {
  const body = near(random, oneOf(random, coats));
  const caps: Colour = random.boolean(0.5) ? body : near(random, oneOf(random, coats));
  const radius = between(random, 0.2, 0.26);
  const height = between(random, 1, 1.15);
  const nozzleHeight = between(random, 0.56, 0.66) * height;
  const reach = radius + between(random, 0.1, 0.17);
  const flange = radius + between(random, 0.05, 0.1);
  const baseHeight = between(random, 0.08, 0.13);
  const domeFrom = between(random, 0.74, 0.8) * height;
  const nozzle = Math.min(between(random, 0.1, 0.15), domeFrom - nozzleHeight - 0.06);
  const bolts = 3 + random.integer(3);
  const chain = random.boolean(0.6);
  const front = between(random, 0.11, 0.15);
  const aside = between(random, -0.05, 0.05);
  const rust = between(random, 0, 0.4);
  const links: Point[] = [
    [-0.95 * radius, nozzleHeight - 0.05],
    [-0.6 * radius, nozzleHeight - 0.25],
    [aside - 0.02, nozzleHeight - front],
  ];
  const mirrored = random.boolean(0.5);
  const draw = (pen: Pen, pixel: number) => {
    const shaded = (colour: Colour, half: number) => roundedShade(pen, colour, -half, half);
    fillShape(pen, box(-flange, 0, 2 * flange, baseHeight, 0.03), shaded(body, flange));
    fillShape(pen, box(-radius, baseHeight / 2, 2 * radius, domeFrom - baseHeight / 2), shaded(body, radius));
    fillShape(pen, box(-flange * 0.96, 0.24 * height, 1.92 * flange, 0.06, 0.02), shaded(body, flange));
    for (const side of [-1, 1]) {
      const inner = side < 0 ? -reach : 0;
      fillShape(
        pen,
        box(inner, nozzleHeight - nozzle * 0.75, reach, nozzle * 1.5, 0.02),
        css(body, side < 0 ? 4 : -12),
      );
      const cap = side < 0 ? -reach : reach - 0.09;
      fillShape(pen, box(cap, nozzleHeight - nozzle, 0.09, 2 * nozzle, 0.03), css(caps, side < 0 ? 8 : -14));
    }
    fillShape(pen, box(-radius, nozzleHeight - 0.2, 2 * radius, 0.4), shaded(body, radius));
    fillShape(
      pen,
      [
        [-radius * 1.02, domeFrom, 0.02],
        [-radius * 0.98, domeFrom + 0.7 * (height - domeFrom), 0.2],
        [-radius * 0.3, height - 0.06, 0.06],
        [radius * 0.3, height - 0.06, 0.06],
        [radius * 0.98, domeFrom + 0.7 * (height - domeFrom), 0.2],
        [radius * 1.02, domeFrom, 0.02],
      ],
      shaded(caps, radius),
    );
    fillShape(pen, box(-flange * 0.95, domeFrom - 0.04, 1.9 * flange, 0.07, 0.02), shaded(caps, flange));
    fillShape(pen, box(-0.055, height - 0.12, 0.11, 0.12, 0.015), css(caps, -6));
    fillDisc(pen, [aside, nozzleHeight - 0.04], front, css(caps, -16));
    fillDisc(pen, [aside, nozzleHeight - 0.03], front * 0.86, css(caps, 6));
    fillShape(pen, box(aside - 0.035, nozzleHeight - 0.075, 0.07, 0.07), css(caps, -18));
    for (let i = 0; pixel < 0.04 && i < bolts; i++) {
      const x = (-0.8 + (1.6 * i) / (bolts - 1)) * flange;
      fillDisc(pen, [x, baseHeight * 0.6], 0.018, css(body, -24));
      fillDisc(pen, [x, domeFrom - 0.005], 0.016, css(caps, -24));
    }
    if (chain) strokeLine(pen, links, 0.016, grey(25));
    fillShape(pen, box(-radius, baseHeight, 2 * radius, 0.12 * height), `hsla(20, 45%, 22%, ${0.6 * rust})`);
  };
  return upright({ left: -reach, right: reach, bottom: 0, top: height }, draw, { mirrored });
}
