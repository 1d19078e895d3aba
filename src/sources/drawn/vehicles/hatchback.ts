/** Two short boxes: a small bonnet, and a cabin that ends with the car. */

import { between, oneOf } from "../choices.ts";
import { carShape } from "./car.ts";
import { vehicle } from "./vehicle.ts";

export const hatchback = vehicle((random) => {
  const length = between(random, 3.4, 4.05);
  const height = between(random, 1.42, 1.55);
  const frontFoot = length - between(random, 0.95, 1.2);
  const frontHead = frontFoot - between(random, 0.6, 0.8);
  const rearHead = between(random, 0.4, 0.75);
  return carShape(random, {
    length,
    width: 1.7,
    clearance: between(random, 0.18, 0.24),
    wheelRadius: between(random, 0.27, 0.32),
    overhangs: [between(random, 0.66, 0.78), between(random, 0.5, 0.65)],
    tail: between(random, 0.86, 0.95),
    nose: between(random, 0.7, 0.8),
    rearFoot: [between(random, 0.1, 0.18), between(random, 0.96, 1.04)],
    rearHead: [rearHead, height - 0.09],
    peak: [(rearHead + frontHead) / 2 + 0.2, height],
    frontHead: [frontHead, height - 0.06],
    frontFoot: [frontFoot, between(random, 0.92, 1.0)],
    rearPillar: between(random, 0.2, 0.45),
    doors: oneOf(random, [2, 4]),
    softness: between(random, 0.8, 1.5),
  });
});
