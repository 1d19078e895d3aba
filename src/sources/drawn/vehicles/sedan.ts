/** Three boxes: bonnet, cabin, boot. */

import { between } from "../choices.ts";
import { carShape } from "./car.ts";
import { vehicle } from "./vehicle.ts";

export const sedan = vehicle((random) => {
  const length = between(random, 4.3, 5.05);
  const height = between(random, 1.38, 1.5);
  const frontFoot = length - between(random, 1.3, 1.55);
  const frontHead = frontFoot - between(random, 0.6, 0.85);
  const boot = between(random, 0.85, 1.1);
  const rearHead = boot + between(random, 0.45, 0.75);
  const deck = between(random, 0.94, 1.02);
  return carShape(random, {
    length,
    width: 1.8,
    clearance: between(random, 0.2, 0.27),
    wheelRadius: between(random, 0.3, 0.35),
    overhangs: [between(random, 0.8, 0.92), between(random, 0.95, 1.1)],
    tail: deck - between(random, 0, 0.06),
    nose: between(random, 0.7, 0.8),
    rearFoot: [boot, deck],
    rearHead: [rearHead, height - 0.07],
    peak: [(rearHead + frontHead) / 2, height],
    frontHead: [frontHead, height - 0.05],
    frontFoot: [frontFoot, between(random, 0.92, 0.99)],
    rearPillar: between(random, 0.2, 0.4),
    doors: 4,
    softness: between(random, 0.5, 1.2),
  });
});
