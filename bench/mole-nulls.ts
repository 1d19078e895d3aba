/**
 * How often standard models beside standard models have a verdict on a cue, which none of them deserves.
 *
 *   npm run bench:mole-nulls                  100 draws of five seeds against five, a thousand training runs, a minute or two
 *   npm run bench:mole-nulls -- --draws 20
 *
 * Real runs of ERM on a tiny world (`tiny-moles.ts`): both models of a seed have its images, and first weights and order of images of
 * their own. Over seeds, as sweeps and studies judge; and one pair at a time over its images, where two models that differ by chance of
 * training alone do differ, so that a word is no error: the error over images is that of pairs whose answers were exchanged at random.
 */

import { randomStream } from "../src/core/random.ts";
import { mean, standardDeviation, wilsonInterval } from "../src/core/statistics/index.ts";
import { type Alignment, cellAccuracy } from "../src/metrics/alignment.ts";
import { compareToBaseline, judgeMoles, type MoleVerdict } from "../src/metrics/moles/index.ts";
import { alignTiny, drawTinyWorld, trainTiny } from "./tiny-moles.ts";

const [option, value] = process.argv.slice(2);
const draws = option === "--draws" ? Number(value) : 100;
const seeds = 5;

const stream = randomStream(21, "mole-nulls");
const overSeeds = new Map<string, number>();
const overImages = new Map<string, number>();
const exchanged = new Map<string, number>();
const accuracies: number[][] = [];

for (let draw = 0; draw < draws; draw++) {
  const alignments: Alignment[] = [];
  for (let seed = 0; seed < seeds; seed++) {
    const at = draw * seeds + seed;
    const random = stream.at(at);
    const world = drawTinyWorld(random);
    const [ours, theirs] = [await trainTiny(world, 2 * at), await trainTiny(world, 2 * at + 1)];
    const aligned = alignTiny(world.test, ours, theirs);
    alignments.push(aligned);
    accuracies.push(aligned.cells.map((cell) => cellAccuracy(cell)!));
    count(overImages, verdictsOf([aligned]));
    const coins = ours.map(() => random.uniform() < 0.5);
    const mixed = (one: readonly boolean[], other: readonly boolean[]) =>
      one.map((right, i) => (coins[i] ? other[i]! : right));
    count(exchanged, verdictsOf([alignTiny(world.test, mixed(ours, theirs), mixed(theirs, ours))]));
  }
  count(overSeeds, verdictsOf(alignments));
  if ((draw + 1) % 10 === 0) process.stderr.write(`${draw + 1} of ${draws} draws\n`);
}

const cells = accuracies[0]!.map((_, cell) => {
  const own = accuracies.map((each) => each[cell]!);
  return `${(100 * mean(own)).toFixed(1)} ± ${(100 * standardDeviation(own)).toFixed(1)}`;
});
console.log(`accuracy of the cells, both common, background, object, both uncommon: ${cells.join(", ")}`);
report(`${seeds} seeds against ${seeds}, over seeds`, overSeeds, draws);
report("one pair, over images", overImages, draws * seeds);
report("one pair with answers exchanged at random, over images", exchanged, draws * seeds);

function verdictsOf(alignments: readonly Alignment[]): MoleVerdict[] {
  const comparison = compareToBaseline(alignments.map((alignment) => ({ alignment, cues: [] })))!;
  return judgeMoles([comparison])[0]!.cues.flatMap(({ verdict }) => verdict ?? []);
}

/** By the words that have been said of any cue. */
function count(into: Map<string, number>, verdicts: readonly MoleVerdict[]): void {
  const words = verdicts.filter((verdict) => verdict !== "equal" && verdict !== "cannot be told");
  for (const name of words.length > 0 ? ["any", ...new Set(words)] : [])
    into.set(name, (into.get(name) ?? 0) + 1);
}

function report(what: string, found: ReadonlyMap<string, number>, of: number): void {
  const any = found.get("any") ?? 0;
  const { low, high } = wilsonInterval(any, of);
  const words = [...found].filter(([name]) => name !== "any").map(([name, n]) => `${name} ${n}`);
  console.log(
    `${what}: ${any} of ${of} have a verdict (95%: ${(100 * low).toFixed(1)} to ${(100 * high).toFixed(1)}%)${words.length > 0 ? `; ${words.join(", ")}` : ""}`,
  );
}
