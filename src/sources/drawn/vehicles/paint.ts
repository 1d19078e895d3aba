/** The paint of vehicles: decided alike for every kind, so that no colour tells one kind from another. */

import type { Random } from "../../../core/random.ts";
import { between, type Colour, css, type HueSaturationLightness, near, oneOf } from "../choices.ts";
import type { Pen } from "../paper.ts";
import { fade, type Ink } from "../shapes.ts";

export interface Paint {
  name: PaintName;
  main: Colour;
  /** Of the lower body or the roof, where there are two. */
  second: Colour;
  pattern: "plain" | "roof" | "lower";
  /** How much the lightness changes over the curve of the body. */
  gloss: number;
}

const colours = {
  white: [60, 6, 88],
  silver: [215, 5, 68],
  grey: [215, 6, 42],
  black: [225, 8, 13],
  red: [357, 70, 40],
  maroon: [350, 50, 26],
  orange: [22, 78, 49],
  yellow: [46, 80, 54],
  beige: [40, 28, 66],
  brown: [26, 36, 30],
  green: [140, 38, 30],
  olive: [75, 25, 38],
  teal: [182, 45, 34],
  blue: [214, 62, 40],
  navy: [222, 46, 23],
  sky: [204, 48, 62],
} satisfies Record<string, HueSaturationLightness>;

type PaintName = keyof typeof colours;

const names = Object.keys(colours) as PaintName[];

export function decidePaint(random: Random): Paint {
  const name = oneOf(random, names);
  const main = near(random, colours[name]);
  const second = near(random, colours[oneOf(random, names)]);
  const chance = random.uniform();
  return {
    name,
    main,
    second,
    pattern: chance < 0.8 ? "plain" : chance < 0.9 ? "roof" : "lower",
    gloss: between(random, 0.5, 1.4),
  };
}

/** Light falls from above on a body that bulges between its sill and its shoulder. */
export function coat(
  pen: Pen,
  colour: Colour,
  gloss: number,
  bottom: number,
  shoulder: number,
  top: number,
): Ink {
  const at = (height: number) => Math.min(1, Math.max(0, (height - bottom) / (top - bottom)));
  const crease = bottom + 0.62 * (shoulder - bottom);
  const shade = (light: number) => css(colour, gloss * light);
  return fade(pen, bottom, top, [
    [0, shade(-15)],
    [at(bottom + 0.25 * (shoulder - bottom)), shade(-7)],
    [at(crease) - 0.02, shade(-2)],
    [at(crease), shade(5)],
    [at(shoulder), shade(11)],
    [Math.min(1, at(shoulder) + 0.02), shade(1)],
    [1, shade(9)],
  ]);
}
