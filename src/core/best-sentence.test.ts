import { expect, test } from "vitest";
import { bestSentence } from "./best-sentence.ts";

const row = (label: string, ...values: number[]) => ({
  label,
  values: values.map((value, seed) => ({ seed, value })),
});

test("the best is named with what is lower and what cannot be told from it", () => {
  const rows = [
    row("A", 0.8, 0.82, 0.84, 0.86),
    row("B", 0.79, 0.83, 0.82, 0.87),
    row("C", 0.7, 0.7, 0.73, 0.73),
  ];
  expect(bestSentence(rows, "test accuracy")).toBe(
    "A has the highest test accuracy, 83.0% over 4 seeds. Lower by a paired t over seeds, adjusted by Holm, at 5%: C (71.5%). That it is better than B (82.8%) cannot be told.",
  );
});

test("one seed tells no order, and nothing tells nothing", () => {
  expect(bestSentence([row("A", 0.9), row("B", 0.1)], "test accuracy")).toMatch(
    /A 90.0% and B 10.0%\. One seed says/,
  );
  expect(bestSentence([row("A")], "test accuracy")).toMatch(/No run is done/);
  expect(bestSentence([row("A", 0.9), row("B")], "test accuracy")).toBe("The test accuracy of A is 90.0%.");
});

test("the highest of those with several seeds may be below one that has a single seed", () => {
  const said = bestSentence([row("A", 0.5, 0.6), row("B", 0.4, 0.5), row("C", 0.9)], "test accuracy");
  expect(said).toMatch(/^A has the highest test accuracy of those with several seeds, 55.0% over 2 seeds\./);
  expect(said).toMatch(/Too few seeds in common to compare with: C \(90.0%\)\.$/);
});

test("where all are level none is best", () => {
  expect(bestSentence([row("A", 0.5, 0.5), row("B", 0.5, 0.5)], "test accuracy")).toBe(
    "The test accuracy is 50.0% for all of A and B: none is best.",
  );
});
