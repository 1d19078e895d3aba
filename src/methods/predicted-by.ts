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

/** How far the largest logit of another class is above that of the own: above 0 where the image is told wrong. */
export function margins(logits: Float32Array, labels: Int32Array, classes: number): Float32Array {
  return Float32Array.from(labels, (label, row) => {
    let other = Number.NEGATIVE_INFINITY;
    for (let k = 0; k < classes; k++) if (k !== label) other = Math.max(other, logits[row * classes + k]!);
    return other - logits[row * classes + label]!;
  });
}
