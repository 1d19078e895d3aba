/** Inferred groups judged by cues: by hand, and precision and recall as scikit-learn has them (test/references/sklearn_roc.py). */

import { describe, expect, test } from "vitest";
import { hashUniform } from "../../test/helpers/hash-uniform.ts";
import { storedReference } from "../../test/helpers/reference.ts";
import type { Dataset } from "../core/dataset.ts";
import { judgeInferences } from "./judge-inference.ts";

/** Two classes, a cue whose value is the class's own but for some training images; the last image is of another split. */
function dataset(labels: number[], isMinority: readonly boolean[]): Dataset {
  const values = Uint16Array.from([...labels, 0], (label, i) => (isMinority[i] ? 1 - label : label));
  return {
    labels: Uint16Array.from([...labels, 0]),
    classNames: ["a", "b"],
    attributes: {
      place: { values, valueNames: ["x", "y"], role: "cue", classValues: [0, 1] },
      thing: { values: new Uint16Array(labels.length + 1), valueNames: ["z"], role: "other" },
    },
    splits: { names: ["train", "test"], values: Uint8Array.from([...labels.map(() => 0), 1]) },
  } as unknown as Dataset;
}

const judgedOf = (data: Dataset, scores: number[], threshold: number) =>
  judgeInferences(data, [
    { stage: "train", part: "train", inferred: { hard: { scores: Float32Array.from(scores), threshold } } },
  ])[0]!;

describe("a score against the minority of a cue", () => {
  const minority = [true, false, false, true, false, false];
  const data = dataset([0, 0, 0, 1, 1, 1], minority);

  test("by hand, with an image that has no score", () => {
    const judged = judgedOf(data, [3, 1, Number.NaN, 2, 2.5, 0], 1.5);
    expect(judged).toMatchObject({ stage: "train", name: "hard", images: 5, taken: 3 });
    const [cue, ...others] = judged.cues;
    expect(others).toEqual([]);
    expect(cue).toMatchObject({ cue: "place", images: 5, minority: 2, precision: 2 / 3, recall: 1 });
    expect(cue).toMatchObject({ chancePrecision: 2 / 5, chanceRecall: 3 / 5 });
    // Of six pairs only 2 against 2.5 is the wrong way round.
    expect(cue!.area).toBeCloseTo(5 / 6, 12);
  });

  test("nothing taken has no precision, and a class without a common value is left out", () => {
    expect(judgedOf(data, [0, 0, 0, 0, 0, 0], 1).cues[0]).toMatchObject({
      precision: null,
      recall: 0,
      area: 0.5,
    });
    const undeclared = {
      values: Uint16Array.of(0, 1, 0, 1, 0, 0, 0),
      valueNames: ["x", "y"],
      role: "cue" as const,
    };
    const tied = { ...data, labels: Uint16Array.of(0, 0, 1, 1, 1, 1, 0), attributes: { place: undeclared } };
    expect(judgedOf(tied, [1, 2, 3, 4, 5, 6], 0).cues[0]).toMatchObject({ images: 4, minority: 1 });
  });

  test("what cannot be judged is told", () => {
    expect(() => judgedOf(data, [1, 2], 0)).toThrow(
      /"hard", which cannot be judged[\s\S]*6 scores[\s\S]*2 scores/,
    );
    expect(() => judgedOf(data, [1, 2, 3, 4, 5, Number.POSITIVE_INFINITY], 0)).toThrow(/some infinite/);
  });
});

interface Case {
  count: number;
  share: number;
  lift: number;
  steps: number;
  threshold: number;
  area: number;
  precision: number;
  recall: number;
}

const stepped = storedReference<Case[]>("sklearn_roc").filter(({ steps }) => steps > 0);

// Scores are kept as float32: without steps a threshold could fall between a score and its rounding.
test.each(stepped)(
  "$count images, lift $lift, $steps steps",
  ({ count, share, lift, steps, threshold, ...expected }) => {
    const isMinority = Array.from(hashUniform(count, 1), (value) => value < share);
    const scores = Array.from(hashUniform(count, 2), (value, i) =>
      Math.floor((value + (isMinority[i] ? lift : 0)) * steps),
    );
    const labels = Array.from({ length: count }, (_, i) => i % 2);
    const { area, precision, recall } = judgedOf(dataset(labels, isMinority), scores, threshold).cues[0]!;
    expect(area).toBeCloseTo(expected.area, 12);
    expect(precision).toBeCloseTo(expected.precision, 12);
    expect(recall).toBeCloseTo(expected.recall, 12);
  },
);
