/** The seven bias variables: which value each class favours, and how values are drawn. */

import type { Random } from "../../core/random.ts";

export const variables = [
  "backgroundColor",
  "digitColor",
  "digitPosition",
  "distractorShape",
  "distractorColor",
  "texture",
  "textureColor",
] as const;

export type Variable = (typeof variables)[number];

/** For each variable the probability that an image has its class's own value. */
export type Chances = Readonly<Record<Variable, number>>;

/** Every variable has a list of ten entries; a class's own is the entry of its number. */
export const entries = 10;

/** The cells of the position's entries: nine cells for ten classes, so that 9 shares the centre with 4. */
export const entryCells: readonly number[] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 4];

export const cellNames: readonly string[] = [
  "top-left",
  "top",
  "top-right",
  "left",
  "centre",
  "right",
  "bottom-left",
  "bottom",
  "bottom-right",
];

/**
 * Draws the seven entries of one image: the class's own with the variable's probability, else one of the other nine,
 * each as likely. Both draws are made in any case, so that the probability of one variable changes no other, and a
 * higher one only turns values into the class's own.
 */
export function drawEntries(random: Random, label: number, chances: Chances): number[] {
  return variables.map((variable) => {
    const own = random.boolean(chances[variable]);
    const other = random.integer(entries - 1);
    return own ? label : other < label ? other : other + 1;
  });
}
