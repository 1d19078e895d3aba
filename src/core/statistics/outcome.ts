/** What a finding may come out as: seen, contradicted, equivalent to none, or cannot be told. */

import { checkValues, usageError } from "./checks.ts";
import { checkAlpha, checkMargin, type EquivalenceOptions, equivalenceTest } from "./equivalence.ts";
import { holm } from "./multiple.ts";
import { smallestMean } from "./power.ts";
import { type StudentTest, studentTest } from "./student-t.ts";

export type Outcome = "seen" | "contradicted" | "equivalent" | "cannot be told";

/** One value a seed, such as method less baseline, and what is claimed of their mean. */
export interface Claim {
  values: ArrayLike<number>;
  expected: "above" | "below";
}

export interface OutcomeOptions extends EquivalenceOptions {
  /** With which the smallest effect is told; 0.8 unless told. */
  power?: number;
}

export interface JudgedClaim extends StudentTest {
  outcome: Outcome;
  /** Of the two one-sided tests; undefined for one seed. */
  equivalencePValue: number | undefined;
  /** Adjusted by Holm for the family; what the outcome is judged by. Alone, as they were. */
  adjusted: { pValue: number | undefined; equivalencePValue: number | undefined };
  /** The smallest margin at which these values would be equivalent to none, unadjusted; undefined for one seed. */
  smallestMargin: number | undefined;
  /** The smallest mean that could have been seen with the power as the only true one of its family; undefined for one seed. */
  smallestSeen: number | undefined;
}

export function effectOutcome(claim: Claim, options: OutcomeOptions): JudgedClaim {
  return effectOutcomes([claim], options)[0]!;
}

/**
 * A family of claims. Holm holds the probability of any false "seen" or "contradicted" at α, and separately that of any
 * false "equivalent"; intervals stay unadjusted. What is equivalent to none is so even where it differs from 0: a
 * difference below the margin is one that does not matter.
 */
export function effectOutcomes(
  claims: readonly Claim[],
  { margin, alpha = 0.05, power = 0.8 }: OutcomeOptions,
): JudgedClaim[] {
  checkMargin(margin);
  checkAlpha(alpha);
  const tests = claims.map(({ values, expected }) => {
    if (expected !== "above" && expected !== "below")
      throw usageError("no such direction", '"above" or "below"', String(expected));
    checkValues("values", values, 1);
    const several = values.length > 1;
    return {
      test: studentTest(values, { confidence: 1 - alpha }),
      equivalence: several ? equivalenceTest(values, { margin, alpha }) : undefined,
      smallestSeen: several ? smallestMean(values, { alpha: alpha / claims.length, power }) : undefined,
    };
  });
  const differences = holmOfKnown(tests.map(({ test }) => test.pValue));
  const equivalences = holmOfKnown(tests.map(({ equivalence }) => equivalence?.pValue));
  return tests.map(({ test, equivalence, smallestSeen }, i) => {
    const adjusted = { pValue: differences[i], equivalencePValue: equivalences[i] };
    return {
      ...test,
      outcome: judge(test.mean, claims[i]!.expected, adjusted, alpha),
      equivalencePValue: equivalence?.pValue,
      adjusted,
      smallestMargin: equivalence?.smallestMargin,
      smallestSeen,
    };
  });
}

function judge(
  mean: number,
  expected: Claim["expected"],
  { pValue, equivalencePValue }: JudgedClaim["adjusted"],
  alpha: number,
): Outcome {
  if (pValue === undefined || equivalencePValue === undefined) return "cannot be told";
  if (equivalencePValue < alpha) return "equivalent";
  if (pValue >= alpha) return "cannot be told";
  return mean > 0 === (expected === "above") ? "seen" : "contradicted";
}

/** A claim that was not tested counts as one whose p-value is 1: it was in the family before its runs were known. */
export function holmOfKnown(pValues: readonly (number | undefined)[]): (number | undefined)[] {
  const adjusted = holm(pValues.map((p) => p ?? 1));
  return pValues.map((p, i) => (p === undefined ? undefined : adjusted[i]!));
}
