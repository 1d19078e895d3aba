/** What the paper says of CelebA, and of all datasets; each has a rule in the registered plan. */

import { baseline } from "../compared-methods.ts";

/** Those that gained seven to eight points on the standard model. */
export const winners = ["UpWt", "GDRO", "RUBi", "SD"];

/** Those that gained nothing, and hang least on tuning. */
export const level = ["LNL", "IRMv1"];

/** Those that hang most on tuning. */
export const sensitive = ["UpWt", "GDRO", "RUBi"];

/** What LfF as published got on the rarest group (section 6.4). */
export const firstLffBlondMen = 0.86;

export const claims = {
  winners: `${winners.join(", ")} have a higher unbiased accuracy than ${baseline}`,
  cost: "What they gain on blond people they lose on the others",
  level: `${level.join(" and ")} are level with ${baseline}`,
  steady: `${level.join(" and ")} hang least on the tuning distribution`,
  sensitive: `${sensitive.join(", ")} hang most on the tuning distribution, on blond men`,
  lff: "LfF hangs much on the tuning distribution, on blond men and on the others",
  firstLff: "LfF with γ = 0.7 is better on blond men than with 0.1, about 86%, and worse on the others",
  everywhere: "No method is among the best three of both CelebA and Biased MNIST",
} as const;
