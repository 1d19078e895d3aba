/** Two tall boxes on large wheels, high above the road, with rails or a rack on the roof and dark cladding below. */

import { between, grey } from "../choices.ts";
import { box, fillDisc, fillShape, type Point, strokeLine } from "../shapes.ts";
import { carShape } from "./car.ts";
import { vehicle } from "./vehicle.ts";

export const suv = vehicle((random) => {
  const length = between(random, 4.1, 4.8);
  const height = between(random, 1.82, 2.02);
  const frontFoot = length - between(random, 1.15, 1.4);
  const frontHead = frontFoot - between(random, 0.3, 0.52);
  const rearHead = between(random, 0.14, 0.34);
  const clearance = between(random, 0.42, 0.54);
  const radius = between(random, 0.4, 0.47);
  const nose = between(random, 1.06, 1.18);
  const overhangs = [between(random, 0.72, 0.85), between(random, 0.7, 0.9)] as const;
  const rack = between(random, 0.05, 0.1);
  const bars = random.boolean(0.4) ? 3 + random.integer(3) : 0;
  const spare = random.boolean(0.4) ? between(random, 0.07, 0.12) : 0;
  const cladding = between(random, 0.06, 0.16);
  const rails: Point[] = [
    [rearHead + 0.2, height - 0.06],
    [rearHead + 0.28, height + rack - 0.04],
    [frontHead - 0.28, height + rack - 0.04],
    [frontHead - 0.15, height - 0.06],
  ];
  const shape = carShape(random, {
    length,
    width: 1.9,
    clearance,
    wheelRadius: radius,
    overhangs,
    tail: between(random, 1.1, 1.2),
    nose,
    rearFoot: [between(random, 0.07, 0.12), between(random, 1.22, 1.3)],
    rearHead: [rearHead, height - 0.04],
    peak: [(rearHead + frontHead) / 2, height],
    frontHead: [frontHead, height - 0.03],
    frontFoot: [frontFoot, nose + between(random, 0.1, 0.16)],
    rearPillar: between(random, 0.15, 0.35),
    doors: 4,
    softness: between(random, 0.15, 0.65),
    behind: spare,
    extras: ({ pen, fine }) => {
      strokeLine(pen, rails, 0.07, grey(16));
      for (let i = 0; fine && i < bars; i++) {
        const x = rearHead + 0.35 + (i * (frontHead - rearHead - 0.76)) / (bars - 1);
        fillShape(pen, box(x, height - 0.04, 0.06, rack + 0.02), grey(24));
      }
      const low = overhangs[1] + 1.1 * radius;
      fillShape(pen, box(low, clearance, length - overhangs[0] - 1.1 * radius - low, cladding), grey(13));
      if (spare > 0) fillDisc(pen, [0, clearance + 0.48], spare, grey(9), 0.36);
    },
  });
  return { ...shape, height: height + rack };
});
