/** Which value of a cue goes with each class: the one rule for statistics of data, metrics of predictions and datasets. */

export interface MajorityValue {
  /** The value that goes with the class; undefined where nothing tells, or where two are equally frequent. */
  value: number | undefined;
  /**
   * `declared` by the dataset; `frequent`: nothing is declared, and it is the most frequent one in training; `tie`: two
   * are equally frequent there; `contradicted`: training shows another value than the declared one, and not by chance,
   * so that this other one is what a model that leans on the cue has learnt; `unknown`: neither declared nor trained.
   */
  why: "declared" | "frequent" | "tie" | "contradicted" | "unknown";
}

/**
 * From training images counted by class (rows) and value, and what the dataset declares. Of training without any bias
 * some value is always a little more frequent: only one that is ahead of the declared value by more than three standard
 * deviations of a fair coin contradicts it.
 */
export function majorityValues(
  training: readonly ArrayLike<number>[],
  declared?: readonly (number | undefined)[],
): MajorityValue[] {
  return training.map((row, label) => {
    const counts = Array.from(row);
    const most = counts.reduce((largest, n) => Math.max(largest, n), 0);
    const first = counts.indexOf(most);
    const tied = counts.indexOf(most, first + 1) >= 0;
    const value = declared?.[label];
    if (value !== undefined) {
      const own = counts[value] ?? 0;
      const contradicted = most - own > 3 * Math.sqrt(most + own);
      return contradicted
        ? { value: tied ? undefined : first, why: "contradicted" }
        : { value, why: "declared" };
    }
    if (most === 0) return { value: undefined, why: "unknown" };
    return tied ? { value: undefined, why: "tie" } : { value: first, why: "frequent" };
  });
}
