/**
 * What the dials of UrbanCars do to the baseline's gaps: every setting × seed is one run, judged on validation images alone.
 *
 *     npm run build && node bench/urban-cars-dials.mjs --out runs [--seeds 300,301,302] [--only "haze 0.3, 12 epochs"]
 *
 * A seed draws data and weights. Finished runs are kept, so that the same command goes on where it stopped.
 */

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { meanOverSeeds } from "../dist/src/core/statistics/index.js";

const { values: given } = parseArgs({
  options: {
    out: { type: "string" },
    seeds: { type: "string", default: "300,301,302" },
    only: { type: "string", default: "" },
  },
});
if (given.out === undefined) throw new Error("--out <folder> says where runs are kept");

/** Li et al. 2023, Table 3, ERM: in distribution, and the three gaps. */
const targets = [97.6, -15.3, -11.2, -69.2];
/** Shares of training images by which cue is broken: neither, background, object, both. */
const shares = [0.9025, 0.0475, 0.0475, 0.0025];

/** Width 16, batches of 32 by Adam at 0.001 with a cosine, unless said. */
const settings = {
  "haze 0.3, 8 epochs, rate 0.002": { epochs: 8, rate: 0.002, set: ["backgroundHaze=0.3"] },
  "haze 0.3, 8 epochs, rate 0.004": { epochs: 8, rate: 0.004, set: ["backgroundHaze=0.3"] },
  "haze 0.5, 8 epochs, rate 0.002": { epochs: 8, rate: 0.002, set: ["backgroundHaze=0.5"] },
  "haze 0.45, 8 epochs, rate 0.0015": { epochs: 8, rate: 0.0015, set: ["backgroundHaze=0.45"] },
  "haze 0.4, 8 epochs, rate 0.0015": { epochs: 8, rate: 0.0015, set: ["backgroundHaze=0.4"] },
  "haze 0.35, 12 epochs, rate 0.0015": { epochs: 12, rate: 0.0015, set: ["backgroundHaze=0.35"] },
  "haze 0.35, 8 epochs, rate 0.0015": { epochs: 8, rate: 0.0015, set: ["backgroundHaze=0.35"] },
  "haze 0.3, 12 epochs": { epochs: 12, set: ["backgroundHaze=0.3"] },
  "haze 0.35, 8 epochs": { epochs: 8, set: ["backgroundHaze=0.35"] },
  "haze 0.3, 12 epochs, rate 0.002": { epochs: 12, rate: 0.002, set: ["backgroundHaze=0.3"] },
};

const program = join(import.meta.dirname, "../dist/program/main.js");
const many = (flag, values = []) => values.flatMap((value) => [flag, value]);

/** In points. */
function measured({ epochs, rate = 0.001, set, model = ["width=16"] }, name, seed) {
  const out = join(given.out, `${name.replaceAll(/[^\w.]+/g, "-")}-${seed}`);
  if (!existsSync(join(out, "manifest.json"))) {
    const data = [
      "--data",
      "urban-cars",
      "--set",
      "size=64",
      "--set",
      "count.val=4000",
      "--set",
      "count.test=8",
    ];
    const recipe = [
      "--epochs",
      epochs,
      "--batch-size",
      "32",
      "--lr",
      rate,
      "--augment",
      "flip",
      "--schedule",
      "cosine",
      "--threads",
      "1",
    ];
    const seeds = ["--data-seed", seed, "--seed", seed];
    const dials = [...many("--set", ["backgrounds.val=400", ...(set ?? [])]), ...many("--model-set", model)];
    const network = ["--model", "small-cnn", "--measure", String(250 * epochs)];
    const options = [...data, ...dials, ...network, ...recipe, ...seeds, "-q", "--out", out];
    execFileSync(process.execPath, [program, "train", ...options.map(String)], { stdio: "inherit" });
  }
  const rows = readFileSync(join(out, "checkpoints.csv"), "utf8").split("\n");
  const cell = (broken) => {
    const row = rows.find((line) => line.includes(`val, broken ${broken}"`));
    return 100 * Number(row.replace(/".*?"/, "").split(",")[4]);
  };
  const cells = ["none", "background", "coObject", "background, coObject"].map(cell);
  const inDistribution = cells.reduce((sum, accuracy, i) => sum + shares[i] * accuracy, 0);
  return [inDistribution, ...cells.slice(1).map((accuracy) => accuracy - inDistribution)];
}

mkdirSync(given.out, { recursive: true });
const seeds = given.seeds.split(",");
console.log(`| setting | I.D. | background | object | both |\n| --- | ---: | ---: | ---: | ---: |`);
console.log(`| target | ${targets.join(" | ")} |`);
for (const [name, setting] of Object.entries(settings)) {
  if (given.only !== "" && name !== given.only) continue;
  const runs = seeds.map((seed) => measured(setting, name, seed));
  const told = targets.map((_, column) => {
    const values = runs.map((run) => run[column]);
    const { mean, low, high } = meanOverSeeds(values);
    return low === undefined
      ? mean.toFixed(1)
      : `${mean.toFixed(1)} (${low.toFixed(1)} to ${high.toFixed(1)})`;
  });
  console.log(`| ${name} | ${told.join(" | ")} |`);
}
