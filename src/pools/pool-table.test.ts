/** Rows of a chunk, as far as they follow from its plan. */

import { expect, test } from "vitest";
import { drawChunk } from "./draw-classifiers.ts";
import { kindsNamed } from "./feature-kinds.ts";
import { rowsOfChunk } from "./pool-table.ts";

test("a batch of 121 of 120 images is all of them: ten steps are ten epochs", () => {
  const kinds = kindsNamed(["pixels-1"], { height: 8, width: 8, channels: 3 });
  const drawn = drawChunk(0, { seed: 0, vary: "wide", families: ["logistic"], kinds, channels: 3 });
  const environments = ["a", "b", "c"].map((name) => ({
    name,
    inPart: new Uint32Array(60),
    outPart: new Uint32Array(1),
  }));
  const epochOf = (batchSize: number) =>
    rowsOfChunk(
      { ...drawn, batchSize },
      [{ member: 0, step: 10, accuracies: [] }],
      { kind: "attribute", attribute: "place", environments },
      { training: [0, 1], shifted: [2] },
      [],
    ).map(({ epoch, batch_size }) => [epoch, batch_size]);
  expect(epochOf(121)).toEqual([[10, 121]]);
  expect(epochOf(22)).toEqual([[220 / 120, 22]]);
});
