/**
 * RISE: many random masks, each let through a half of the image, and places weigh by the class's probability where they were
 * seen. Scores are taken less their mean: else the map shows mostly how often a place happened to be seen.
 */

import { randomStream } from "../core/random.ts";
import { hideRegion } from "./hide.ts";
import { batchesOf } from "./in-batches.ts";
import { probabilityAt } from "./probabilities.ts";
import { imageSize, type SaliencyMethod } from "./saliency-method.ts";
import { stretchMap } from "./stretch-map.ts";

/** The paper has 4,000 to 8,000 masks at 224 pixels; the sampling error falls with their root. */
const maskCount = 1000;
/** Cells a side, and the share of them that is seen. */
const cells = 7;
const seenShare = 0.5;

export const rise: SaliencyMethod = {
  name: "rise",
  title: "RISE",
  description: `the class's probability under ${maskCount.toLocaleString("en")} random masks, put together to a map; needs no gradients`,
  paper: "Petsiuk et al. 2018",
  needs: "logits",
  explains: ["logits"],
  async open({ image, logits, classes }, { batch, fill, seed }) {
    const { height, width } = image;
    const stream = randomStream(seed, "saliency/rise");
    const taken = imageSize(image);
    const places = height * width;

    async function ofOne(one: Uint8Array, chosen: number): Promise<Float32Array> {
      const weighted = new Float64Array(places);
      const seen = new Float64Array(places);
      let scores = 0;
      for (const { first, used } of batchesOf(maskCount, batch)) {
        const masked = new Uint8Array(used * taken);
        // All images see the same masks, made anew for each: a thousand of them are too many to keep.
        const masks = Array.from({ length: used }, (_, i) => maskAt(stream.at(first + i), height, width));
        for (const [i, mask] of masks.entries()) {
          masked.set(one, i * taken);
          const hidden = mask.map((share) => 1 - share);
          hideRegion(masked.subarray(i * taken, (i + 1) * taken), image, hidden, fill);
        }
        const rows = await logits(masked, used);
        for (const [i, mask] of masks.entries()) {
          const score = probabilityAt(rows.subarray(i * classes, (i + 1) * classes), chosen);
          scores += score;
          for (let p = 0; p < places; p++) {
            weighted[p]! += score * mask[p]!;
            seen[p]! += mask[p]!;
          }
        }
      }
      const mean = scores / maskCount;
      return Float32Array.from(
        weighted,
        (total, p) => (total - mean * seen[p]!) / (maskCount * seenShare * (1 - seenShare)),
      );
    }

    return {
      async maps(given, rows) {
        const count = given.length / taken;
        const values = new Float32Array(count * places);
        for (let i = 0; i < count; i++) {
          const chosen = rows.subarray(i * classes, (i + 1) * classes).indexOf(1);
          values.set(await ofOne(given.subarray(i * taken, (i + 1) * taken), chosen), i * places);
        }
        return { values, notes: {} };
      },
      close: async () => {},
    };
  },
};

/** Cells of 0 and 1, one row and column more than fit, stretched without edges and shifted by less than one cell. */
function maskAt(random: ReturnType<ReturnType<typeof randomStream>["at"]>, height: number, width: number) {
  const grid = Float32Array.from({ length: (cells + 1) ** 2 }, () => (random.boolean(seenShare) ? 1 : 0));
  const [cellHeight, cellWidth] = [Math.ceil(height / cells), Math.ceil(width / cells)];
  const [tall, wide] = [(cells + 1) * cellHeight, (cells + 1) * cellWidth];
  const large = stretchMap(grid, [cells + 1, cells + 1], [tall, wide]);
  const [top, left] = [random.integer(cellHeight), random.integer(cellWidth)];
  const mask = new Float32Array(height * width);
  for (let y = 0; y < height; y++) {
    const from = (top + y) * wide + left;
    mask.set(large.subarray(from, from + width), y * width);
  }
  return mask;
}
