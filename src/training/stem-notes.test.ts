import { expect, test } from "vitest";
import { stemNotes } from "./stem-notes.ts";

const note = (options: Record<string, string | number>, side: number, weights = false) =>
  stemNotes(
    { model: { name: "any", options }, weights: weights ? { digest: "", freshHead: false } : undefined },
    side,
    side,
  );

test.each([
  [
    { stem: "imagenet" },
    32,
    /shrinks these 32 × 32 images at once; --model-set stem=small shrinks them less/,
  ],
  [{ patch: 16 }, 32, /only 2 × 2 of these 32 × 32 images; --model-set patch=4 makes 8 × 8/],
  [{ patch: 16 }, 64, /only 4 × 4 .* --model-set patch=8 makes 8 × 8/],
  [{ patch: 7 }, 28, /only 4 × 4 .* --model-set patch=4 makes 7 × 7/],
])("%o on %i pixels is remarked on", (options, side, message) => {
  expect(note(options, side)).toEqual([expect.stringMatching(message)]);
});

test.each([
  [{ stem: "imagenet" }, 96],
  [{ stem: "small" }, 32],
  [{ patch: 16 }, 96],
  [{ patch: 4 }, 28],
  [{ width: 8 }, 8],
  // Nothing finer would help.
  [{ patch: 1 }, 4],
])("%o on %i pixels is not", (options, side) => {
  expect(note(options, side)).toEqual([]);
});

test.each([{ stem: "imagenet" }, { patch: 16 }])(
  "with weights, %o stays and the images change",
  (options) => {
    const [said] = note(options, 32, true);
    expect(said).toMatch(/the weights fit no other, and are better served by larger images \(--set size=<n>/);
    expect(said).not.toContain("--model-set");
  },
);
