/** Whether classes that are small or off the centre are those that backgrounds give away (section 3.3, figure 4). */

import { CuelabError } from "../../core/errors.ts";
import { kendall, spearman } from "../../core/statistics/index.ts";
import type { ClassBias } from "./measure.ts";

export const biasScores = ["centre", "size", "product"] as const;
export type BiasScore = (typeof biasScores)[number];

interface BiasCorrelation {
  score: BiasScore;
  kendall: { tau: number; pValue: number };
  spearman: { rho: number; pValue: number };
}

export interface AccuracyComparison {
  correlations: readonly BiasCorrelation[];
  /** Classes of which both are known, with their accuracy. */
  points: readonly (ClassBias & { accuracy: number })[];
  /** Classes without accuracy, and accuracies without class. */
  unmatched: readonly string[];
}

export function compareWithAccuracy(
  classes: readonly ClassBias[],
  accuracies: ReadonlyMap<string, number>,
): AccuracyComparison {
  const points = classes.flatMap((one) => {
    const accuracy = accuracies.get(one.name);
    return accuracy === undefined ? [] : [{ ...one, accuracy }];
  });
  const matched = new Set(points.map(({ name }) => name));
  const unmatched = [...classes.map(({ name }) => name), ...accuracies.keys()].filter(
    (name) => !matched.has(name),
  );
  if (points.length < 3) {
    throw new CuelabError({
      kind: "input",
      what: "too few classes have both scores and an accuracy",
      expected: "at least three of the same name",
      got: `${points.length}; without a match: ${unmatched.slice(0, 6).join(", ")}`,
    });
  }
  const accuracy = points.map((point) => point.accuracy);
  return {
    correlations: biasScores.map((score) => {
      const values = points.map((point) => point[score]);
      return { score, kendall: kendall(values, accuracy), spearman: spearman(values, accuracy) };
    }),
    points,
    unmatched,
  };
}
