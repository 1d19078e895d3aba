/** The classes that logits speak for. */

/** The first of the largest of each row of [images, classes]. */
export function predictedBy(logits: Float32Array, classes: number): Int32Array {
  return Int32Array.from({ length: logits.length / classes }, (_, row) => {
    let best = 0;
    for (let k = 1; k < classes; k++)
      if (logits[row * classes + k]! > logits[row * classes + best]!) best = k;
    return best;
  });
}
