/** How a vehicle is drawn once its shape and look are decided: from the ground up, from the far side to the near one. */

import type { Random } from "../../../core/random.ts";
import { type Colour, grey } from "../choices.ts";
import type { ObjectDrawing } from "../drawing.ts";
import { type Corner, fillDisc, fillShape, type Point, upright } from "../shapes.ts";
import { decideLook, type Sketch } from "./look.ts";
import type { Paint } from "./paint.ts";
import { drawFarSide, drawGlass, drawSide } from "./surfaces.ts";
import { drawWheel } from "./wheels.ts";

/** A part with a profile of its own, as wide as the vehicle. Outlines run from the rear bottom over the top. */
export interface VehiclePart {
  outline: readonly Corner[];
  /** Height at which the side turns towards roof and windows. */
  shoulder: number;
  /** Side windows, and where along them stand the pillars, as pairs of foot and head. */
  windows?: readonly (readonly Corner[])[];
  pillars?: readonly (readonly [Point, Point])[];
  /** Tops of the seats that can be seen through the windows. */
  seats?: readonly Point[];
  /** Stretches of the outline that are glass, such as the windscreen, as pairs of ends. */
  screens?: readonly (readonly [Point, Point])[];
  /** Of another colour than the body. */
  colour?: Colour;
  /** What the far side shows before the near side hides it, such as the inside of a bed. */
  inside?: (sketch: Sketch) => void;
}

/** In metres, driving to the right, on the ground. */
export interface VehicleShape {
  length: number;
  height: number;
  width: number;
  /** Height of the underside. */
  clearance: number;
  /** How far things such as a spare wheel reach behind the rear end. */
  behind?: number;
  wheels: readonly { x: number; radius: number }[];
  parts: readonly VehiclePart[];
  /** Over everything but the wheels: doors, handles, lamps, bumpers. */
  details: (sketch: Sketch) => void;
}

export interface VehicleDrawing extends ObjectDrawing {
  paint: Paint;
}

/** A pixel of more metres than this shows no handles, gaps or spokes. */
const finePixel = 0.09;

/** A kind of vehicle, from how its shape is decided. */
export function vehicle(decideShape: (random: Random) => VehicleShape): (random: Random) => VehicleDrawing {
  return (random) => {
    const look = decideLook(random);
    const shape = decideShape(random);
    const far: Point = [look.view[0] * shape.width, look.view[1] * shape.width];
    const extent = {
      left: Math.min(-(shape.behind ?? 0), far[0]),
      right: shape.length + Math.max(0, far[0]),
      bottom: 0,
      top: shape.height + far[1],
    };
    const drawing = upright(
      extent,
      (pen, pixel) => drawVehicle(shape, { pen, look, far, fine: pixel < finePixel }),
      { mirrored: look.mirrored },
    );
    return { ...drawing, paint: look.paint };
  };
}

function drawVehicle(shape: VehicleShape, sketch: Sketch): void {
  const { pen, look, fine } = sketch;
  drawUnderside(shape, sketch);
  for (const part of shape.parts) drawFarSide(part, sketch);
  for (const part of shape.parts) {
    drawSide(part, shape, sketch);
    drawGlass(part, sketch);
  }
  for (const { x, radius } of shape.wheels) drawArch(shape, sketch, x, radius);
  shape.details(sketch);
  for (const [turn, { x, radius }] of shape.wheels.entries()) {
    drawWheel(pen, look.wheels, [x, radius], radius, fine ? turn : undefined);
  }
}

/** The dark between the wheels, and the far wheels. */
function drawUnderside({ wheels, clearance }: VehicleShape, { pen, far }: Sketch): void {
  const places = wheels.map(({ x }) => x);
  const [first, last] = [Math.min(...places), Math.max(...places)];
  const low = 0.6 * clearance;
  const high = clearance + far[1] + 0.1;
  for (const { x, radius } of wheels) fillDisc(pen, [x + far[0], radius + far[1]], radius, grey(9));
  const corners: Corner[] = [
    [first, low],
    [first + far[0], high],
    [last + far[0], high],
    [last, low],
  ];
  fillShape(pen, corners, grey(8));
}

function drawArch({ clearance }: VehicleShape, { pen }: Sketch, x: number, radius: number): void {
  const reach = 1.13 * radius;
  pen.beginPath();
  pen.arc(x, radius, reach, 0, Math.PI);
  pen.lineTo(x - reach, clearance);
  pen.lineTo(x + reach, clearance);
  pen.closePath();
  pen.fillStyle = grey(7);
  pen.fill();
}
