/** How a vehicle is drawn once its shape and look are decided: from the ground up, from the far side to the near one. */

import type { Random } from "../../../core/random.ts";
import { type Colour, css } from "../choices.ts";
import type { ObjectDrawing } from "../drawing.ts";
import type { Pen } from "../paper.ts";
import {
  addOutline,
  type Corner,
  fade,
  fillDisc,
  fillShape,
  flattened,
  type Point,
  strokeLine,
  trace,
  upright,
} from "../shapes.ts";
import { decideLook, type Look } from "./look.ts";
import { coat, type Paint } from "./paint.ts";
import { drawWheel } from "./wheels.ts";

/** A part with a profile of its own, as wide as the vehicle. Outlines run from the rear bottom over the top. */
export interface Part {
  outline: readonly Corner[];
  /** Height at which the side turns towards roof and windows. */
  shoulder: number;
  /** Side windows, and where along them stand the pillars, as pairs of foot and head. */
  windows?: readonly (readonly Corner[])[];
  pillars?: readonly (readonly [Point, Point])[];
  /** Stretches of the outline that are glass, such as the windscreen, as pairs of ends. */
  screens?: readonly (readonly [Point, Point])[];
  /** Of another colour than the body. */
  colour?: Colour;
  /** What the far side shows before the near side hides it, such as the inside of a bed. */
  inside?: (pen: Pen, far: Point, look: Look) => void;
}

/** In metres, driving to the right, on the ground. */
export interface VehicleShape {
  length: number;
  height: number;
  width: number;
  /** Height of the underside. */
  clearance: number;
  wheels: readonly { x: number; radius: number }[];
  parts: readonly Part[];
  /** Over everything but the wheels: doors, handles, lamps, bumpers. */
  details: (pen: Pen, look: Look, far: Point) => void;
}

export interface VehicleDrawing extends ObjectDrawing {
  paint: Paint;
}

/** A kind of vehicle, from how its shape is decided. */
export function vehicle(decideShape: (random: Random) => VehicleShape): (random: Random) => VehicleDrawing {
  return (random) => {
    const look = decideLook(random);
    const shape = decideShape(random);
    const far: Point = [look.view[0] * shape.width, look.view[1] * shape.width];
    const extent = {
      left: Math.min(0, far[0]),
      right: shape.length + Math.max(0, far[0]),
      bottom: 0,
      top: shape.height + far[1],
    };
    return {
      ...upright(extent, look.mirrored, (pen) => drawVehicle(pen, shape, look, far)),
      paint: look.paint,
    };
  };
}

function drawVehicle(pen: Pen, shape: VehicleShape, look: Look, far: Point): void {
  drawUnderside(pen, shape, far);
  for (const part of shape.parts) drawFarSide(pen, part, look, far);
  for (const part of shape.parts) {
    drawSide(pen, part, look);
    drawGlass(pen, part, look);
  }
  drawWear(pen, shape, look);
  for (const { x, radius } of shape.wheels) drawArch(pen, shape, x, radius);
  shape.details(pen, look, far);
  for (const [turn, { x, radius }] of shape.wheels.entries()) {
    drawWheel(pen, look.wheels, [x, radius], radius, turn);
  }
}

/** The dark between the wheels, and the far wheels. */
function drawUnderside(pen: Pen, { wheels, clearance }: VehicleShape, far: Point): void {
  const first = Math.min(...wheels.map(({ x }) => x));
  const last = Math.max(...wheels.map(({ x }) => x));
  const low = 0.6 * clearance;
  for (const { x, radius } of wheels)
    fillDisc(pen, [x + far[0], radius + far[1]], radius, "hsl(220, 5%, 9%)");
  fillShape(
    pen,
    [
      [first, low],
      [first + far[0], clearance + far[1] + 0.1],
      [last + far[0], clearance + far[1] + 0.1],
      [last, low],
    ],
    "hsl(220, 6%, 8%)",
  );
}

/** The faces between the near and the far side that the view shows: roof, bonnet, screens, nose or tail. */
function drawFarSide(pen: Pen, part: Part, look: Look, far: Point): void {
  const colour = part.colour ?? look.paint.main;
  const points = flattened(part.outline, 3);
  points.forEach((from, i) => {
    const to = points[(i + 1) % points.length]!;
    const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
    if (length === 0) return;
    // Outlines run clockwise: outwards is to the left of their course.
    const outwards: Point = [(from[1] - to[1]) / length, (to[0] - from[0]) / length];
    if (outwards[0] * far[0] + outwards[1] * far[1] <= 0) return;
    const middle: Point = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];
    const glass = part.screens?.some((screen) => isOn(screen, middle));
    const light = look.paint.gloss * (14 * Math.max(0, outwards[1]) - 12 * Math.abs(outwards[0]));
    const ink = glass ? css(look.glass, 10 * outwards[1]) : css(colour, light);
    fillShape(pen, [from, to, [to[0] + far[0], to[1] + far[1]], [from[0] + far[0], from[1] + far[1]]], ink);
    // Neighbouring faces would let the ground through along their common edge.
    strokeLine(pen, [from, [from[0] + far[0], from[1] + far[1]]], 0.02, ink);
  });
  part.inside?.(pen, far, look);
}

function isOn([a, b]: readonly [Point, Point], [x, y]: Point): boolean {
  const margin = 0.05;
  return (
    x > Math.min(a[0], b[0]) - margin &&
    x < Math.max(a[0], b[0]) + margin &&
    y > Math.min(a[1], b[1]) &&
    y < Math.max(a[1], b[1])
  );
}

function drawSide(pen: Pen, part: Part, { paint }: Look): void {
  const heights = part.outline.map(([, y]) => y);
  const [bottom, top] = [Math.min(...heights), Math.max(...heights)];
  const { gloss, pattern, second } = paint;
  const main = part.colour ?? paint.main;
  fillShape(pen, part.outline, coat(pen, main, gloss, bottom, part.shoulder, top));
  if (pattern === "plain" || part.colour !== undefined) return;
  const split = pattern === "roof" ? part.shoulder : bottom + 0.45 * (part.shoulder - bottom);
  pen.save();
  trace(pen, part.outline);
  pen.clip();
  pen.fillStyle = coat(pen, second, gloss, bottom, part.shoulder, top);
  pen.fillRect(
    -1,
    pattern === "roof" ? split : bottom - 1,
    20,
    pattern === "roof" ? top : 1 + split - bottom,
  );
  pen.restore();
}

function drawGlass(pen: Pen, { windows = [], pillars = [], colour }: Part, look: Look): void {
  for (const pane of windows) {
    const [lows, xs] = [pane.map(([, y]) => y), pane.map(([x]) => x)];
    const [bottom, top] = [Math.min(...lows), Math.max(...lows)];
    const [left, right] = [Math.min(...xs), Math.max(...xs)];
    const { glass } = look;
    fillShape(
      pen,
      pane,
      fade(pen, bottom, top, [
        [0, css(glass, -4)],
        [0.5, css(glass, 2)],
        [1, css(glass, 16)],
      ]),
    );
    if (look.reflections.length > 0) {
      pen.save();
      trace(pen, pane);
      pen.clip();
      for (const { place, width, strength } of look.reflections) {
        const x = left + place * (right - left);
        const reach = width * (right - left);
        const lean = 0.6 * (top - bottom);
        fillShape(
          pen,
          [
            [x, bottom],
            [x + lean, top],
            [x + lean + reach, top],
            [x + reach, bottom],
          ],
          `hsla(205, 30%, 88%, ${strength})`,
        );
      }
      pen.restore();
    }
    trace(pen, pane);
    pen.lineWidth = 0.035;
    pen.strokeStyle =
      look.trim === "chrome"
        ? "hsl(215, 6%, 70%)"
        : look.trim === "black"
          ? "hsl(220, 5%, 12%)"
          : css(colour ?? look.paint.main, -14);
    pen.stroke();
  }
  const ink = look.pillars === "black" ? "hsl(220, 5%, 10%)" : css(colour ?? look.paint.main, -3);
  for (const [foot, head] of pillars) strokeLine(pen, [foot, head], 0.09, ink);
}

function drawArch(pen: Pen, { clearance }: VehicleShape, x: number, radius: number): void {
  const reach = 1.13 * radius;
  pen.beginPath();
  pen.ellipse(x, radius, reach, reach, 0, 0, Math.PI);
  pen.lineTo(x - reach, clearance);
  pen.lineTo(x + reach, clearance);
  pen.closePath();
  pen.fillStyle = "hsl(220, 6%, 7%)";
  pen.fill();
}

/** Dust from the road upwards, scratches and dents. */
function drawWear(
  pen: Pen,
  { parts, length, height, clearance }: VehicleShape,
  { dirt, scratches, dents }: Look,
): void {
  const top = clearance + dirt.height * height;
  for (const { outline } of parts) {
    if (dirt.strength === 0) break;
    fillShape(
      pen,
      outline,
      fade(pen, clearance, top, [
        [0, css(dirt.colour, 0, dirt.strength)],
        [1, css(dirt.colour, 0, 0)],
      ]),
    );
  }
  pen.save();
  pen.beginPath();
  for (const { outline } of parts) addOutline(pen, outline);
  pen.clip();
  for (const { at, size, slope } of scratches) {
    const [x, y] = [at[0] * length, at[1] * height];
    strokeLine(
      pen,
      [
        [x, y],
        [x + size * length, y + slope * size * length],
      ],
      0.015,
      "hsla(30, 8%, 75%, 0.5)",
    );
  }
  for (const { at, size } of dents) {
    const [x, y] = [at[0] * length, at[1] * height];
    fillDisc(pen, [x, y], size * length, "hsla(220, 10%, 8%, 0.14)", 0.6 * size * length);
    fillDisc(
      pen,
      [x, y - 0.3 * size * length],
      0.7 * size * length,
      "hsla(0, 0%, 100%, 0.12)",
      0.3 * size * length,
    );
  }
  pen.restore();
}
