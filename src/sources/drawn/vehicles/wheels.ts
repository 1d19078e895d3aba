/** Wheels of many makes. */

import type { Random } from "../../../core/random.ts";
import { between, grey, oneOf } from "../choices.ts";
import type { Pen } from "../paper.ts";
import { fillDisc, type Point } from "../shapes.ts";

export interface WheelLook {
  rim: "spokes" | "pairs" | "steel" | "cap" | "mesh";
  spokes: number;
  /** Of a spoke, as a share of the room it has. */
  breadth: number;
  /** Of the rim, as a share of the wheel's radius. */
  size: number;
  /** Lightnesses. */
  metal: number;
  gap: number;
  tyre: number;
  turns: readonly number[];
}

export function decideWheels(random: Random): WheelLook {
  const rim = oneOf(random, ["spokes", "spokes", "pairs", "steel", "cap", "mesh"] as const);
  return {
    rim,
    spokes: rim === "mesh" ? 12 + random.integer(6) : oneOf(random, [5, 5, 6, 7, 8, 10]),
    breadth: between(random, 0.3, 0.55),
    size: between(random, 0.56, 0.74),
    metal: random.boolean(0.2) ? between(random, 25, 40) : between(random, 58, 84),
    gap: between(random, 8, 24),
    tyre: between(random, 8, 17),
    turns: Array.from({ length: 4 }, () => between(random, 0, 2 * Math.PI)),
  };
}

/** `turn` says which of the look's turns the wheel stands at; without one, only what can be seen from afar is drawn. */
export function drawWheel(
  pen: Pen,
  look: WheelLook,
  at: Point,
  radius: number,
  turn: number | undefined,
): void {
  const rim = look.size * radius;
  fillDisc(pen, at, radius, grey(look.tyre));
  if (turn === undefined) {
    fillDisc(pen, at, rim, grey(0.7 * look.metal + 0.3 * look.gap));
    return;
  }
  fillDisc(pen, at, 0.9 * radius, grey(look.tyre + 5));
  fillDisc(pen, at, 1.08 * rim, grey(look.tyre - 3));
  fillDisc(pen, at, rim, grey(look.metal));
  const start = look.turns[turn % look.turns.length]!;
  if (look.rim === "cap") {
    fillDisc(pen, at, 0.8 * rim, grey(look.metal - 12));
    fillDisc(pen, at, 0.62 * rim, grey(look.metal + 8));
  } else if (look.rim === "steel") {
    fillDisc(pen, at, 0.86 * rim, grey(look.metal - 14));
    drawHoles(pen, look, at, rim, start);
    fillDisc(pen, at, 0.36 * rim, grey(look.metal + 4));
  } else {
    drawGaps(pen, look, at, rim, start);
  }
  fillDisc(pen, at, 0.16 * rim, grey(look.metal - 22));
}

function drawHoles(pen: Pen, look: WheelLook, [x, y]: Point, rim: number, start: number): void {
  const hole = 0.11 * rim;
  pen.beginPath();
  for (let i = 0; i < look.spokes; i++) {
    const angle = start + (2 * Math.PI * i) / look.spokes;
    const [holeX, holeY] = [x + 0.64 * rim * Math.cos(angle), y + 0.64 * rim * Math.sin(angle)];
    pen.moveTo(holeX + hole, holeY);
    pen.arc(holeX, holeY, hole, 0, 2 * Math.PI);
  }
  pen.fillStyle = grey(look.gap);
  pen.fill();
}

/** The openings between spokes. */
function drawGaps(pen: Pen, look: WheelLook, [x, y]: Point, rim: number, start: number): void {
  const step = (2 * Math.PI) / look.spokes;
  const half = 0.5 * step * (1 - look.breadth);
  const outer = 0.87 * rim;
  const opening = (middle: number, width: number) => {
    pen.moveTo(x + 0.3 * rim * Math.cos(middle), y + 0.3 * rim * Math.sin(middle));
    pen.lineTo(x + outer * Math.cos(middle - width), y + outer * Math.sin(middle - width));
    pen.lineTo(x + outer * Math.cos(middle + width), y + outer * Math.sin(middle + width));
  };
  pen.beginPath();
  for (let i = 0; i < look.spokes; i++) {
    opening(start + i * step, half);
    if (look.rim === "pairs") opening(start + (i + 0.5) * step, 0.12 * step);
  }
  pen.fillStyle = grey(look.gap);
  pen.fill();
}
