/** What is fastened to a body: lamps, doors, handles, bumpers, mirrors and plates. */

import { css, grey } from "../choices.ts";
import { box, type Corner, fillShape, type Point, strokeLine } from "../shapes.ts";
import { metal, type Sketch } from "./look.ts";

/** The gap around a door, which only hints at it. */
export function doorGap({ pen, look, fine }: Sketch, points: readonly Point[]): void {
  if (!fine) return;
  const { main } = look.paint;
  strokeLine(pen, points, 0.022, css(main, main.lightness < 22 ? 12 : -22, 0.85));
}

export function handle({ pen, look, fine }: Sketch, [x, y]: Point): void {
  if (!fine) return;
  fillShape(pen, box(x - 0.1, y - 0.05, 0.2, 0.04), css(look.paint.main, -24));
  fillShape(pen, box(x - 0.1, y - 0.02, 0.2, 0.05), metal(look.handles, look, 16));
}

export function headlamp({ pen, look, fine }: Sketch, corners: readonly Corner[]): void {
  fillShape(pen, corners, css(look.lamps.front));
  const [x, y] = corners[0]!;
  if (fine) fillShape(pen, box(x + 0.02, y + 0.02, 0.07, 0.05), css(look.lamps.front, -25));
}

export function tailLamp({ pen, look }: Sketch, corners: readonly Corner[]): void {
  fillShape(pen, corners, css(look.lamps.rear));
}

/** Along a stretch of the side, from the very end inwards. */
export function bumper({ pen, look }: Sketch, end: number, inwards: number, low: number, high: number): void {
  const corners: Corner[] = [
    [end, low, 0.03],
    [end, high, 0.03],
    [end + inwards, high - 0.02, 0.04],
    [end + inwards, low, 0.04],
  ];
  fillShape(pen, corners, metal(look.trim, look, -6));
}

/** Where the beam of the mirror begins; it reaches forwards from there. */
export function mirror({ pen, look }: Sketch, [x, y]: Point, size = 1): void {
  const ink = look.handles === "body" ? css(look.paint.main, 6) : grey(11);
  fillShape(pen, box(x, y, 0.19 * size, 0.14 * size, 0.06), ink);
}

/** A strip along the side, of rubber, plastic or chrome. */
export function strip({ pen, look, fine }: Sketch, from: Point, to: Point, width: number): void {
  if (!fine) return;
  strokeLine(pen, [from, to], width, look.trim === "chrome" ? grey(76) : grey(14));
}

interface End {
  x: number;
  low: number;
  high: number;
}

/** Lamps, grille, bumper and plate of the nose if the view shows it, or those of the tail. */
export function faces(sketch: Sketch, { nose, tail }: { nose: End; tail?: End }): void {
  const { look, far } = sketch;
  const [end, lamp] = far[0] > 0 ? [nose, css(look.lamps.front)] : [tail, css(look.lamps.rear)];
  if (end === undefined || Math.abs(far[0]) < 0.05) return;
  const paint = (low: number, high: number, from: number, to: number, ink: string) => {
    const height = end.high - end.low;
    onFace(sketch, end.x, [end.low + low * height, end.low + high * height], [from, to], ink);
  };
  paint(0.5, 0.85, 0.02, 0.24, lamp);
  paint(0.5, 0.85, 0.76, 0.98, lamp);
  if (far[0] > 0) paint(0.4, 0.8, 0.3, 0.7, grey(11));
  paint(0, 0.2, 0, 1, look.trim === "chrome" ? grey(76) : grey(11));
  if (look.plate) paint(0.14, 0.36, 0.36, 0.64, css({ hue: 50, saturation: 12, lightness: 84 }));
}

/** Something on the nose or the tail, of which the view shows a strip between two shares of the width. */
function onFace(
  { pen, far }: Sketch,
  x: number,
  [low, high]: readonly [number, number],
  [from, to]: readonly [number, number],
  ink: string,
): void {
  const corners: Corner[] = [
    [x + from * far[0], low + from * far[1]],
    [x + from * far[0], high + from * far[1]],
    [x + to * far[0], high + to * far[1]],
    [x + to * far[0], low + to * far[1]],
  ];
  fillShape(pen, corners, ink);
}
