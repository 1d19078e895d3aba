/** Logits as probabilities. */

export function probabilityAt(logits: ArrayLike<number>, chosen: number): number {
  let largest = Number.NEGATIVE_INFINITY;
  for (let k = 0; k < logits.length; k++) largest = Math.max(largest, logits[k]!);
  let total = 0;
  for (let k = 0; k < logits.length; k++) total += Math.exp(logits[k]! - largest);
  return Math.exp(logits[chosen]! - largest) / total;
}
