/** A cab, and behind it cargo on a frame of its own. */

import type { Random } from "../../../core/random.ts";
import { between, css, grey } from "../choices.ts";
import { box, type Corner, fillShape, type Point } from "../shapes.ts";
import { alongAt } from "./car.ts";
import { decideCargo } from "./cargo.ts";
import { bumper, doorGap, faces, handle, headlamp, mirror } from "./fittings.ts";
import type { Sketch } from "./look.ts";
import { type VehiclePart, vehicle } from "./vehicle.ts";

export const truck = vehicle((random) => {
  const bonnet = random.boolean(0.4) ? between(random, 0.9, 1.2) : 0;
  const cab = decideCab(random, bonnet);
  const cargoLength = between(random, 3.4, 4.9);
  const gap = between(random, 0.14, 0.3);
  const length = cargoLength + gap + cab.length;
  const radius = between(random, 0.44, 0.52);
  const frame = between(random, 0.8, 0.94);
  const tandem = cargoLength > 4.1 && random.boolean(0.6);
  const front = length - (bonnet > 0 ? between(random, 0.75, 0.9) : between(random, 0.9, 1.1));
  const rear = between(random, 0.9, 1.2);
  const cargo = decideCargo(random, cargoLength, frame, cab.roof);
  const cabParts = cab.at(cargoLength + gap);
  const wheels = [
    { x: rear, radius },
    { x: front, radius },
  ];
  if (tandem) wheels.push({ x: rear + 2.2 * radius, radius });
  const tankFrom = rear + (tandem ? 3.6 : 1.4) * radius;
  const chassis: VehiclePart = {
    outline: box(0.1, frame - 0.22, cargoLength + gap + 0.4, 0.24),
    shoulder: frame,
    colour: { hue: 220, saturation: 5, lightness: 15 },
  };
  return {
    length,
    height: Math.max(cab.roof, cargo.top),
    width: 2.2,
    clearance: frame - 0.2,
    wheels,
    parts: [chassis, cargo.part, cabParts.part],
    details: (sketch) => {
      const { pen, look } = sketch;
      cargo.details(sketch);
      cabParts.details(sketch);
      fillShape(pen, box(tankFrom, cab.clearance, 0.8, frame - cab.clearance, 0.08), grey(34));
      fillShape(pen, box(0.03, frame - 0.26, 0.1, 0.14), css(look.lamps.rear));
    },
  };
});

/** With a bonnet of that length, or none and the engine below. */
function decideCab(random: Random, bonnet: number) {
  const length = bonnet + between(random, 1.5, 1.85);
  const roof = between(random, 2.35, 2.75);
  const clearance = between(random, 0.4, 0.5);
  const belt = between(random, 1.5, 1.65);
  const lean = bonnet > 0 ? between(random, 0.25, 0.4) : between(random, 0.08, 0.22);
  const softness = between(random, 0.4, 1.2);
  const nose = bonnet > 0 ? between(random, 1.3, 1.42) : belt;
  const door = between(random, 0.25, 0.5);
  const top = roof - 0.25;
  const at = (rear: number) => {
    const end = rear + length;
    const foot: Point = [end - bonnet - (bonnet > 0 ? 0 : 0.03), belt];
    const head: Point = [end - bonnet - lean, roof - 0.05];
    const bonnetTop: Corner[] = bonnet > 0 ? [[end - 0.1, nose, 0.2 * softness]] : [];
    const outline: Corner[] = [
      [rear, clearance + 0.1, 0.04],
      [rear, roof - 0.04, 0.15 * softness],
      [(rear + head[0]) / 2, roof, 0.4],
      [head[0], head[1], 0.25 * softness],
      [foot[0], foot[1], 0.1],
      ...bonnetTop,
      [end, clearance + 0.3, 0.1],
      [end - 0.04, clearance, 0.05],
      [rear + 0.1, clearance, 0.04],
    ];
    const window: Corner[] = [
      [rear + door, belt, 0.05],
      [rear + door, top, 0.08],
      [alongAt(foot, head, top) - 0.1, top, 0.08],
      [foot[0] - 0.1, belt, 0.05],
    ];
    const part: VehiclePart = {
      outline,
      shoulder: belt,
      windows: [window],
      seats: [[rear + door + 0.2, belt + 0.42]],
      screens: [[head, foot]],
    };
    const details = (sketch: Sketch) => {
      faces(sketch, {
        nose: { x: end - 0.01, low: clearance + 0.28, high: nose - 0.1 },
      });
      const edge = rear + door - 0.06;
      doorGap(sketch, [
        [foot[0] - 0.06, belt],
        [foot[0] - 0.06, clearance + 0.55],
        [edge, clearance + 0.2],
        [edge, top + 0.05],
        [alongAt(foot, head, top) - 0.06, top + 0.05],
      ]);
      handle(sketch, [edge + 0.2, belt - 0.14]);
      bumper(sketch, end, -0.45, clearance - 0.02, clearance + 0.26);
      headlamp(sketch, [
        [end - 0.28, clearance + 0.34, 0.04],
        [end - 0.28, clearance + 0.54, 0.05],
        [end - 0.05, clearance + 0.54, 0.04],
        [end - 0.02, clearance + 0.34, 0.04],
      ]);
      mirror(sketch, [foot[0] - 0.36, belt + 0.1], 1.7);
    };
    return { part, details };
  };
  return { length, roof, clearance, at };
}
