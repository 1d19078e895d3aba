/** A cab before an open bed. */

import { between, css, oneOf } from "../choices.ts";
import { type Corner, fillDisc, fillShape, type Point } from "../shapes.ts";
import { bumper, doorGap, faces, handle, headlamp, mirror, tailLamp } from "./fittings.ts";
import { vehicle } from "./vehicle.ts";

export const pickup = vehicle((random) => {
  const crew = random.boolean(0.4);
  const bed = crew ? between(random, 1.5, 1.8) : between(random, 1.9, 2.4);
  const length = bed + (crew ? between(random, 3.4, 3.7) : between(random, 2.7, 3.0));
  const height = between(random, 1.7, 1.88);
  const clearance = between(random, 0.42, 0.54);
  const radius = between(random, 0.37, 0.43);
  const rail = between(random, 1.0, 1.12);
  const nose = between(random, 0.98, 1.1);
  const foot: Point = [length - between(random, 1.2, 1.45), between(random, 1.12, 1.2)];
  const head: Point = [foot[0] - between(random, 0.45, 0.65), height - 0.03];
  const cabRear = bed + 0.04;
  const belt = Math.max(foot[1] - 0.03, rail + 0.02);
  const [front, rear] = [length - between(random, 0.8, 0.9), between(random, 1.0, 1.15)];
  const softness = between(random, 0.4, 1);
  const middle = crew ? (cabRear + foot[0]) / 2 - 0.1 : cabRear + 0.1;
  const top = height - between(random, 0.1, 0.14);
  const headX = foot[0] + ((head[0] - foot[0]) * (top - foot[1])) / (head[1] - foot[1]);
  const load = oneOf(random, ["nothing", "nothing", "bales", "crates", "barrels"] as const);
  const loads = Array.from({ length: 2 + random.integer(2) }, (_, i) => ({
    x: 0.3 + i * 0.5,
    width: between(random, 0.35, 0.46),
    height: between(random, 0.12, 0.36),
    light: between(random, -8, 8),
  }));
  const window: Corner[] = [
    [cabRear + 0.14, belt, 0.05],
    [cabRear + 0.2, top, 0.1],
    [headX - 0.1, top, 0.1],
    [foot[0] - 0.12, belt, 0.05],
  ];
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
        pillars: crew
          ? [
              [
                [middle, belt],
                [middle - 0.03, top],
              ],
            ]
          : [],
        screens: [
          [head, foot],
          [
            [cabRear, rail + 0.15],
            [cabRear + 0.1, height - 0.1],
          ],
        ],
        inside: (pen, far, look) => {
          fillShape(
            pen,
            [
              [0.08, rail - 0.1],
              [bed, rail - 0.1],
              [bed + far[0] * 0.92, rail + far[1] * 0.92],
              [0.08 + far[0] * 0.92, rail + far[1] * 0.92],
            ],
            css(look.paint.main, -28),
          );
          if (load === "nothing") return;
          for (const item of loads) {
            const at: Point = [item.x + far[0] / 2, rail - 0.2 + far[1] / 2];
            if (item.x + item.width > bed - 0.1) continue;
            if (load === "bales")
              fillShape(
                pen,
                [
                  [at[0], at[1], 0.05],
                  [at[0], rail + item.height, 0.08],
                  [at[0] + item.width, rail + item.height, 0.08],
                  [at[0] + item.width, at[1], 0.05],
                ],
                `hsl(44, 48%, ${54 + item.light}%)`,
              );
            if (load === "crates")
              fillShape(
                pen,
                [
                  [at[0], at[1]],
                  [at[0], rail + item.height],
                  [at[0] + item.width, rail + item.height],
                  [at[0] + item.width, at[1]],
                ],
                `hsl(28, 32%, ${40 + item.light}%)`,
              );
            if (load === "barrels") {
              fillShape(
                pen,
                [
                  [at[0], at[1]],
                  [at[0], rail + item.height],
                  [at[0] + 0.32, rail + item.height],
                  [at[0] + 0.32, at[1]],
                ],
                `hsl(210, 30%, ${36 + item.light}%)`,
              );
              fillDisc(
                pen,
                [at[0] + 0.16, rail + item.height],
                0.16,
                `hsl(210, 20%, ${52 + item.light}%)`,
                0.04,
              );
            }
          }
        },
      },
    ],
    details: (pen, look, far) => {
      faces(pen, look, far, {
        nose: { x: length - 0.01, low: clearance + 0.04, high: nose - 0.06 },
        tail: { x: 0.015, low: clearance + 0.04, high: rail - 0.02 },
      });
      doorGap(pen, look, [
        [foot[0] - 0.06, belt],
        [foot[0] - 0.06, clearance + 0.4],
        [foot[0] - 0.14, clearance + 0.08],
        [middle, clearance + 0.08],
        [middle, belt],
      ]);
      handle(pen, look, [middle + 0.18, belt - 0.12]);
      if (crew) {
        doorGap(pen, look, [
          [cabRear + 0.1, belt],
          [cabRear + 0.1, clearance + 0.08],
          [middle, clearance + 0.08],
        ]);
        handle(pen, look, [cabRear + 0.28, belt - 0.12]);
      }
      doorGap(pen, look, [
        [bed + 0.02, rail],
        [bed + 0.02, clearance],
      ]);
      bumper(pen, look, [
        [-0.0, clearance, 0.03],
        [0, clearance + 0.16, 0.03],
        [0.3, clearance + 0.16, 0.03],
        [0.3, clearance + 0.02, 0.03],
      ]);
      bumper(pen, look, [
        [length - 0.34, clearance, 0.03],
        [length - 0.34, clearance + 0.18, 0.04],
        [length, clearance + 0.2, 0.05],
        [length - 0.02, clearance, 0.05],
      ]);
      headlamp(pen, look, [
        [length - 0.3, nose - 0.28, 0.04],
        [length - 0.28, nose - 0.06, 0.05],
        [length - 0.05, nose - 0.08, 0.04],
        [length - 0.02, nose - 0.28, 0.04],
      ]);
      tailLamp(pen, look, [
        [0.02, rail - 0.34, 0.03],
        [0.02, rail - 0.06, 0.03],
        [0.13, rail - 0.06, 0.03],
        [0.13, rail - 0.34, 0.03],
      ]);
      mirror(pen, look, [foot[0] - 0.24, belt], 1.15);
    },
  };
});
