/** Low, with a long bonnet and a roof that slopes to the tail. */

import { between } from "../choices.ts";
import { carShape } from "./car.ts";
import { vehicle } from "./vehicle.ts";

export const coupe = vehicle((random) => {
  const length = between(random, 4.15, 4.7);
  const height = between(random, 1.18, 1.3);
  const frontFoot = length - between(random, 1.45, 1.75);
  const frontHead = frontFoot - between(random, 0.6, 0.8);
  const rearFoot = between(random, 0.2, 0.5);
  const rearHead = rearFoot + between(random, 1, 1.3);
  const deck = between(random, 0.82, 0.9);
  return carShape(random, {
    length,
    width: 1.85,
    clearance: between(random, 0.14, 0.2),
    wheelRadius: between(random, 0.32, 0.36),
    overhangs: [between(random, 0.85, 1.0), between(random, 0.85, 1.0)],
    tail: deck + between(random, -0.05, 0.05),
    nose: between(random, 0.58, 0.66),
    rearFoot: [rearFoot, deck],
    rearHead: [rearHead, height - 0.04],
    peak: [frontHead - between(random, 0.2, 0.45), height],
    frontHead: [frontHead, height - 0.05],
    frontFoot: [frontFoot, between(random, 0.82, 0.87)],
    rearPillar: between(random, 0.45, 0.65),
    doors: 2,
    softness: between(random, 0.8, 1.5),
  });
});
