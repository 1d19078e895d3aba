/** One tall box with a stub of a bonnet. */

import { between, grey, oneOf } from "../choices.ts";
import { type Corner, type Point, strokeLine } from "../shapes.ts";
import { alongAt } from "./car.ts";
import { bumper, doorGap, faces, handle, headlamp, mirror, tailLamp } from "./fittings.ts";
import { vehicle } from "./vehicle.ts";

export const van = vehicle((random) => {
  const length = between(random, 4.5, 5.5);
  const height = between(random, 1.98, 2.5);
  const clearance = between(random, 0.26, 0.34);
  const radius = between(random, 0.31, 0.36);
  const nose = between(random, 0.88, 1.02);
  const foot: Point = [length - between(random, 0.4, 0.8), between(random, 1.14, 1.28)];
  const head: Point = [foot[0] - between(random, 0.45, 0.75), height - 0.06];
  const belt = foot[1] - 0.02;
  const [front, rear] = [length - between(random, 0.75, 0.88), between(random, 0.85, 1.05)];
  const softness = between(random, 0.5, 1.2);
  const glazing = oneOf(random, ["cab", "cab", "all", "middle"] as const);
  const cabRear = head[0] - between(random, 0.25, 0.45);
  const top = Math.min(height - 0.18, belt + between(random, 0.65, 0.8));
  const lamp = between(random, 0.25, 0.4);
  const bay = (cabRear - 0.3) / 2;
  const rearPane = (from: number): Corner[] => [
    [from, belt, 0.06],
    [from, top, 0.08],
    [from + bay - 0.12, top, 0.08],
    [from + bay - 0.12, belt, 0.06],
  ];
  const windows: Corner[][] = [
    [
      [cabRear, belt, 0.05],
      [cabRear, top, 0.08],
      [alongAt(foot, head, top) - 0.12, top, 0.1],
      [foot[0] - 0.12, belt, 0.06],
    ],
  ];
  if (glazing !== "cab") windows.push(rearPane(0.24 + bay));
  if (glazing === "all") windows.push(rearPane(0.24));
  const outline: Corner[] = [
    [0.06, clearance, 0.08 * softness],
    [0, clearance + 0.3, 0.1],
    [0.03, height - 0.12, 0.5 * softness],
    [0.1, height - 0.02, 0.1 * softness],
    [length / 2, height, 1],
    [head[0], head[1], 0.3 * softness],
    [foot[0], foot[1], 0.3 * softness],
    [length - 0.14, nose, 0.2 * softness],
    [length, clearance + 0.25, 0.15 * softness],
    [length - 0.1, clearance, 0.1],
  ];
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
      { outline, shoulder: belt, windows, seats: [[cabRear + 0.2, belt + 0.42]], screens: [[head, foot]] },
    ],
    details: (sketch) => {
      const low = clearance + 0.1;
      faces(sketch, {
        nose: { x: length - 0.03, low: clearance + 0.2, high: nose - 0.04 },
        tail: { x: 0.015, low: clearance + 0.25, high: belt },
      });
      doorGap(sketch, [
        [foot[0] - 0.06, belt],
        [foot[0] - 0.08, clearance + 0.5],
        [front - 1.2 * radius, low],
        [cabRear - 0.06, low],
        [cabRear - 0.06, top + 0.06],
      ]);
      doorGap(sketch, [
        [cabRear - 0.12 - bay, top + 0.06],
        [cabRear - 0.12 - bay, low],
        [cabRear - 0.06, low],
      ]);
      if (sketch.fine) {
        const track: Point[] = [
          [0.2, belt - 0.1],
          [cabRear - 0.1, belt - 0.1],
        ];
        strokeLine(sketch.pen, track, 0.04, grey(6, 0.45));
      }
      handle(sketch, [cabRear + 0.12, belt - 0.13]);
      handle(sketch, [cabRear - 0.28, belt - 0.2]);
      bumper(sketch, 0, 0.4, clearance + 0.02, clearance + 0.2);
      bumper(sketch, length, -0.4, clearance + 0.02, clearance + 0.22);
      headlamp(sketch, [
        [length - lamp - 0.06, nose - 0.26, 0.05],
        [length - lamp, nose - 0.06, 0.06],
        [length - 0.16, nose - 0.06, 0.05],
        [length - 0.07, nose - 0.26, 0.05],
      ]);
      tailLamp(sketch, [
        [0.02, belt - 0.4],
        [0.02, belt - 0.05],
        [0.14, belt - 0.05],
        [0.14, belt - 0.4],
      ]);
      mirror(sketch, [foot[0] - 0.24, belt], 1.2);
    },
  };
});
