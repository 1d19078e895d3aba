/** What a finding asks of accuracies: comparisons of a value a dataset sample each. */

import type { Finding } from "../../core/section.ts";
import { type JudgedDifference, judged, untold } from "../judge.ts";
import { type ClaimName, claims } from "./claims.ts";
import { type SampleValue, valuesOf } from "./numbers.ts";

export interface AskedComparison {
  name: string;
  values: readonly SampleValue[];
  expected: "above" | "below";
  holds?: NonNullable<JudgedDifference["holds"]>;
}

/** Comparisons that no sample has are left out; a finding of none cannot be told. */
export function askedFinding(
  name: ClaimName,
  asked: readonly AskedComparison[] | string,
  margin: number,
): Finding {
  const claim = claims[name];
  if (typeof asked === "string") return untold(claim, asked);
  const known = asked.filter(({ values }) => values.length > 0);
  if (known.length === 0)
    return untold(claim, "none of its pairs was measured to rest, or none of their factors is learned");
  return judged(
    claim,
    known.map((each) => ({ ...each, values: valuesOf(each.values) })),
    { margin, evidence: [] },
  );
}
