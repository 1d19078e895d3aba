/** A cab before an open bed. */

import { between, css } from "../choices.ts";
import { type Corner, fillShape, type Point } from "../shapes.ts";
import { alongAt } from "./car.ts";
import { bumper, doorGap, faces, handle, headlamp, mirror, tailLamp } from "./fittings.ts";
import { decideLoad } from "./load.ts";
import type { Sketch } from "./look.ts";
import { vehicle } from "./vehicle.ts";

export const pickup = vehicle((random) => {
  const crew = random.boolean(0.4);
  const bed = crew ? between(random, 1.55, 1.85) : between(random, 1.9, 2.4);
  const length = bed + (crew ? between(random, 3.3, 3.6) : between(random, 2.7, 3.0));
  const height = between(random, 1.72, 1.92);
  const clearance = between(random, 0.42, 0.54);
  const radius = between(random, 0.37, 0.43);
  const rail = between(random, 1.0, 1.12);
  const nose = between(random, 0.98, 1.1);
  const foot: Point = [length - between(random, 1.2, 1.4), between(random, 1.12, 1.2)];
  const head: Point = [foot[0] - between(random, 0.4, 0.6), height - 0.03];
  const cabRear = bed + 0.04;
  const belt = Math.max(foot[1] - 0.03, rail + 0.02);
  const [front, rear] = [length - between(random, 0.8, 0.9), between(random, 1.0, 1.15)];
  const softness = between(random, 0.4, 1);
  const middle = crew ? (cabRear + foot[0]) / 2 - 0.1 : cabRear + 0.1;
  const top = height - between(random, 0.1, 0.14);
  const drawLoad = decideLoad(random, bed, rail);
  const outline: Corner[] = [
    [0.08, clearance, 0.05],
    [0, clearance + 0.12, 0.05],
    [0.02, rail, 0.05],
    [bed, rail, 0.02],
    [bed + 0.02, rail - 0.1],
    [cabRear, rail - 0.1],
    [cabRear, rail + 0.1, 0.05],
    [cabRear + 0.1, height - 0.02, 0.2 * softness],
    [(cabRear + head[0]) / 2, height, 0.6],
    [head[0], head[1], 0.25 * softness],
    [foot[0], foot[1], 0.2 * softness],
    [length - 0.2, nose + 0.02, 0.3 * softness],
    [length - 0.02, nose - 0.08, 0.12],
    [length, clearance + 0.2, 0.1],
    [length - 0.12, clearance, 0.08],
  ];
  const window: Corner[] = [
    [cabRear + 0.14, belt, 0.05],
    [cabRear + 0.2, top, 0.1],
    [alongAt(foot, head, top) - 0.1, top, 0.1],
    [foot[0] - 0.12, belt, 0.05],
  ];
  const inside = (sketch: Sketch) => {
    const { pen, far, look } = sketch;
    const [x, y] = [0.92 * far[0], 0.92 * far[1]];
    const walls: Corner[] = [
      [0.08, rail - 0.1],
      [bed, rail - 0.1],
      [bed + x, rail + y],
      [0.08 + x, rail + y],
    ];
    fillShape(pen, walls, css(look.paint.main, -28));
    drawLoad(sketch);
  };
  return {
    length,
    height,
    width: 1.95,
    clearance,
    wheels: [
      { x: rear, radius },
      { x: front, radius },
    ],
    parts: [
      {
        outline,
        shoulder: belt,
        windows: [window],
        pillars: crew ? [[[middle, belt] as const, [middle - 0.03, top] as const]] : [],
        seats: [[middle + 0.2, belt + 0.36]],
        screens: [
          [head, foot],
          [
            [cabRear, rail + 0.15],
            [cabRear + 0.1, height - 0.1],
          ],
        ],
        inside,
      },
    ],
    details: (sketch) => {
      const low = clearance + 0.08;
      faces(sketch, {
        nose: { x: length - 0.01, low: clearance + 0.18, high: nose - 0.06 },
        tail: { x: 0.015, low: clearance + 0.12, high: rail - 0.02 },
      });
      doorGap(sketch, [
        [foot[0] - 0.06, belt],
        [foot[0] - 0.06, clearance + 0.4],
        [foot[0] - 0.14, low],
        [middle, low],
        [middle, belt],
      ]);
      handle(sketch, [middle + 0.18, belt - 0.12]);
      if (crew) {
        doorGap(sketch, [
          [cabRear + 0.1, belt],
          [cabRear + 0.1, low],
          [middle, low],
        ]);
        handle(sketch, [cabRear + 0.28, belt - 0.12]);
      }
      doorGap(sketch, [
        [bed + 0.02, rail],
        [bed + 0.02, clearance],
      ]);
      bumper(sketch, 0, 0.3, clearance, clearance + 0.17);
      bumper(sketch, length, -0.34, clearance, clearance + 0.2);
      headlamp(sketch, [
        [length - 0.3, nose - 0.28, 0.04],
        [length - 0.28, nose - 0.06, 0.05],
        [length - 0.05, nose - 0.08, 0.04],
        [length - 0.02, nose - 0.28, 0.04],
      ]);
      tailLamp(sketch, [
        [0.02, rail - 0.34],
        [0.02, rail - 0.06],
        [0.13, rail - 0.06],
        [0.13, rail - 0.34],
      ]);
      mirror(sketch, [foot[0] - 0.26, belt], 1.15);
    },
  };
});
