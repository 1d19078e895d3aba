/** Every object that can be drawn. Adding one is a file beside this and a line here. */

import type { DrawObject } from "./drawing.ts";

const block =
  (hue: number): DrawObject =>
  (random) => {
    const lightness = 30 + 40 * random.uniform();
    return {
      width: 2,
      height: 1,
      draw: (pen) => {
        pen.fillStyle = `hsl(${hue} 60% ${lightness}%)`;
        pen.fillRect(0.1, 0.1, 1.8, 0.8);
      },
    };
  };

export const objects = {
  sedan: block(0),
  hatchback: block(20),
  coupe: block(40),
  pickup: block(60),
  van: block(80),
  suv: block(100),
  truck: block(120),
  fireplug: block(140),
  "stop-sign": block(160),
  "street-sign": block(180),
  "parking-meter": block(200),
  "traffic-light": block(220),
  cow: block(240),
  horse: block(260),
  sheep: block(280),
} satisfies Record<string, DrawObject>;

export type ObjectName = keyof typeof objects;

export const objectNames = Object.keys(objects) as ObjectName[];
