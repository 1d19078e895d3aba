/** Mean per-class accuracy of a table in memory: every class counts the same, as DiagViB-6 measures (Eulig et al. 2021, section 3.4). */

import { mean } from "../core/statistics/index.ts";
import type { PredictedClasses } from "./accuracy.ts";

/** Over the classes that have images; null without any. */
export function classMeanOf(
  { labels, predicted }: PredictedClasses,
  has: (index: number) => boolean = () => true,
): number | null {
  const counts: number[] = [];
  const correct: number[] = [];
  for (let i = 0; i < labels.length; i++) {
    if (!has(i)) continue;
    const label = labels[i]!;
    counts[label] = (counts[label] ?? 0) + 1;
    if (label === predicted[i]) correct[label] = (correct[label] ?? 0) + 1;
  }
  const recalls = counts.flatMap((count, label) => (correct[label] ?? 0) / count);
  return recalls.length === 0 ? null : mean(recalls);
}
