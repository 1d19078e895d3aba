/** A cab, and behind it cargo on a frame of its own: a box, a flatbed, a tank or a tipper. */

import type { Random } from "../../../core/random.ts";
import { between, oneOf } from "../choices.ts";
import type { Pen } from "../paper.ts";
import { box, type Corner, fillShape, type Point, strokeLine } from "../shapes.ts";
import { bumper, doorGap, faces, handle, headlamp, mirror } from "./fittings.ts";
import type { Look } from "./look.ts";
import { decidePaint } from "./paint.ts";
import { type Part, vehicle } from "./vehicle.ts";

export const truck = vehicle((random) => {
  const bonnet = random.boolean(0.4) ? between(random, 1.0, 1.3) : 0;
  const cabLength = between(random, 1.5, 1.9);
  const cargoLength = between(random, 3.6, 5.2);
  const gap = between(random, 0.14, 0.3);
  const length = cargoLength + gap + cabLength + bonnet;
  const radius = between(random, 0.42, 0.5);
  const frame = between(random, 0.78, 0.92);
  const clearance = between(random, 0.4, 0.5);
  const cabRear = cargoLength + gap;
  const roof = between(random, 2.3, 2.7);
  const tandem = cargoLength > 4.3 && random.boolean(0.6);
  const front = length - (bonnet > 0 ? between(random, 0.75, 0.9) : between(random, 0.9, 1.1));
  const rear = between(random, 0.9, 1.2);
  const cargo = decideCargo(random, cargoLength, frame, roof);
  const cab = decideCab(random, { cabRear, cabLength, bonnet, roof, clearance });
  const wheels = [
    { x: rear, radius },
    { x: front, radius },
  ];
  if (tandem) wheels.push({ x: rear + 2.2 * radius, radius });
  return {
    length,
    height: Math.max(roof, cargo.top),
    width: 2.2,
    clearance: frame - 0.2,
    wheels,
    parts: [
      {
        outline: box(0.1, frame - 0.22, cabRear + 0.5, 0.24),
        shoulder: frame,
        colour: { hue: 220, saturation: 5, lightness: 15 },
      },
      cargo.part,
      cab.part,
    ],
    details: (pen, look, far) => {
      cargo.details(pen, look);
      cab.details(pen, look, far);
      fillShape(
        pen,
        box(rear + (tandem ? 3.6 : 1.4) * radius, clearance, 0.8, frame - clearance, 0.08),
        "hsl(215, 5%, 34%)",
      );
      fillShape(pen, box(0.02, frame - 0.26, 0.1, 0.14), "hsl(2, 75%, 42%)");
    },
  };
});

function decideCargo(random: Random, length: number, frame: number, roof: number) {
  const kind = oneOf(random, ["box", "box", "flatbed", "tank", "tipper"] as const);
  const colour = decidePaint(random).main;
  const top = kind === "box" ? roof + between(random, 0.1, 0.7) : frame + between(random, 0.9, 1.4);
  const ribs = 3 + random.integer(6);
  const line = "hsla(220, 10%, 8%, 0.35)";
  const part: Part = {
    outline: {
      box: box(0, frame, length, top - frame, 0.05),
      flatbed: box(0, frame - 0.02, length, 0.22, 0.02),
      tank: [
        [0, frame + 0.1, 0.2],
        [0, top, 0.5],
        [length, top, 0.5],
        [length, frame + 0.1, 0.2],
        [length - 0.3, frame - 0.05, 0.1],
        [0.3, frame - 0.05, 0.1],
      ] as Corner[],
      tipper: [
        [0.25, frame, 0.05],
        [0, frame + 0.4, 0.05],
        [-0.0, top, 0.03],
        [length, top, 0.03],
        [length, frame, 0.05],
      ] as Corner[],
    }[kind],
    shoulder: kind === "tank" ? top - 0.25 : frame + 0.7 * (top - frame),
    colour,
  };
  const stakes = random.boolean(0.6);
  const logs = Array.from({ length: 7 }, () => between(random, 24, 40));
  const details = (pen: Pen, look: Look) => {
    if (kind === "flatbed") {
      if (stakes) {
        for (let i = 0; i <= ribs; i++)
          fillShape(
            pen,
            box(0.05 + (i * (length - 0.17)) / ribs, frame + 0.1, 0.12, 0.9),
            "hsl(28, 30%, 34%)",
          );
        for (const y of [0.3, 0.55, 0.8])
          fillShape(pen, box(0.04, frame + y, length - 0.08, 0.16), "hsl(30, 32%, 42%)");
      } else {
        for (const [i, lightness] of logs.entries()) {
          const from = 0.15 + (i % 2) * 0.1;
          fillShape(
            pen,
            box(from, frame + 0.18 + i * 0.16, length - 0.4, 0.18, 0.08),
            `hsl(28, 34%, ${lightness}%)`,
          );
        }
        fillShape(pen, box(length - 0.12, frame + 0.1, 0.12, 1.35), "hsl(220, 4%, 28%)");
      }
      return;
    }
    const count = kind === "tank" ? 3 : ribs;
    for (let i = 1; i < count; i++)
      strokeLine(
        pen,
        [
          [(i * length) / count, frame + 0.06],
          [(i * length) / count, top - 0.04],
        ],
        kind === "tipper" ? 0.1 : 0.03,
        line,
      );
    if (kind === "box")
      strokeLine(
        pen,
        [
          [0.03, frame + 0.05],
          [length - 0.03, frame + 0.05],
        ],
        0.07,
        look.trim === "chrome" ? "hsl(215, 6%, 72%)" : "hsl(220, 5%, 20%)",
      );
    if (kind === "tank")
      strokeLine(
        pen,
        [
          [0.1, (frame + top) / 2],
          [length - 0.1, (frame + top) / 2],
        ],
        0.1,
        line,
      );
  };
  return { top: kind === "flatbed" ? frame + 1.5 : top, part, details };
}

function decideCab(
  random: Random,
  {
    cabRear,
    cabLength,
    bonnet,
    roof,
    clearance,
  }: { cabRear: number; cabLength: number; bonnet: number; roof: number; clearance: number },
) {
  const end = cabRear + cabLength + bonnet;
  const cowl = cabRear + cabLength;
  const belt = between(random, 1.45, 1.6);
  const lean = bonnet > 0 ? between(random, 0.25, 0.4) : between(random, 0.08, 0.22);
  const softness = between(random, 0.4, 1.2);
  const nose = bonnet > 0 ? between(random, 1.3, 1.42) : belt;
  const foot: Point = [cowl - (bonnet > 0 ? 0 : 0.03), belt];
  const head: Point = [cowl - lean, roof - 0.05];
  const top = roof - 0.25;
  const outline: Corner[] = [
    [cabRear, clearance + 0.1, 0.04],
    [cabRear, roof - 0.04, 0.15 * softness],
    [(cabRear + head[0]) / 2, roof, 0.4],
    [head[0], head[1], 0.25 * softness],
    [foot[0], foot[1], 0.1],
    ...(bonnet > 0 ? ([[end - 0.1, nose, 0.2 * softness]] as Corner[]) : []),
    [end, clearance + 0.3, 0.1],
    [end - 0.04, clearance, 0.05],
    [cabRear + 0.1, clearance, 0.04],
  ];
  const headX = foot[0] + ((head[0] - foot[0]) * (top - foot[1])) / (head[1] - foot[1]);
  const rearX = cabRear + between(random, 0.25, 0.5);
  const part: Part = {
    outline,
    shoulder: belt,
    windows: [
      [
        [rearX, belt, 0.05],
        [rearX, top, 0.08],
        [headX - 0.1, top, 0.08],
        [foot[0] - 0.1, belt, 0.05],
      ],
    ],
    screens: [[head, foot]],
  };
  const lampBase = clearance + 0.34;
  const details = (pen: Pen, look: Look, far: Point) => {
    faces(pen, look, far, {
      nose: { x: end - 0.01, low: clearance + 0.04, high: nose - 0.1 },
      tail: { x: 0.01, low: 0.6, high: 0.9 },
    });
    doorGap(pen, look, [
      [foot[0] - 0.06, belt],
      [foot[0] - 0.06, clearance + 0.55],
      [rearX - 0.06, clearance + 0.2],
      [rearX - 0.06, top + 0.05],
      [headX - 0.06, top + 0.05],
    ]);
    handle(pen, look, [rearX + 0.14, belt - 0.14]);
    bumper(pen, look, [
      [end - 0.45, clearance - 0.02, 0.04],
      [end - 0.45, clearance + 0.26, 0.04],
      [end, clearance + 0.26, 0.04],
      [end, clearance - 0.02, 0.04],
    ]);
    headlamp(pen, look, [
      [end - 0.28, lampBase, 0.04],
      [end - 0.28, lampBase + 0.2, 0.05],
      [end - 0.05, lampBase + 0.2, 0.04],
      [end - 0.02, lampBase, 0.04],
    ]);
    mirror(pen, look, [foot[0] - 0.14, belt + 0.1], 1.8);
  };
  return { part, details };
}
