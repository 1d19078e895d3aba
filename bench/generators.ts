/**
 * How fast datasets are made in memory: images per second on one core, and how that compares with what is published.
 *
 *   npm run bench:generators
 *
 * Labels and attributes are made before the clock starts; their time is said apart.
 */

import { cpus } from "node:os";
import { parseAssignments } from "../src/core/settings.ts";
import { datasets } from "../src/datasets/index.ts";

interface Case {
  dataset: string;
  set: readonly string[];
  /** Images per second of the published generator, where it is known. */
  published?: number;
}

const cases: readonly Case[] = [
  { dataset: "colored-mnist", set: [] },
  { dataset: "biased-mnist", set: [], published: 850 },
  { dataset: "biased-mnist", set: ["scale=64"] },
  { dataset: "biased-mnist", set: ["scale=48"] },
  { dataset: "diagvib", set: [], published: 660 },
  { dataset: "diagvib", set: ["size=64"] },
  { dataset: "diagvib-study", set: [], published: 660 },
  { dataset: "diagvib-study", set: ["cue=background", "vary=corruption"] },
];
const rounds = 7;
const imagesPerRound = 5000;

console.log(`one core of ${cpus()[0]!.model}, Node ${process.version}; median of ${rounds} rounds (range)`);
for (const { dataset, set, published } of cases) {
  const definition = datasets.get(dataset);
  const started = performance.now();
  const { images } = await definition.build(parseAssignments(definition.settings, set), 0);
  const buildMs = performance.now() - started;
  const rates: number[] = [];
  // The first round warms the compiler up and is not counted.
  for (let round = 0; round <= rounds; round++) {
    const start = performance.now();
    for (let i = 0; i < imagesPerRound; i++) await images.pixels((round * imagesPerRound + i) % images.count);
    if (round > 0) rates.push((1000 * imagesPerRound) / (performance.now() - start));
  }
  rates.sort((a, b) => a - b);
  const median = rates[(rounds - 1) / 2]!;
  const ratio =
    published === undefined ? "" : `   ${(median / published).toFixed(0)} × the published ${published}/s`;
  console.log(
    `${[dataset, ...set].join(" ").padEnd(46)} ${whole(median).padStart(8)}/s (${whole(rates[0]!)} – ${whole(rates.at(-1)!)})` +
      `   ${whole(images.count)} labels in ${whole(buildMs)} ms${ratio}`,
  );
}

function whole(value: number): string {
  return Math.round(value).toLocaleString("en");
}
