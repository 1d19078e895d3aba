/** Does curing one shortcut feed another? From predictions of a method and a baseline to a verdict a cue. */

export * from "./compare.ts";
export * from "./comparison.ts";
export { type ContrastKind, contrastsOf } from "./contrasts.ts";
export { flipsIn } from "./flips.ts";
export type { CueStanding, SeedPair } from "./over-seeds.ts";
export { moleSentence } from "./sentence.ts";
export * from "./verdict.ts";
