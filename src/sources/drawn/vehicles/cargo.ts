/** What a truck carries behind its cab: a box, a flatbed with stakes or pipes, a tank or a tipper. */

import type { Random } from "../../../core/random.ts";
import { between, type Colour, css, grey, oneOf } from "../choices.ts";
import { box, type Corner, fillShape, type Point, strokeLine } from "../shapes.ts";
import type { Sketch } from "./look.ts";
import { decidePaint } from "./paint.ts";
import type { VehiclePart } from "./vehicle.ts";

export interface Cargo {
  top: number;
  part: VehiclePart;
  details: (sketch: Sketch) => void;
}

/** On a frame of that height behind a cab with that roof. All its paint comes from the same pots as every vehicle's. */
export function decideCargo(random: Random, length: number, frame: number, roof: number): Cargo {
  const kind = oneOf(random, ["box", "box", "stakes", "pipes", "tank", "tipper"] as const);
  const colour = decidePaint(random).main;
  const top = kind === "box" ? roof + between(random, 0.1, 0.7) : frame + between(random, 0.9, 1.4);
  const ribs = 3 + random.integer(6);
  const second = decidePaint(random).main;
  const pieces = Array.from({ length: 8 }, () => ({
    ...second,
    lightness: second.lightness + between(random, -7, 7),
  }));
  const flat = box(0, frame - 0.02, length, 0.22, 0.02);
  const tank: Corner[] = [
    [0, frame + 0.1, 0.2],
    [0, top, 0.5],
    [length, top, 0.5],
    [length, frame + 0.1, 0.2],
    [length - 0.3, frame - 0.05, 0.1],
    [0.3, frame - 0.05, 0.1],
  ];
  const tipper: Corner[] = [
    [0.25, frame, 0.05],
    [0, frame + 0.4, 0.05],
    [0, top, 0.03],
    [length, top, 0.03],
    [length, frame, 0.05],
  ];
  const outlines = { box: box(0, frame, length, top - frame, 0.05), stakes: flat, pipes: flat, tank, tipper };
  const upright = (share: number): Point[] => [
    [share * length, frame + 0.06],
    [share * length, top - 0.06],
  ];
  const details = (sketch: Sketch) => {
    const { pen, fine, look } = sketch;
    if (kind === "pipes") {
      for (const [i, colour] of pieces.slice(1).entries()) {
        const from = 0.1 + (i % 2) * 0.12;
        fillShape(pen, box(from, frame + 0.16 + i * 0.16, length - from, 0.19, 0.08), css(colour));
      }
      fillShape(pen, box(length - 0.12, frame + 0.1, 0.12, 1.3), grey(28));
    } else if (kind === "stakes") {
      drawStakes(sketch, length, frame, ribs, pieces);
    } else if (fine) {
      const count = kind === "tank" ? 3 : ribs;
      const width = kind === "tipper" ? 0.1 : 0.03;
      for (let i = 1; i < count; i++) strokeLine(pen, upright(i / count), width, grey(8, 0.35));
      const middle: Point[] = [
        [0.1, (frame + top) / 2],
        [length - 0.1, (frame + top) / 2],
      ];
      if (kind === "tank") strokeLine(pen, middle, 0.1, grey(8, 0.35));
      const edge = look.trim === "chrome" ? grey(72) : grey(20);
      if (kind === "box") fillShape(pen, box(0, frame, length, 0.08), edge);
    }
  };
  return {
    top: kind === "stakes" || kind === "pipes" ? frame + 1.4 : top,
    part: {
      outline: outlines[kind],
      shoulder: kind === "tank" ? top - 0.25 : frame + 0.7 * (top - frame),
      colour,
    },
    details,
  };
}

/** Boards between stakes; the dark behind them is the far side. */
function drawStakes(
  { pen, fine }: Sketch,
  length: number,
  frame: number,
  ribs: number,
  boards: readonly Colour[],
): void {
  fillShape(pen, box(0.03, frame + 0.15, length - 0.06, 0.8), css(boards[0]!, -20));
  for (const [i, colour] of boards.slice(1, 4).entries()) {
    fillShape(pen, box(0.03, frame + 0.27 + 0.25 * i, length - 0.06, 0.18), css(colour, 6));
  }
  if (!fine) return;
  for (let i = 0; i <= ribs; i++) {
    fillShape(pen, box(0.04 + (i * (length - 0.2)) / ribs, frame + 0.1, 0.12, 0.92), css(boards[0]!, -4));
  }
}
