/** All about a vehicle but its shape. One function decides it for every kind, so that none of it tells the kind. */

import type { Random } from "../../../core/random.ts";
import { between, type Colour, css, grey, oneOf } from "../choices.ts";
import type { Pen } from "../paper.ts";
import type { Point } from "../shapes.ts";
import { decidePaint, type Paint } from "./paint.ts";
import { decideWheels, type WheelLook } from "./wheels.ts";

/** Places are shares of the vehicle's length and height. */
export interface Mark {
  at: Point;
  size: number;
  slope: number;
}

type Metal = "chrome" | "black" | "body";

export interface Look {
  paint: Paint;
  wheels: WheelLook;
  glass: Colour;
  /** Streaks of reflected sky, as places along the windows and widths. */
  reflections: readonly { place: number; width: number }[];
  reflected: number;
  trim: Metal;
  handles: Metal;
  pillars: "black" | "body";
  lamps: { rear: Colour; front: Colour };
  plate: boolean;
  /** How far the far side of a vehicle one metre wide appears from the near side: a view from the side, or nearly so. */
  view: Point;
  mirrored: boolean;
  dirt: { strength: number; height: number; colour: Colour };
  scratches: readonly Mark[];
  dents: readonly Mark[];
}

/** What the hands that draw one vehicle share. */
export interface Sketch {
  pen: Pen;
  look: Look;
  /** From the near side to the far side. */
  far: Point;
  /** Whether things of a few centimetres can be seen. */
  fine: boolean;
}

export function decideLook(random: Random): Look {
  const paint = decidePaint(random);
  const aside = random.boolean(0.2) ? 0 : between(random, 0.03, 0.2) * (random.boolean(0.5) ? 1 : -1);
  return {
    paint,
    wheels: decideWheels(random),
    glass: {
      hue: between(random, 185, 230),
      saturation: between(random, 4, 30),
      lightness: between(random, 12, 40),
    },
    reflections: Array.from({ length: random.integer(4) }, () => ({
      place: random.uniform(),
      width: between(random, 0.03, 0.16),
    })),
    reflected: between(random, 0.08, 0.35),
    trim: oneOf(random, ["chrome", "black", "body"]),
    handles: oneOf(random, ["chrome", "black", "body"]),
    pillars: oneOf(random, ["black", "body"]),
    lamps: {
      rear: { hue: between(random, -8, 10), saturation: 75, lightness: between(random, 32, 48) },
      front: {
        hue: between(random, 40, 210),
        saturation: between(random, 5, 30),
        lightness: between(random, 76, 92),
      },
    },
    plate: random.boolean(0.7),
    view: [aside, between(random, 0, 0.1)],
    mirrored: random.boolean(0.5),
    dirt: {
      strength: Math.max(0, between(random, -0.35, 0.6)),
      height: between(random, 0.15, 0.5),
      colour: {
        hue: between(random, 24, 42),
        saturation: between(random, 12, 34),
        lightness: between(random, 28, 46),
      },
    },
    scratches: marks(random, random.integer(4), 0.02, 0.09),
    dents: marks(random, random.integer(3), 0.01, 0.025),
  };
}

/** Chrome and black are the same on every vehicle; `light` is for what is painted like the body. */
export function metal(kind: Metal, { paint }: Look, light: number): string {
  if (kind === "body") return css(paint.main, light);
  return kind === "chrome" ? grey(76) : grey(11);
}

function marks(random: Random, count: number, smallest: number, largest: number): Mark[] {
  return Array.from({ length: count }, () => ({
    at: [between(random, 0.08, 0.92), between(random, 0.3, 0.6)] as const,
    size: between(random, smallest, largest),
    slope: between(random, -0.4, 0.4),
  }));
}
