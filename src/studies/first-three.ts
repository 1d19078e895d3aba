/** Which methods are surely among the best three of a dataset, and which surely not, by differences over seeds. */

import { effectOutcomes } from "../core/statistics/index.ts";
import type { MeasuredCase } from "./jobs/runs-job.ts";
import { trainedDifference } from "./plateau.ts";

export type SurePlace = "among" | "not among" | "open";

const places = 3;

/** Of all pairs as one family; `margin` is in points. Methods that are untrained or have one seed leave it open. */
export function firstThree(
  methods: readonly (readonly MeasuredCase[])[],
  { margin }: { margin: number },
): SurePlace[] {
  const pairs = methods.flatMap((_, one) =>
    methods.flatMap((_, other) => (one < other ? [{ one, other }] : [])),
  );
  const outcomes = effectOutcomes(
    pairs.map(({ one, other }) => {
      const { values } = trainedDifference(methods[one]!, methods[other]!);
      return { values: values.length === 0 ? [0] : values, expected: "above" as const };
    }),
    { margin: margin / 100 },
  );
  const surely = (better: number, worse: number) =>
    pairs.some(
      ({ one, other }, i) =>
        (one === better && other === worse && outcomes[i]!.outcome === "seen") ||
        (one === worse && other === better && outcomes[i]!.outcome === "contradicted"),
    );
  return methods.map((_, method) => {
    const others = [...methods.keys()].filter((other) => other !== method);
    if (others.filter((other) => surely(other, method)).length >= places) return "not among";
    // As many are surely worse as have to be.
    return others.filter((other) => surely(method, other)).length >= methods.length - places
      ? "among"
      : "open";
  });
}
