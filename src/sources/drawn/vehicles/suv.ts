/** Two tall boxes on large wheels, high above the road, with rails on the roof. */

import { between } from "../choices.ts";
import { fillDisc, strokeLine } from "../shapes.ts";
import { carShape } from "./car.ts";
import { vehicle } from "./vehicle.ts";

export const suv = vehicle((random) => {
  const length = between(random, 4.2, 4.85);
  const height = between(random, 1.75, 1.95);
  const frontFoot = length - between(random, 1.15, 1.4);
  const frontHead = frontFoot - between(random, 0.35, 0.6);
  const rearHead = between(random, 0.16, 0.4);
  const clearance = between(random, 0.36, 0.46);
  const radius = between(random, 0.38, 0.44);
  const rails = random.boolean(0.75);
  const railHeight = between(random, 0.06, 0.1);
  const spare = random.boolean(0.3);
  return carShape(random, {
    length,
    width: 1.9,
    clearance,
    wheelRadius: radius,
    overhangs: [between(random, 0.75, 0.9), between(random, 0.75, 0.95)],
    tail: between(random, 1.05, 1.15),
    nose: between(random, 0.98, 1.12),
    rearFoot: [between(random, 0.07, 0.12), between(random, 1.16, 1.24)],
    rearHead: [rearHead, height - 0.05],
    peak: [(rearHead + frontHead) / 2, height],
    frontHead: [frontHead, height - 0.03],
    frontFoot: [frontFoot, between(random, 1.16, 1.26)],
    rearPillar: between(random, 0.15, 0.35),
    doors: 4,
    softness: between(random, 0.3, 0.8),
    extras: (pen) => {
      if (rails) {
        const y = height + railHeight - 0.06;
        strokeLine(
          pen,
          [
            [rearHead + 0.2, height - 0.06],
            [rearHead + 0.3, y],
            [frontHead - 0.3, y],
            [frontHead - 0.15, height - 0.06],
          ],
          0.06,
          "hsl(220, 5%, 16%)",
        );
      }
      if (spare) fillDisc(pen, [0.02, clearance + 0.5], 0.1, "hsl(220, 5%, 10%)", 0.36);
    },
  });
});
