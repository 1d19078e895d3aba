/** Letters as strokes, so that signs need no font. */

import type { Pen } from "../paper.ts";
import type { Ink } from "../shapes.ts";

/** Strokes on a grid four wide and six high, from the bottom left. */
const strokes: Record<string, readonly (readonly number[])[]> = {
  A: [
    [0, 0, 2, 6, 4, 0],
    [1, 2, 3, 2],
  ],
  C: [[4, 5, 3, 6, 1, 6, 0, 5, 0, 1, 1, 0, 3, 0, 4, 1]],
  D: [[0, 0, 0, 6, 2, 6, 4, 4, 4, 2, 2, 0, 0, 0]],
  E: [
    [4, 0, 0, 0, 0, 6, 4, 6],
    [0, 3, 3, 3],
  ],
  H: [
    [0, 0, 0, 6],
    [4, 0, 4, 6],
    [0, 3, 4, 3],
  ],
  I: [[2, 0, 2, 6]],
  K: [
    [0, 0, 0, 6],
    [4, 6, 0, 3, 4, 0],
  ],
  L: [[0, 6, 0, 0, 4, 0]],
  M: [[0, 0, 0, 6, 2, 3, 4, 6, 4, 0]],
  N: [[0, 0, 0, 6, 4, 0, 4, 6]],
  O: [[1, 0, 0, 1, 0, 5, 1, 6, 3, 6, 4, 5, 4, 1, 3, 0, 1, 0]],
  P: [[0, 0, 0, 6, 3, 6, 4, 5, 4, 4, 3, 3, 0, 3]],
  R: [
    [0, 0, 0, 6, 3, 6, 4, 5, 4, 4, 3, 3, 0, 3],
    [2, 3, 4, 0],
  ],
  S: [[0, 1, 1, 0, 3, 0, 4, 1, 4, 2, 3, 3, 1, 3, 0, 4, 0, 5, 1, 6, 3, 6, 4, 5]],
  T: [
    [2, 0, 2, 6],
    [0, 6, 4, 6],
  ],
  V: [[0, 6, 2, 0, 4, 6]],
  W: [[0, 6, 1, 0, 2, 4, 3, 0, 4, 6]],
  Y: [
    [0, 6, 2, 3, 4, 6],
    [2, 3, 2, 0],
  ],
  "2": [[0, 5, 1, 6, 3, 6, 4, 5, 4, 4, 0, 0, 4, 0]],
  "3": [[0, 6, 4, 6, 2, 4, 4, 3, 4, 1, 3, 0, 1, 0, 0, 1]],
  "5": [[4, 6, 0, 6, 0, 3, 3, 4, 4, 3, 4, 1, 3, 0, 0, 0]],
  "0": [[1, 0, 0, 1, 0, 5, 1, 6, 3, 6, 4, 5, 4, 1, 3, 0, 1, 0]],
};

/** A word that fills a box, of letters that have strokes. */
export function writeWord(
  pen: Pen,
  word: string,
  { left, bottom, width, height }: { left: number; bottom: number; width: number; height: number },
  ink: Ink,
  weight = 0.16,
): void {
  const advance = 5.6;
  const across = width / (word.length * advance - 1.6);
  const up = height / 6;
  pen.beginPath();
  word.split("").forEach((letter, i) => {
    for (const stroke of strokes[letter]!) {
      for (let at = 0; at < stroke.length; at += 2) {
        const x = left + across * (i * advance + stroke[at]!);
        const y = bottom + up * stroke[at + 1]!;
        if (at === 0) pen.moveTo(x, y);
        else pen.lineTo(x, y);
      }
    }
  });
  pen.lineWidth = weight * height;
  pen.lineJoin = "round";
  pen.strokeStyle = ink;
  pen.stroke();
}
