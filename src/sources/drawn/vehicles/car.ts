/** Cars of one body from nose to tail: sedans, hatchbacks, coupes and SUVs differ in where its corners lie. */

import type { Random } from "../../../core/random.ts";
import { between, grey } from "../choices.ts";
import { box, type Corner, fillShape, type Point, strokeLine } from "../shapes.ts";
import { bumper, doorGap, faces, handle, headlamp, mirror, strip, tailLamp } from "./fittings.ts";
import type { Sketch } from "./look.ts";
import type { VehiclePart, VehicleShape } from "./vehicle.ts";

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
  /** How far something reaches behind the tail. */
  behind?: number;
  /** Drawn last, over doors and lamps. */
  extras?: (sketch: Sketch) => void;
}

export function carShape(random: Random, corners: CarCorners): VehicleShape {
  const { length, clearance, wheelRadius, peak } = corners;
  const axles = { rear: corners.overhangs[1], front: length - corners.overhangs[0] };
  const belt = corners.frontFoot[1] - between(random, 0, 0.05);
  const cabin = decideCabin(random, corners, belt, axles.rear);
  const ends = decideEnds(random, corners);
  const crease = random.boolean(0.6);
  const moulding = random.boolean(0.35);
  const reach = 1.2 * wheelRadius;
  return {
    length,
    height: peak[1],
    width: corners.width,
    clearance,
    behind: corners.behind ?? 0,
    wheels: [
      { x: axles.rear, radius: wheelRadius },
      { x: axles.front, radius: wheelRadius },
    ],
    parts: [{ outline: outlineOf(corners), shoulder: belt, ...cabin.part }],
    details: (sketch) => {
      const { pen, fine } = sketch;
      cabin.drawDoors(sketch);
      if (crease && fine) {
        const line: Point[] = [
          [0.3, belt - 0.2],
          [length - 0.45, belt - 0.24],
        ];
        strokeLine(pen, line, 0.02, grey(5, 0.3));
      }
      const middle = clearance + 0.25;
      if (moulding) strip(sketch, [axles.rear + reach, middle], [axles.front - reach, middle], 0.06);
      ends(sketch);
      const sill = box(axles.rear, clearance - 0.02, axles.front - axles.rear, 0.08);
      fillShape(pen, sill, grey(8, 0.85));
      corners.extras?.(sketch);
    },
  };
}

function outlineOf(corners: CarCorners): Corner[] {
  const { length, clearance, tail, nose, rearFoot, rearHead, peak, frontHead, frontFoot } = corners;
  const round = (size: number) => size * corners.softness;
  return [
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
}

/** Windows, pillars and doors. */
function decideCabin(random: Random, corners: CarCorners, belt: number, rearAxle: number) {
  const { rearFoot, rearHead, peak, frontHead, frontFoot, rearPillar, doors, clearance } = corners;
  const rearBelt = belt + between(random, -0.02, 0.06);
  const roofBand = between(random, 0.07, 0.11);
  // Side windows follow the screens at a pillar's distance.
  const front = frontFoot[0] - 0.12;
  const rear = rearFoot[0] + rearPillar;
  const [frontTop, rearTop, top] = [frontHead[1], rearHead[1], peak[1]].map((y) => y! - roofBand) as [
    number,
    number,
    number,
  ];
  const window: Corner[] = [
    [rear, rearBelt, 0.08],
    [alongAt(rearFoot, rearHead, rearTop) + rearPillar, rearTop, 0.18],
    [peak[0], top, 1],
    [alongAt(frontFoot, frontHead, frontTop) - 0.1, frontTop, 0.12],
    [front, belt, 0.06],
  ];
  const middle =
    rear + (front - rear) * (doors === 4 ? between(random, 0.46, 0.54) : between(random, 0.26, 0.36));
  const pillar = (foot: number): [Point, Point] => [
    [foot, rearBelt],
    [foot - 0.05, top],
  ];
  const pillars = [pillar(middle)];
  const quarter = Math.max(rear + 0.25, rearAxle + 0.05);
  if (doors === 4 && rear < rearAxle - 0.1 && middle - quarter > 0.4) pillars.push(pillar(quarter));
  const seatTop = belt + 0.55 * (top - belt);
  const seats: Point[] = [[middle + 0.16, seatTop + 0.06]];
  if (doors === 4) seats.push([rear + 0.3, seatTop]);
  const part: Omit<VehiclePart, "outline" | "shoulder"> = {
    windows: [window],
    pillars,
    seats,
    screens: [
      [rearFoot, rearHead],
      [frontHead, frontFoot],
    ],
  };
  const drawDoors = (sketch: Sketch) => {
    const low = clearance + 0.08;
    doorGap(sketch, [
      [front - 0.02, belt],
      [front + 0.01, clearance + 0.35],
      [front - 0.08, low],
      [middle, low],
      [middle, rearBelt],
    ]);
    handle(sketch, [middle + 0.2, belt - 0.13]);
    mirror(sketch, [front - 0.14, belt - 0.03]);
    if (doors === 2) return;
    const back = Math.max(rear, rearAxle - 0.1);
    doorGap(sketch, [
      [back, rearBelt],
      [Math.max(back, rearAxle + 0.2), clearance + 0.55],
      [rearAxle + 1.2 * corners.wheelRadius, low],
      [middle, low],
    ]);
    handle(sketch, [back + 0.3, rearBelt - 0.12]);
  };
  return { part, drawDoors };
}

/** Lamps and bumpers. */
function decideEnds(random: Random, { length, clearance, nose, tail }: CarCorners): (sketch: Sketch) => void {
  const lamp = between(random, 0.1, 0.2);
  const lampLength = between(random, 0.25, 0.5);
  const tailLampLength = between(random, 0.12, 0.4);
  const bumperLength = between(random, 0.3, 0.42);
  const bumperTop = clearance + between(random, 0.17, 0.22);
  return (sketch) => {
    faces(sketch, {
      nose: { x: length - 0.01, low: clearance + 0.2, high: nose - 0.08 },
      tail: { x: 0.01, low: clearance + 0.15, high: tail - 0.04 },
    });
    bumper(sketch, 0, bumperLength, clearance + 0.05, bumperTop);
    bumper(sketch, length, -bumperLength, clearance + 0.05, bumperTop);
    headlamp(sketch, [
      [length - lampLength, nose - 0.1, 0.05],
      [length - lampLength * 0.8, nose - 0.12 + lamp, 0.06],
      [length - 0.1, nose - 0.06, 0.05],
      [length - 0.03, nose - 0.18, 0.05],
    ]);
    tailLamp(sketch, [
      [0.02, tail - 0.22, 0.03],
      [0.05, tail - 0.05, 0.03],
      [tailLampLength, tail - 0.07, 0.05],
      [tailLampLength * 0.7, tail - 0.22, 0.05],
    ]);
  };
}

/** Where the line through two points reaches a height. */
export function alongAt(a: Point, b: Point, y: number): number {
  return a[0] + ((b[0] - a[0]) * (y - a[1])) / (b[1] - a[1]);
}
