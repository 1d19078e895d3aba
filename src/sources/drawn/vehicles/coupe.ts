/** Low, with a long bonnet and a roof that slopes to the tail. */

import { between } from "../choices.ts";
import { carShape } from "./car.ts";
import { vehicle } from "./vehicle.ts";

export const coupe = vehicle((random) => {
  const length = between(random, 4.2, 4.75);
  const height = between(random, 1.16, 1.28);
  const frontFoot = length - between(random, 1.55, 1.85);
  const frontHead = frontFoot - between(random, 0.7, 0.9);
  const rearFoot = between(random, 0.3, 0.6);
  const rearHead = rearFoot + between(random, 0.9, 1.2);
  const deck = between(random, 0.82, 0.9);
  return carShape(random, {
    length,
    width: 1.85,
    clearance: between(random, 0.14, 0.2),
    wheelRadius: between(random, 0.32, 0.36),
    overhangs: [between(random, 0.85, 1.0), between(random, 0.85, 1.0)],
    tail: deck + between(random, -0.05, 0.03),
    nose: between(random, 0.58, 0.66),
    rearFoot: [rearFoot, deck],
    rearHead: [rearHead, height - 0.06],
    peak: [(rearHead + frontHead) / 2 + 0.1, height],
    frontHead: [frontHead, height - 0.05],
    frontFoot: [frontFoot, between(random, 0.82, 0.87)],
    rearPillar: between(random, 0.4, 0.6),
    doors: 2,
    softness: between(random, 0.8, 1.5),
  });
});
