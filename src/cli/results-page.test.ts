/** Which cue a method has found is said of what is known, not of the largest number. */

import { expect, test } from "vitest";
import type { JudgedCue } from "../runs/judged-inference.ts";
import { inferencePart } from "./results-page.ts";

function cue(name: string, area: number, low: number, high: number): JudgedCue {
  const shares = { precision: 0.5, recall: 0.5, chancePrecision: 0.05, chanceRecall: 0.05 };
  return { cue: name, images: 4000, minority: 200, area, low, high, ...shares };
}

const sentence = (cues: readonly JudgedCue[]) =>
  inferencePart({
    stage: "retrain",
    name: "margin",
    threshold: 0,
    images: 4000,
    taken: 251,
    cues: [...cues],
  }).split("\n")[1];

test("the cue that was found for sure, though a rare one has a larger AUC", () => {
  const rare = cue("coObject", 0.62, 0.44, 0.77);
  expect(sentence([rare, cue("background", 0.58, 0.53, 0.63)])).toBe(
    "it finds the minority of background best",
  );
  expect(sentence([rare, cue("background", 0.52, 0.47, 0.57)])).toBe(
    "it finds the minority of no cue: no AUC is above 0.5 by more than chance",
  );
});

test("others that were found are named after it", () => {
  const both = [cue("coObject", 0.6, 0.55, 0.65), cue("background", 0.9, 0.88, 0.92)];
  expect(sentence(both)).toBe("it finds the minority of background best, then of coObject");
});
