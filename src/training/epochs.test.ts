/** The two cases in which a pool's column used to say something else. */

import { expect, test } from "vitest";
import { epochsAfter } from "./epochs.ts";

test("an epoch is as many images as there are to train on, dropped or cut batches or not", () => {
  // Of 120 images a network's epoch is five whole batches of 22: after ten, 220 images were seen, and not two epochs.
  expect(epochsAfter(10, { batchSize: 22, images: 120 })).toBe(220 / 120);
  // A batch of 121 of 120 images is all of them.
  expect(epochsAfter(10, { batchSize: 121, images: 120 })).toBe(10);
});
