/** What `data bias --out` writes. */

import { expect, test } from "vitest";
import { compareWithAccuracy } from "../../audits/data-bias/correlate.ts";
import { measureDataBias } from "../../audits/data-bias/measure.ts";
import { biasCsv, biasFiles } from "./report.ts";

const image = (className: string, left: number, side: number) => ({
  className,
  width: 100,
  height: 100,
  boxes: [{ left, top: (100 - side) / 2, width: side, height: side }],
  describe: className,
});

test("a page, a table and every figure", async () => {
  const bias = await measureDataBias([
    image("<cat>", 25, 50),
    image("dog", 0, 50),
    image("ant", 0, 10),
    { ...image("dog", 0, 10), boxes: [] },
  ]);
  expect(biasCsv({ bias })).toBe(
    "class,images,objects,centredness,size,product\n<cat>,1,1,1,0.25,0.25\ndog,1,1,0.75,0.25,0.1875\nant,1,1,0.55,0.01,0.0055000000000000005\n",
  );
  const comparison = compareWithAccuracy(
    bias.classes,
    new Map([
      ["<cat>", 0.1],
      ["dog", 0.2],
      ["ant", 0.9],
    ]),
  );
  const { page, csv, figures } = await biasFiles({ subject: "my photos", bias, comparison });
  expect(csv.split("\n")[3]).toMatch(/^ant,.*,0\.9$/);
  expect(Object.keys(figures)).toEqual([
    "centres",
    "scores-centre",
    "scores-size",
    "scores-product",
    "accuracy-centre",
    "accuracy-size",
    "accuracy-product",
  ]);
  for (const { svg, png } of Object.values(figures)) {
    expect(svg).toMatch(/^<svg role="img" aria-label="[^"]+/);
    expect(png.subarray(1, 4).toString()).toBe("PNG");
  }
  expect(page).toContain("&lt;cat&gt;");
  expect(page).toContain("Not counted, as they have no box: 1 images");
  // Centredness falls as accuracy rises: all three pairs disagree.
  expect(page).toContain("−1.00");
  // Three cells with one centre each, at half the height: their rectangles are in the figure.
  expect(figures.centres!.svg.match(/<path [^>]*fill="#?[^n"]/g)!.length).toBeGreaterThanOrEqual(3);
});
