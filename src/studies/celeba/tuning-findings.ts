/** Findings about Fig. 6: how far apart the accuracies are that seven tuning distributions lead to. */

import type { Finding } from "../../core/section.ts";
import { mean } from "../../core/statistics/index.ts";
import { baseline } from "../compared-methods.ts";
import type { MeasuredCase, MeasuredRun } from "../jobs/runs-job.ts";
import { type JudgedDifference, judged, untold } from "../judge.ts";
import { points } from "../summaries.ts";
import { rangesOverAlpha } from "../tuning.ts";
import { claims, level, sensitive } from "./claims.ts";
import { majorityAccuracy, minorityAccuracy } from "./sections.ts";

type Half = (run: MeasuredRun) => number | null;

export function tuningFindings(cases: readonly MeasuredCase[], margin: number) {
  const methods = [...new Set(cases.map(({ method }) => method))];
  const others = (labels: readonly string[]) => methods.filter((method) => !labels.includes(method));
  const own = (labels: readonly string[]) => methods.filter((method) => labels.includes(method));
  const finding = (
    claim: string,
    pairs: readonly { one: string; other: string; half: Half; on: string }[],
    expected: JudgedDifference["expected"],
  ): Finding => {
    if (pairs.length === 0) return untold(claim, "the methods that it compares have no runs of Fig. 6");
    const comparisons = pairs.map(
      ({ one, other, half, on }): JudgedDifference => ({
        name: `range of ${one} less that of ${other} on ${on}`,
        values: rangeDifferences(cases, one, other, half),
        expected,
      }),
    );
    const evidence = methods.map((method) => {
      const range = (half: Half) => rangesOverAlpha(cases, method, half).map(({ value }) => value);
      const shown = (values: number[]) => (values.length === 0 ? "unknown" : points(mean(values)));
      return `${method} ${shown(range(minorityAccuracy))} and ${shown(range(majorityAccuracy))}`;
    });
    return judged(claim, comparisons, {
      margin,
      evidence: [`ranges over α in points on blond men and on the others: ${evidence.join(", ")}`],
    });
  };
  const onBlondMen = { half: minorityAccuracy, on: "blond men" };
  const onOthers = { half: majorityAccuracy, on: "the others" };
  return {
    steady: finding(
      claims.steady,
      own(level).flatMap((one) => others(level).map((other) => ({ one, other, ...onBlondMen }))),
      "below",
    ),
    // LfF is said to hang much on it, too.
    sensitive: finding(
      claims.sensitive,
      own(sensitive).flatMap((one) =>
        others([...sensitive, "LfF"]).map((other) => ({ one, other, ...onBlondMen })),
      ),
      "above",
    ),
    lff: finding(
      claims.lff,
      own(["LfF"]).flatMap((one) =>
        own([baseline]).flatMap((other) => [onBlondMen, onOthers].map((half) => ({ one, other, ...half }))),
      ),
      "above",
    ),
  };
}

function rangeDifferences(cases: readonly MeasuredCase[], one: string, other: string, half: Half): number[] {
  const theirs = rangesOverAlpha(cases, other, half);
  return rangesOverAlpha(cases, one, half).flatMap(({ seed, value }) => {
    const found = theirs.find((each) => each.seed === seed);
    return found === undefined ? [] : [value - found.value];
  });
}
