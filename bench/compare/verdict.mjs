/** Whether the new is slower than the old: the median of the ratios of the rounds, and how sure it is. */

const most = 1.03;
const resamples = 4000;

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Rounds drawn anew with replacement: the middle 95% of the medians. The same draws each time. */
function interval(ratios) {
  let state = 1;
  const draw = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return ratios[Math.floor((state / 2 ** 32) * ratios.length)];
  };
  const medians = Array.from({ length: resamples }, () => median(ratios.map(draw))).sort((a, b) => a - b);
  return [medians[Math.floor(0.025 * resamples)], medians[Math.ceil(0.975 * resamples) - 1]];
}

/** `old` and `new` in the order of rounds. */
export function compared(old, renewed) {
  const ratios = renewed.map((value, i) => value / old[i]);
  const ratio = median(ratios);
  const [low, high] = interval(ratios);
  return { old: median(old), new: median(renewed), ratio, low, high, worse: ratio > most && low > 1 };
}
