/** Two short boxes: a small bonnet, and a cabin that ends with the car. */

import { between, oneOf } from "../choices.ts";
import { carShape } from "./car.ts";
import { vehicle } from "./vehicle.ts";

export const hatchback = vehicle((random) => {
  const length = between(random, 3.4, 4.05);
  const height = between(random, 1.44, 1.58);
  const frontFoot = length - between(random, 0.95, 1.2);
  const frontHead = frontFoot - between(random, 0.6, 0.8);
  const rearHead = between(random, 0.35, 0.65);
  return carShape(random, {
    length,
    width: 1.7,
    clearance: between(random, 0.2, 0.27),
    wheelRadius: between(random, 0.28, 0.33),
    overhangs: [between(random, 0.66, 0.78), between(random, 0.5, 0.65)],
    tail: between(random, 0.88, 0.96),
    nose: between(random, 0.72, 0.82),
    rearFoot: [between(random, 0.1, 0.18), between(random, 0.98, 1.06)],
    rearHead: [rearHead, height - 0.08],
    peak: [(rearHead + frontHead) / 2 + 0.2, height],
    frontHead: [frontHead, height - 0.05],
    frontFoot: [frontFoot, between(random, 0.94, 1.02)],
    rearPillar: between(random, 0.2, 0.45),
    doors: oneOf(random, [2, 4]),
    softness: between(random, 0.5, 1.2),
  });
});
