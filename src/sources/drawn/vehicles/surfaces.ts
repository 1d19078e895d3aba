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
import { metal, type Sketch } from "./look.ts";
import { coat } from "./paint.ts";
import type { Part, VehicleShape } from "./vehicle.ts";

/** The faces between the near and the far side that the view shows: roof, bonnet, screens, nose or tail. */
export function drawFarSide(part: Part, sketch: Sketch): void {
  const { pen, far } = sketch;
  const points = flattened(part.outline, 3);
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
function faceInk(part: Part, { look, far }: Sketch, from: Point, to: Point): string | undefined {
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

export function drawSide(part: Part, { pen, look: { paint } }: Sketch): void {
  const heights = part.outline.map(([, y]) => y);
  const [bottom, top] = [Math.min(...heights), Math.max(...heights)];
  const main = part.colour ?? paint.main;
  fillShape(pen, part.outline, coat(pen, main, paint.gloss, bottom, part.shoulder, top));
  if (paint.pattern === "plain" || part.colour !== undefined) return;
  const split = paint.pattern === "roof" ? part.shoulder : bottom + 0.45 * (part.shoulder - bottom);
  const lengths = part.outline.map(([x]) => x);
  const [left, right] = [Math.min(...lengths), Math.max(...lengths)];
  const [low, high] = paint.pattern === "roof" ? [split, top] : [bottom, split];
  pen.save();
  trace(pen, part.outline);
  pen.clip();
  pen.fillStyle = coat(pen, paint.second, paint.gloss, bottom, part.shoulder, top);
  pen.fillRect(left, low, right - left, high - low);
  pen.restore();
}

export function drawGlass(part: Part, sketch: Sketch): void {
  for (const pane of part.windows ?? []) drawPane(pane, part, sketch);
}

function drawPane(pane: readonly Corner[], part: Part, { pen, look, fine }: Sketch): void {
  const [xs, ys] = [pane.map(([x]) => x), pane.map(([, y]) => y)];
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  const [bottom, top] = [Math.min(...ys), Math.max(...ys)];
  const { glass } = look;
  const tint = fade(pen, bottom, top, [
    [0, css(glass, -4)],
    [0.5, css(glass, 2)],
    [1, css(glass, 16)],
  ]);
  fillShape(pen, pane, tint);
  if (!fine) return;
  pen.save();
  trace(pen, pane);
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
  trace(pen, pane);
  pen.lineWidth = 0.035;
  pen.strokeStyle = metal(look.trim, look, -14);
  pen.stroke();
}

/** Dust from the road upwards, scratches and dents. */
export function drawWear({ parts, length, height, clearance }: VehicleShape, sketch: Sketch): void {
  const { pen, fine } = sketch;
  const { dirt, scratches, dents } = sketch.look;
  if (dirt.strength > 0) {
    const dust = fade(pen, clearance, clearance + dirt.height * height, [
      [0, css(dirt.colour, 0, dirt.strength)],
      [1, css(dirt.colour, 0, 0)],
    ]);
    for (const { outline } of parts) fillShape(pen, outline, dust);
  }
  if (!fine || scratches.length + dents.length === 0) return;
  pen.save();
  pen.beginPath();
  for (const { outline } of parts) addOutline(pen, outline);
  pen.clip();
  for (const { at, size, slope } of scratches) {
    const [x, y, reach] = [at[0] * length, at[1] * height, size * length];
    const line: Point[] = [
      [x, y],
      [x + reach, y + slope * reach],
    ];
    strokeLine(pen, line, 0.015, grey(78, 0.5));
  }
  for (const { at, size } of dents) {
    const [x, y, reach] = [at[0] * length, at[1] * height, size * length];
    fillDisc(pen, [x, y], reach, grey(6, 0.13), 0.6 * reach);
    fillDisc(pen, [x, y - 0.3 * reach], 0.7 * reach, grey(97, 0.12), 0.3 * reach);
  }
  pen.restore();
}
