/** The surfaces of a vehicle's parts: those that lead to the far side, the near side, its glass and its wear. */

import { css, grey } from "../choices.ts";
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
} from "../shapes.ts";
import { type Mark, metal, type Sketch } from "./look.ts";
import { coat } from "./paint.ts";
import type { VehiclePart, VehicleShape } from "./vehicle.ts";

/** The faces between the near and the far side that the view shows: roof, bonnet, screens, nose or tail. */
export function drawFarSide(part: VehiclePart, sketch: Sketch): void {
  const { pen, far, fine } = sketch;
  const points = flattened(part.outline, fine ? 3 : 1);
  const inks = points.map((from, i) => faceInk(part, sketch, from, points[(i + 1) % points.length]!));
  const beyond = (i: number): Point => {
    const [x, y] = points[i % points.length]!;
    return [x + far[0], y + far[1]];
  };
  for (let first = 0; first < points.length; ) {
    let end = first + 1;
    const ink = inks[first];
    while (end < points.length && inks[end] === ink) end++;
    if (ink !== undefined) {
      // One edge further, under the next face, so that nothing shines through between the two.
      const last = inks[end % points.length] === undefined ? end : end + 1;
      const strip: Point[] = [];
      for (let i = first; i <= last; i++) strip.push(points[i % points.length]!);
      for (let i = last; i >= first; i--) strip.push(beyond(i));
      fillShape(pen, strip, ink);
    }
    first = end;
  }
  part.inside?.(sketch);
}

/** Faces in nearly the same light get the same ink; those that look away from the view get none. */
function faceInk(part: VehiclePart, { look, far }: Sketch, from: Point, to: Point): string | undefined {
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
  if (length === 0) return undefined;
  // Outlines run clockwise: outwards is to the left of their course.
  const [outX, outY] = [(from[1] - to[1]) / length, (to[0] - from[0]) / length];
  if (outX * far[0] + outY * far[1] <= 0) return undefined;
  const middle: Point = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];
  if (part.screens?.some((screen) => isOn(screen, middle))) return css(look.glass, 6);
  const light = 14 * Math.max(0, outY) - 12 * Math.abs(outX);
  return css(part.colour ?? look.paint.main, look.paint.gloss * 4 * Math.round(light / 4));
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

/** Paint, dust from the road upwards, scratches and dents. */
export function drawSide(part: VehiclePart, shape: VehicleShape, sketch: Sketch): void {
  const { pen, fine } = sketch;
  const { paint, dirt, scratches, dents } = sketch.look;
  const [xs, ys] = [part.outline.map(([x]) => x), part.outline.map(([, y]) => y)];
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  const [bottom, top] = [Math.min(...ys), Math.max(...ys)];
  const band = (low: number, high: number) => pen.fillRect(left, low, right - left, high - low);
  trace(pen, part.outline);
  pen.fillStyle = coat(pen, part.colour ?? paint.main, paint.gloss, bottom, part.shoulder, top);
  pen.fill();
  pen.save();
  pen.clip();
  if (paint.pattern !== "plain" && part.colour === undefined) {
    pen.fillStyle = coat(pen, paint.second, paint.gloss, bottom, part.shoulder, top);
    if (paint.pattern === "roof") band(part.shoulder, top);
    else band(bottom, bottom + 0.45 * (part.shoulder - bottom));
  }
  const dusty = shape.clearance + dirt.height * shape.height;
  if (dirt.strength > 0 && dusty > bottom) {
    pen.fillStyle = fade(pen, shape.clearance, dusty, [
      [0, css(dirt.colour, 0, dirt.strength)],
      [1, css(dirt.colour, 0, 0)],
    ]);
    band(bottom, dusty);
  }
  if (fine) {
    for (const mark of scratches) drawScratch(mark, shape, sketch);
    for (const mark of dents) drawDent(mark, shape, sketch);
  }
  pen.restore();
}

function drawScratch({ at, size, slope }: Mark, { length, height }: VehicleShape, { pen }: Sketch): void {
  const [x, y, reach] = [at[0] * length, at[1] * height, size * length];
  const line: Point[] = [
    [x, y],
    [x + reach, y + slope * reach],
  ];
  strokeLine(pen, line, 0.015, grey(78, 0.5));
}

function drawDent({ at, size }: Mark, { length, height }: VehicleShape, { pen }: Sketch): void {
  const [x, y, reach] = [at[0] * length, at[1] * height, size * length];
  fillDisc(pen, [x, y], reach, grey(6, 0.13), 0.6 * reach);
  fillDisc(pen, [x, y - 0.3 * reach], 0.7 * reach, grey(97, 0.12), 0.3 * reach);
}

export function drawGlass(part: VehiclePart, sketch: Sketch): void {
  for (const pane of part.windows ?? []) drawPane(pane, part, sketch);
}

function drawPane(pane: readonly Corner[], part: VehiclePart, { pen, look, fine }: Sketch): void {
  const [xs, ys] = [pane.map(([x]) => x), pane.map(([, y]) => y)];
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  const [bottom, top] = [Math.min(...ys), Math.max(...ys)];
  const { glass } = look;
  const tint = fade(pen, bottom, top, [
    [0, css(glass, -4)],
    [0.5, css(glass, 2)],
    [1, css(glass, 16)],
  ]);
  trace(pen, pane);
  pen.fillStyle = tint;
  pen.fill();
  if (!fine) return;
  pen.lineWidth = 0.035;
  pen.strokeStyle = metal(look.trim, look, -14);
  pen.stroke();
  pen.save();
  pen.clip();
  pen.beginPath();
  for (const [x, y] of part.seats ?? []) {
    addOutline(pen, [
      [x - 0.1, bottom - 0.1],
      [x - 0.08, y - 0.12, 0.08],
      [x - 0.06, y, 0.05],
      [x + 0.08, y, 0.05],
      [x + 0.16, bottom - 0.1],
    ]);
  }
  pen.fillStyle = grey(8, 0.45);
  pen.fill();
  pen.beginPath();
  const lean = 0.6 * (top - bottom);
  for (const { place, width } of look.reflections) {
    const from = left - lean + place * (right - left + lean);
    const to = from + width * (right - left);
    addOutline(pen, [
      [from, bottom],
      [from + lean, top],
      [to + lean, top],
      [to, bottom],
    ]);
  }
  pen.fillStyle = css({ hue: 205, saturation: 30, lightness: 88 }, 0, look.reflected);
  pen.fill();
  const frame = look.pillars === "black" ? grey(10) : css(look.paint.main, -3);
  for (const pillar of part.pillars ?? []) strokeLine(pen, pillar, 0.09, frame);
  pen.restore();
}
