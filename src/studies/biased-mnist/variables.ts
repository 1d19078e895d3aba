/** The seven bias variables, in the order of the paper's tables and under its names. */

const variableTitles = {
  backgroundColor: "Background colour",
  digitColor: "Digit colour",
  digitPosition: "Digit position",
  distractorShape: "Distractor shape",
  distractorColor: "Distractor colour",
  texture: "Texture",
  textureColor: "Texture colour",
} as const;

export type BiasVariable = keyof typeof variableTitles;

export const variables = Object.keys(variableTitles) as readonly BiasVariable[];

/** Told one after the other as more explicit variables, in the order that Table A5 prints. */
export const growingOrder: readonly BiasVariable[] = [
  "distractorShape",
  "texture",
  "digitColor",
  "backgroundColor",
  "textureColor",
  "distractorColor",
  "digitPosition",
];

/** The paper tuned with this one, and Fig. A7 and A8 have it as the explicit variable. */
export const tuningVariable: BiasVariable = "distractorShape";

export function variableTitle(variable: string): string {
  return variableTitles[variable as BiasVariable];
}

/** What "unbiased accuracy" is, for every table that has it. */
export const unbiasedWords =
  "on test images in which nothing goes with the class (p_bias 0.1), the mean over the groups that the class makes with one " +
  "variable; of a method that is told several variables the mean over them, one at a time, and of one that is told none over all " +
  "seven, since groups of all together would have an image each";
