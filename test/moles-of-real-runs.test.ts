/** Standard models against standard models, in real training runs: `npm run bench:mole-nulls` has more of them. */

import { expect, test } from "vitest";
import { alignTiny, drawTinyWorld, trainTiny } from "../bench/tiny-moles.ts";
import { randomStream } from "../src/core/random.ts";
import { type Alignment, cellAccuracy } from "../src/metrics/alignment.ts";
import { compareToBaseline, judgeMoles } from "../src/metrics/moles/index.ts";

test("five seeds of ERM beside five others have no verdict, though both lean on both cues", async () => {
  const stream = randomStream(22, "moles of real runs");
  let words = 0;
  for (let draw = 0; draw < 4; draw++) {
    const alignments: Alignment[] = [];
    for (let seed = 0; seed < 5; seed++) {
      const at = 5 * draw + seed;
      const world = drawTinyWorld(stream.at(at));
      const [ours, theirs] = [await trainTiny(world, 2 * at), await trainTiny(world, 2 * at + 1)];
      // Equal seeds are equal runs, and others are not.
      if (at === 0) expect(await trainTiny(world, 0)).toEqual(ours);
      expect(theirs).not.toEqual(ours);
      alignments.push(alignTiny(world.test, ours, theirs));
    }
    const [both, background, object] = [0, 1, 2].map((cell) =>
      alignments.reduce((sum, { cells }) => sum + cellAccuracy(cells[cell]!)! / 5, 0),
    );
    expect(both! - background!).toBeGreaterThan(0.05);
    expect(both! - object!).toBeGreaterThan(0.05);
    const [judged] = judgeMoles([
      compareToBaseline(alignments.map((alignment) => ({ alignment, cues: [] })))!,
    ]);
    words += judged!.cues.filter(
      ({ verdict }) => verdict !== null && verdict !== "equal" && verdict !== "cannot be told",
    ).length;
  }
  expect(words).toBe(0);
});
