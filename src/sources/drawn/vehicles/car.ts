/** Cars of one body from nose to tail: sedans, hatchbacks, coupes and SUVs differ in where its corners lie. */

import type { Random } from "../../../core/random.ts";
import { between } from "../choices.ts";
import type { Pen } from "../paper.ts";
import { type Corner, fillShape, type Point, strokeLine } from "../shapes.ts";
import { bumper, doorGap, faces, handle, headlamp, mirror, tailLamp } from "./fittings.ts";
import type { Look } from "./look.ts";
import type { VehicleShape } from "./vehicle.ts";

/** In metres from the rear end and the ground. */
export interface CarCorners {
  length: number;
  width: number;
  clearance: number;
  wheelRadius: number;
  /** From the nose to the front axle, and from the rear axle to the tail. */
  overhangs: readonly [front: number, rear: number];
  /** Upper edge of the tail, and of the nose. */
  tail: number;
  nose: number;
  /** Where the rear screen begins and ends, the highest place of the roof, and the same for the windscreen. */
  rearFoot: Point;
  rearHead: Point;
  peak: Point;
  frontHead: Point;
  frontFoot: Point;
  /** From the rear screen to the side windows. */
  rearPillar: number;
  doors: 2 | 4;
  /** How round the corners are; 1 is usual. */
  softness: number;
  /** Drawn last, over doors and lamps. */
  extras?: (pen: Pen, look: Look, far: Point) => void;
}

export function carShape(random: Random, corners: CarCorners): VehicleShape {
  const { length, clearance, tail, nose, rearFoot, rearHead, peak, frontHead, frontFoot, softness } = corners;
  const beltRise = between(random, -0.02, 0.06);
  const belt = frontFoot[1] - between(random, 0.0, 0.05);
  const rearBelt = belt + beltRise;
  const roofBand = between(random, 0.07, 0.11);
  const lamp = between(random, 0.1, 0.2);
  const lampLength = between(random, 0.25, 0.5);
  const tailLampLength = between(random, 0.12, 0.4);
  const crease = random.boolean(0.6);
  const moulding = random.boolean(0.35);
  const radius = corners.wheelRadius;
  const front = length - corners.overhangs[0];
  const rear = corners.overhangs[1];
  const round = (size: number) => size * softness;
  const outline: Corner[] = [
    [0.1, clearance, round(0.1)],
    [0, clearance + 0.16, round(0.1)],
    [0.02, tail - 0.2, round(0.1)],
    [0.06, tail, round(0.12)],
    [rearFoot[0], rearFoot[1], round(0.2)],
    [rearHead[0], rearHead[1], round(0.45)],
    [peak[0], peak[1], 2],
    [frontHead[0], frontHead[1], round(0.4)],
    [frontFoot[0], frontFoot[1], round(0.25)],
    [length - 0.28, nose + 0.03, round(0.5)],
    [length - 0.04, nose - 0.1, round(0.15)],
    [length, clearance + 0.24, round(0.14)],
    [length - 0.12, clearance, round(0.12)],
  ];
  // Side windows follow the screens at a pillar's distance.
  const windowFront = frontFoot[0] - 0.12;
  const windowRear = rearFoot[0] + corners.rearPillar;
  const along = (a: Point, b: Point, y: number) => a[0] + ((b[0] - a[0]) * (y - a[1])) / (b[1] - a[1]);
  const windowTop = frontHead[1] - roofBand;
  const rearTop = rearHead[1] - roofBand;
  const window: Corner[] = [
    [windowRear, rearBelt, 0.08],
    [along(rearFoot, rearHead, rearTop) + corners.rearPillar, rearTop, 0.18],
    [peak[0], peak[1] - roofBand, 1],
    [along(frontFoot, frontHead, windowTop) - 0.1, windowTop, 0.12],
    [windowFront, belt, 0.06],
  ];
  const middle = windowRear + (windowFront - windowRear) * (corners.doors === 4 ? 0.5 : 0.3);
  const pillars: [Point, Point][] = [
    [
      [middle, rearBelt],
      [middle - 0.06, peak[1] - roofBand],
    ],
  ];
  if (corners.doors === 4 && windowRear < rear - 0.1) {
    const quarter = Math.max(windowRear + 0.25, rear + 0.05);
    if (middle - quarter > 0.4)
      pillars.push([
        [quarter, rearBelt],
        [quarter - 0.05, peak[1] - roofBand],
      ]);
  }
  const details = (pen: Pen, look: Look, far: Point) => {
    faces(pen, look, far, {
      nose: { x: length - 0.01, low: clearance + 0.06, high: nose - 0.08 },
      tail: { x: 0.01, low: clearance + 0.06, high: tail - 0.04 },
    });
    const doorFront = windowFront - 0.02;
    doorGap(pen, look, [
      [doorFront, belt],
      [doorFront + 0.03, clearance + 0.35],
      [doorFront - 0.06, clearance + 0.08],
      [middle, clearance + 0.08],
      [middle, rearBelt],
    ]);
    handle(pen, look, [middle + 0.2, belt - 0.13]);
    if (corners.doors === 4) {
      const arch = rear + 1.13 * radius + 0.04;
      const back = Math.max(windowRear, rear - 0.1);
      doorGap(pen, look, [
        [back, rearBelt],
        [Math.max(back, rear + 0.2), clearance + 0.55],
        [arch, clearance + 0.08],
        [middle, clearance + 0.08],
      ]);
      handle(pen, look, [back + 0.3, rearBelt - 0.12]);
    }
    if (crease)
      strokeLine(
        pen,
        [
          [0.3, belt - 0.2],
          [length - 0.45, belt - 0.24],
        ],
        0.02,
        "hsla(220, 10%, 5%, 0.3)",
      );
    if (moulding)
      strokeLine(
        pen,
        [
          [rear + 1.2 * radius, clearance + 0.26],
          [front - 1.2 * radius, clearance + 0.24],
        ],
        0.06,
        look.trim === "chrome" ? "hsl(215, 6%, 76%)" : "hsl(220, 5%, 14%)",
      );
    bumper(pen, look, [
      [0.03, clearance + 0.05, 0.04],
      [0.0, clearance + 0.2, 0.04],
      [0.34, clearance + 0.18, 0.04],
      [0.34, clearance + 0.06, 0.04],
    ]);
    bumper(pen, look, [
      [length - 0.36, clearance + 0.06, 0.04],
      [length - 0.36, clearance + 0.17, 0.04],
      [length - 0.01, clearance + 0.2, 0.06],
      [length - 0.05, clearance + 0.05, 0.06],
    ]);
    headlamp(pen, look, [
      [length - lampLength, nose - 0.1, 0.05],
      [length - lampLength * 0.8, nose - 0.12 + lamp, 0.06],
      [length - 0.1, nose - 0.06, 0.05],
      [length - 0.03, nose - 0.18, 0.05],
    ]);
    tailLamp(pen, look, [
      [0.02, tail - 0.22, 0.03],
      [0.05, tail - 0.05, 0.03],
      [tailLampLength, tail - 0.07, 0.05],
      [tailLampLength * 0.7, tail - 0.22, 0.05],
    ]);
    mirror(pen, look, [windowFront - 0.12, belt - 0.03]);
    fillShape(
      pen,
      [
        [rear + radius, clearance + 0.06],
        [front - radius, clearance + 0.06],
        [front - radius, clearance - 0.02],
        [rear + radius, clearance - 0.02],
      ],
      "hsla(220, 6%, 8%, 0.85)",
    );
    corners.extras?.(pen, look, far);
  };
  return {
    length,
    height: peak[1],
    width: corners.width,
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
        pillars,
        screens: [
          [rearFoot, rearHead],
          [frontHead, frontFoot],
        ],
      },
    ],
    details,
  };
}
