/** The sentence on top says what the fit's remarks say, where these are no details. */

import { expect, test } from "vitest";
import { paperScale } from "../../core/accuracy-scale.ts";
import { fitScaled } from "./fit.ts";
import { lineInShort } from "./in-short.ts";
import type { LineReport, SplitReport } from "./report.ts";
import { warningsOf } from "./warnings.ts";

/** On the probit scale: up to `end` with the one slope, beyond it with another. */
function split(ood: string, name: string, slopeAbove: number): SplitReport {
  const x = Float64Array.from({ length: 200 }, (_, i) => -1 + i / 80);
  const y = x.map((at, i) => 0.8 * Math.min(at, 0.5) + slopeAbove * Math.max(0, at - 0.5) + 0.02 * (i % 3));
  const fit = fitScaled(x, y);
  const warnings = warningsOf({ x, y }, fit, paperScale, {});
  const none = { id: ["val"], group: {}, dropped: 0, idRange: null, oodRange: null };
  return { ...fit, ...none, ood, name, warnings };
}

function report(...splits: SplitReport[]): LineReport {
  return { splits, threshold: 0.3 } as unknown as LineReport;
}

test("a line that breaks is told in the answer, with both parts", () => {
  const [told] = lineInShort(report(split("shifted", "a", -1.5)));
  expect(told).toMatch(
    /^shifted: can reveal shortcuts, R = 0\.00 \(-0\.14 to 0\.14\) over 200 points\. Beware: the line breaks at an ID accuracy of 69\.\d%: R 1\.00 below \(misspecified\), −1\.00 above \(well-specified\); judge each by itself\.$/,
  );
});

test("one line is told as one", () => {
  expect(lineInShort(report(split("shifted", "a", 0.8)))).toEqual([
    "shifted: cannot reveal shortcuts, R = 1.00 (1.00 to 1.00) over 200 points.",
  ]);
});

test("of several fits, and of many environments, it is said in how many", () => {
  const two = report(split("shifted", "a", -1.5), split("shifted", "b", 0.8));
  expect(lineInShort(two)[0]).toMatch(/ Beware: in 1 of 2 fits the slope changes along the way\.$/);
  const many = report(...Array.from({ length: 7 }, (_, i) => split(`env${i}`, "a", i < 3 ? -1.5 : 0.8)));
  expect(lineInShort(many).at(-1)).toBe("Beware: in 3 of 7 fits the slope changes along the way.");
});
