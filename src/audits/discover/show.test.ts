import { expect, test } from "vitest";
import type { DiscoverAnswer, DiscoveredShortcut } from "./answer.ts";
import { discoverInShort } from "./show.ts";

test("what goes with a class as far as a finding that explains it is named beside it", () => {
  const finding = (property: string, statement: string, effect: number, explainedBy: string | null) =>
    ({
      class: "kitchen",
      property,
      statement,
      effect,
      explainedBy,
      share: 0.8,
      elsewhere: 0.1,
    }) as DiscoveredShortcut;
  const answer = {
    classes: [{ class: "kitchen", images: 60, heldOut: 30 }],
    findings: [
      finding("bytes per pixel", "bytes per pixel 1.37 to 3.01", 0.67, null),
      finding("format", "format is png", 0.66, "bytes per pixel"),
      finding("width", "width at least 300", 0.3, "bytes per pixel"),
    ],
    thresholds: { effect: 0.2, rate: 0.05, by: "Benjamini–Yekutieli" },
    classifiers: [],
    lookAlikes: { acrossSplits: 0 },
    leaks: [],
    without: null,
  } as unknown as DiscoverAnswer;
  expect(discoverInShort(answer)[0]).toBe(
    '1 thing gives 1 class of 1 away. "kitchen": bytes per pixel 1.37 to 3.01 (likewise format is png) in 80% of its images, in 10% of all others.',
  );
});
