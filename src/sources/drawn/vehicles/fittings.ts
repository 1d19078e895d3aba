/** What is fastened to a body: lamps, doors, handles, bumpers, mirrors and plates. */

import { css } from "../choices.ts";
import type { Pen } from "../paper.ts";
import { box, type Corner, fillShape, type Point, strokeLine } from "../shapes.ts";
import type { Look } from "./look.ts";

const black = "hsl(220, 5%, 11%)";
const chrome = "hsl(215, 6%, 78%)";

/** The gap around a door, which only hints at it. */
export function doorGap(pen: Pen, look: Look, points: readonly Point[]): void {
  strokeLine(pen, points, 0.022, css(look.paint.main, look.paint.main.lightness < 22 ? 12 : -22, 0.85));
}

export function handle(pen: Pen, look: Look, [x, y]: Point): void {
  const ink =
    look.handles === "chrome" ? chrome : look.handles === "black" ? black : css(look.paint.main, 16);
  fillShape(pen, box(x - 0.1, y - 0.02, 0.2, 0.05, 0.02), ink);
  strokeLine(
    pen,
    [
      [x - 0.1, y - 0.03],
      [x + 0.1, y - 0.03],
    ],
    0.015,
    css(look.paint.main, -24),
  );
}

export function headlamp(pen: Pen, look: Look, corners: readonly Corner[]): void {
  fillShape(pen, corners, css(look.lamps.front));
  const [x, y] = corners[0]!;
  fillShape(pen, box(x + 0.02, y + 0.01, 0.07, 0.05, 0.02), css(look.lamps.front, -25));
}

export function tailLamp(pen: Pen, look: Look, corners: readonly Corner[]): void {
  fillShape(pen, corners, css(look.lamps.rear));
}

export function bumper(pen: Pen, look: Look, corners: readonly Corner[]): void {
  fillShape(
    pen,
    corners,
    look.trim === "chrome" ? chrome : look.trim === "black" ? black : css(look.paint.main, -6),
  );
}

export function mirror(pen: Pen, look: Look, [x, y]: Point, size = 1): void {
  const ink = look.handles === "body" ? css(look.paint.main, 6) : black;
  fillShape(pen, box(x - 0.02, y, 0.2 * size, 0.14 * size, 0.06), ink);
}

/** Something on the nose or the tail, of which the view shows a strip between two shares of the width. */
export function onFace(
  pen: Pen,
  far: Point,
  x: number,
  [low, high]: readonly [number, number],
  [from, to]: readonly [number, number],
  ink: string,
): void {
  fillShape(
    pen,
    [
      [x + from * far[0], low + from * far[1]],
      [x + from * far[0], high + from * far[1]],
      [x + to * far[0], high + to * far[1]],
      [x + to * far[0], low + to * far[1]],
    ],
    ink,
  );
}

/** Lamps, grille and plate of the nose if the view shows it, or lamps and plate of the tail. */
export function faces(
  pen: Pen,
  look: Look,
  far: Point,
  {
    nose,
    tail,
  }: { nose: { x: number; low: number; high: number }; tail: { x: number; low: number; high: number } },
): void {
  const [end, lamp] = far[0] > 0 ? [nose, css(look.lamps.front)] : [tail, css(look.lamps.rear)];
  if (Math.abs(far[0]) < 0.05) return;
  const height = end.high - end.low;
  const at = (share: number) => end.low + share * height;
  onFace(pen, far, end.x, [at(0.5), at(0.85)], [0.02, 0.24], lamp);
  onFace(pen, far, end.x, [at(0.5), at(0.85)], [0.76, 0.98], lamp);
  if (far[0] > 0) onFace(pen, far, end.x, [at(0.4), at(0.8)], [0.3, 0.7], black);
  onFace(pen, far, end.x, [at(0), at(0.2)], [0, 1], look.trim === "chrome" ? chrome : black);
  if (look.plate) onFace(pen, far, end.x, [at(0.14), at(0.36)], [0.36, 0.64], "hsl(50, 12%, 84%)");
}
