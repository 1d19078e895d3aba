/** Outlines in a drawing's own units, with y upwards, and how to trace them. */

import type { ObjectDrawing } from "./drawing.ts";
import type { Pen } from "./paper.ts";

/** What the pen fills and strokes with. */
export type Ink = Pen["fillStyle"];

export type Point = readonly [x: number, y: number];

/** A corner of an outline; the rounding begins that far before it and ends that far behind it. */
export type Corner = readonly [x: number, y: number, round?: number];

/** What a drawing covers, in its own units. */
export interface Extent {
  left: number;
  right: number;
  bottom: number;
  top: number;
}

/**
 * A drawing with y upwards, mirrored or leaning if wanted, as the paper takes it. It is told the size of a pixel in its
 * own units, so that it can leave out what nobody would see.
 */
export function upright(
  { left, right, bottom, top }: Extent,
  draw: (pen: Pen, pixel: number) => void,
  { mirrored = false, lean = 0 } = {},
): ObjectDrawing {
  const [atTop, atBottom] = [lean * top, lean * bottom];
  const [from, to] = [left + Math.min(atTop, atBottom), right + Math.max(atTop, atBottom)];
  return {
    width: to - from,
    height: top - bottom,
    draw: (pen) => {
      pen.save();
      const pixel = 1 / pen.getTransform().a;
      pen.transform(mirrored ? -1 : 1, 0, mirrored ? -lean : lean, -1, mirrored ? to : -from, top);
      draw(pen, pixel);
      pen.restore();
    },
  };
}

/** Begins a path along a closed outline. */
export function trace(pen: Pen, corners: readonly Corner[]): void {
  pen.beginPath();
  addOutline(pen, corners);
  pen.closePath();
}

/** Adds an outline to the path that was begun. Filling and clipping close it; stroking would not. */
export function addOutline(pen: Pen, corners: readonly Corner[]): void {
  let [atX, atY] = [Number.NaN, Number.NaN];
  corners.forEach((corner, i) => {
    const { start, end } = rounding(corners, i);
    if (i === 0) pen.moveTo(start[0], start[1]);
    else if (start[0] !== atX || start[1] !== atY) pen.lineTo(start[0], start[1]);
    if (corner[2]) pen.quadraticCurveTo(corner[0], corner[1], end[0], end[1]);
    [atX, atY] = end;
  });
}

export function fillShape(pen: Pen, corners: readonly Corner[], style: Ink): void {
  pen.beginPath();
  addOutline(pen, corners);
  pen.fillStyle = style;
  pen.fill();
}

export function fillDisc(pen: Pen, [x, y]: Point, radius: number, style: Ink, height = radius): void {
  pen.beginPath();
  pen.ellipse(x, y, radius, height, 0, 0, 2 * Math.PI);
  pen.fillStyle = style;
  pen.fill();
}

export function strokeLine(pen: Pen, points: readonly Point[], width: number, style: Ink): void {
  pen.beginPath();
  points.forEach(([x, y], i) => {
    if (i === 0) pen.moveTo(x, y);
    else pen.lineTo(x, y);
  });
  pen.lineWidth = width;
  pen.strokeStyle = style;
  pen.stroke();
}

export function box(left: number, bottom: number, width: number, height: number, round = 0): Corner[] {
  return [
    [left, bottom, round],
    [left, bottom + height, round],
    [left + width, bottom + height, round],
    [left + width, bottom, round],
  ];
}

/** The outline as straight pieces, for what is built upon it. */
export function flattened(corners: readonly Corner[], steps = 4): Point[] {
  return corners.flatMap((corner, i): Point[] => {
    const [x, y, round] = corner;
    if (!round) return [[x, y]];
    const { start, end } = rounding(corners, i);
    return Array.from({ length: steps + 1 }, (_, step) => {
      const t = step / steps;
      const [a, b, c] = [(1 - t) * (1 - t), 2 * t * (1 - t), t * t];
      return [a * start[0] + b * x + c * end[0], a * start[1] + b * y + c * end[1]];
    });
  });
}

/** A vertical fade between colours, from the bottom up. */
export function fade(
  pen: Pen,
  bottom: number,
  top: number,
  stops: readonly (readonly [number, string])[],
): Ink {
  const gradient = pen.createLinearGradient(0, bottom, 0, top);
  for (const [place, colour] of stops) gradient.addColorStop(place, colour);
  return gradient;
}

/** Between two corners there is room for half of each one's rounding. */
function rounding(corners: readonly Corner[], i: number): { start: Point; end: Point } {
  const corner = corners[i]!;
  const before = corners[(i + corners.length - 1) % corners.length]!;
  const after = corners[(i + 1) % corners.length]!;
  return { start: towards(corner, before), end: towards(corner, after) };
}

function towards([x, y, round = 0]: Corner, [toX, toY]: Corner): Point {
  const length = Math.hypot(toX - x, toY - y);
  if (length === 0) return [x, y];
  const share = Math.min(round / length, 0.5);
  return [x + share * (toX - x), y + share * (toY - y)];
}
