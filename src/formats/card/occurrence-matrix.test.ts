import { expect, test } from "vitest";
import type { Dataset } from "../../core/dataset.ts";
import { diagvibStudy } from "../../datasets/diagvib-study.ts";
import { decodeImage } from "../../images/codec.ts";
import { occurrenceMatrix } from "./occurrence-matrix.ts";

const count = { train: 90, val: 9, test: 9, testId: 9 };

/** How many pixels have exactly this colour. */
async function pixelsOf(dataset: Dataset, color: readonly [number, number, number]): Promise<number> {
  const png = await occurrenceMatrix(dataset, undefined);
  const { data, channels } = await decodeImage(new Uint8Array(png));
  let found = 0;
  for (let i = 0; i < data.length; i += channels)
    if (data[i] === color[0] && data[i + 1] === color[1] && data[i + 2] === color[2]) found++;
  return found;
}

/** The rings that mark cells of the test split. */
const ring = [0xc2, 0x41, 0x0c] as const;

test("each cell of the test split has a ring, beside the legend's one", async () => {
  const rings = async (study: string) => pixelsOf(await diagvibStudy.build({ study, count }, 0), ring);
  const [none, three] = [await rings("CGO-3"), await rings("ZGO")];
  // CGO-3 leaves three cells for the test, ZGO six: 1 + 3 and 1 + 6 rings.
  expect(none).toBeGreaterThan(40);
  expect(three / none).toBeCloseTo(7 / 4, 1);
});

test("without a cue, and with too many values, it says so", async () => {
  const dataset = await diagvibStudy.build({ count }, 0);
  const { hue: _, ...others } = dataset.attributes;
  await expect(occurrenceMatrix({ ...dataset, attributes: others }, undefined)).rejects.toThrow(
    /no cue to draw a matrix by[\s\S]*--cue/,
  );
  const many = {
    ...dataset.attributes.hue!,
    valueNames: Array.from({ length: 13 }, (_, i) => `value ${i}`),
  };
  await expect(occurrenceMatrix({ ...dataset, attributes: { many } }, "many")).rejects.toThrow(/too large/);
});
