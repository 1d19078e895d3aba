/** Three boxes: bonnet, cabin, boot. */

import { between } from "../choices.ts";
import { carShape } from "./car.ts";
import { vehicle } from "./vehicle.ts";

export const sedan = vehicle((random) => {
  const length = between(random, 4.35, 5);
  const height = between(random, 1.4, 1.54);
  const frontFoot = length - between(random, 1.2, 1.4);
  const frontHead = frontFoot - between(random, 0.5, 0.75);
  const boot = between(random, 0.78, 1.0);
  const rearHead = boot + between(random, 0.3, 0.58);
  const deck = between(random, 0.95, 1.02);
  return carShape(random, {
    length,
    width: 1.8,
    clearance: between(random, 0.2, 0.27),
    wheelRadius: between(random, 0.3, 0.35),
    overhangs: [between(random, 0.8, 0.92), between(random, 0.95, 1.1)],
    tail: deck - between(random, 0, 0.06),
    nose: between(random, 0.72, 0.82),
    rearFoot: [boot, deck],
    rearHead: [rearHead, height - 0.06],
    peak: [(rearHead + frontHead) / 2, height],
    frontHead: [frontHead, height - 0.04],
    frontFoot: [frontFoot, between(random, 0.94, 1.0)],
    rearPillar: between(random, 0.16, 0.34),
    doors: 4,
    softness: between(random, 0.4, 1),
  });
});
