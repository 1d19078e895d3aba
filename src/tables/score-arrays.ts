/** What lists of scores, one a class, are called in files of NumPy and JSON, and how their columns begin. */
export const scoreArrays: ReadonlyMap<string, string> = new Map([
  ["logits", "logit_"],
  ["probs", "prob_"],
  ["probabilities", "prob_"],
]);
