/**
 * What the dials of UrbanCars do to the baseline's gaps: every setting × seed is one run, judged on validation images alone.
 *
 *     npm run build && node bench/urban-cars-dials.mjs --out runs [--seeds 700,701,702] [--only "as it comes"]
 *
 * A seed draws data and weights. Finished runs are kept, so that the same command goes on where it stopped.
 */

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { meanOverSeeds } from "../dist/src/core/statistics/index.js";
import { easierCue, trainedAs } from "../dist/src/studies/drawn-cars.js";

const { values: given } = parseArgs({
  options: {
    out: { type: "string" },
    seeds: { type: "string", default: "700,701,702,703,704" },
    only: { type: "string", default: "" },
  },
});
if (given.out === undefined) throw new Error("--out <folder> says where runs are kept");

/** Li et al. 2023, Table 3, ERM: in distribution, and the three gaps. */
const targets = [97.6, -15.3, -11.2, -69.2];
/** Shares of training images by which cue is broken: neither, background, object, both. */
const shares = [0.9025, 0.0475, 0.0475, 0.0025];

/** The studies' recipe and the dataset's defaults, but for what is said; epochs are of 250 steps. */
const smallCnn = { model: { name: "small-cnn", options: { width: 16 } }, rate: 0.0015 };
const settings = {
  "as it comes": {},
  "background easier": { set: easierCue.background },
  "object easier": { set: easierCue.coObject },
  "haze 0.3": { set: { backgroundHaze: 0.3 } },
  "haze 0.45": { set: { backgroundHaze: 0.45 } },
  "12 epochs": { epochs: 12 },
  "small-cnn": smallCnn,
  "small-cnn, 12 epochs": { ...smallCnn, epochs: 12 },
};

const program = join(import.meta.dirname, "../dist/program/main.js");
const many = (flag, values) =>
  Object.entries(values ?? {}).flatMap(([key, value]) => [flag, `${key}=${value}`]);

/** In points. */
function measured({ epochs, rate, set, model }, name, seed) {
  const out = join(given.out, `${name.replaceAll(/[^\w.]+/g, "-")}-${seed}`);
  const network = model ?? trainedAs.model;
  const steps = epochs === undefined ? trainedAs.steps : 250 * epochs;
  if (!existsSync(join(out, "manifest.json"))) {
    const options = [
      "--data urban-cars --set size=64 --set count.val=4000 --set count.test=8 --set backgrounds.val=400".split(
        " ",
      ),
      many("--set", set),
      ["--model", network.name],
      many("--model-set", network.options),
      ["--steps", steps, "--batch-size", trainedAs.batchSize, "--lr", rate ?? trainedAs.optimiser.rate],
      ["--optimiser", trainedAs.optimiser.name, "--schedule", trainedAs.schedule.name],
      trainedAs.augment.flatMap((view) => ["--augment", view]),
      ["--threads", 1, "--measure", steps],
      ["--data-seed", seed, "--seed", seed, "-q", "--out", out],
    ].flat();
    execFileSync(process.execPath, [program, "train", ...options.map(String)], {
      stdio: ["ignore", "ignore", "inherit"],
    });
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
const row = (name, seed, values) => console.log(`| ${[name, seed, ...values].join(" | ")} |`);
row("setting", "seed", ["I.D.", "background", "object", "both"]);
row(
  "---",
  "---:",
  targets.map(() => "---:"),
);
row("target", "", targets);
for (const [name, setting] of Object.entries(settings)) {
  if (given.only !== "" && name !== given.only) continue;
  const runs = seeds.map((seed) => measured(setting, name, seed));
  for (const [i, run] of runs.entries())
    row(
      name,
      seeds[i],
      run.map((value) => value.toFixed(1)),
    );
  const means = targets.map((_, column) => {
    const { mean, low, high } = meanOverSeeds(runs.map((run) => run[column]));
    return low === undefined
      ? mean.toFixed(1)
      : `${mean.toFixed(1)} (${low.toFixed(1)} to ${high.toFixed(1)})`;
  });
  row(name, "all", means);
}
