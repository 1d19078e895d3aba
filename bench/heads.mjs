/**
 * Many linear heads over the same features, solved: ours at once, scikit-learn one after the other, PyTorch at once by its L-BFGS. In
 * turns, to equal objectives; by processor time, so that other programs on the machine matter less.
 *
 * node bench/heads.mjs --rows 100000 --width 512 --heads 256 --alone 4 --rounds 3 --python .referee/bin/python
 */

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { scaledRows } from "../dist/src/training/heads/head-rows.js";
import { solveHeads } from "../dist/src/training/heads/solve-heads.js";

const { values } = parseArgs({
  options: {
    rows: { type: "string", default: "100000" },
    width: { type: "string", default: "512" },
    heads: { type: "string", default: "1000" },
    alone: { type: "string", default: "3" },
    together: { type: "string", default: "64" },
    most: { type: "string", default: "20" },
    rounds: { type: "string", default: "3" },
    threads: { type: "string", default: "2" },
    python: { type: "string", default: ".referee/bin/python" },
  },
});
const [rows, width, heads, alone, together, most, rounds, threads] = [
  "rows",
  "width",
  "heads",
  "alone",
  "together",
  "most",
  "rounds",
  "threads",
].map((name) => Number(values[name]));
const folder = mkdtempSync(join(tmpdir(), "heads-"));

// Like a network's: some directions vary much, most little, and none is negative.
let state = 1;
const uniform = () => {
  state = (Math.imul(state, 1664525) + 1013904223) | 0;
  return (state >>> 0) / 2 ** 32;
};
const hidden = 24;
const mixing = Float32Array.from({ length: hidden * width }, () => (uniform() - 0.5) / 2);
const features = new Float32Array(rows * width);
const labels = new Uint8Array(rows);
const groups = new Uint8Array(rows);
for (let row = 0; row < rows; row++) {
  const z = Float32Array.from({ length: hidden }, () => 4 * (uniform() - 0.5));
  labels[row] = z[0] + 0.7 * z[1] + 2 * (uniform() - 0.5) > 0 ? 1 : 0;
  groups[row] = 2 * labels[row] + (z[2] > 1 ? 1 : 0);
  for (let k = 0; k < width; k++) {
    let sum = 0.2 * (uniform() - 0.5);
    for (let j = 0; j < hidden; j++) sum += z[j] * mixing[j * width + k];
    features[row * width + k] = Math.max(0, sum);
  }
}
const mean = new Float64Array(width);
const square = new Float64Array(width);
for (let i = 0; i < features.length; i++) mean[i % width] += features[i] / rows;
for (let i = 0; i < features.length; i++) square[i % width] += (features[i] - mean[i % width]) ** 2 / rows;
for (let i = 0; i < features.length; i++)
  features[i] = (features[i] - mean[i % width]) / (Math.sqrt(square[i % width]) || 1);

/** Penalties over four decades, groups weighted in other ways. */
const described = Array.from({ length: heads }, (_, h) => ({
  l2: 10 ** (-4 + (3 * (h % 16)) / 15),
  ofGroup: [1, 1 + ((h >> 4) % 5), 1 + ((3 * (h >> 4)) % 7), 1],
}));
writeFileSync(join(folder, "x.f32"), features);
writeFileSync(join(folder, "y.u8"), labels);
writeFileSync(join(folder, "g.u8"), groups);
const describe = (seconds) =>
  writeFileSync(
    join(folder, "heads.json"),
    JSON.stringify({ rows, width, alone, together, threads, most: seconds, described }),
  );

async function ours() {
  const begun = process.cpuUsage();
  const clock = performance.now();
  const read = async (places, into) =>
    into.set(features.subarray(places[0] * width, (places.at(-1) + 1) * width));
  const all = await scaledRows(
    Uint32Array.from({ length: rows }, (_, i) => i),
    read,
    {
      width,
      most: 2 ** 31,
      scale: { mean: new Float64Array(width), deviation: new Float64Array(width).fill(1) },
    },
  );
  const problems = described.map(({ l2, ofGroup }) => ({
    labels,
    classes: 2,
    l2,
    weights: Float32Array.from(groups, (group) => ofGroup[group]),
  }));
  const solved = await solveHeads(all, problems, { threads });
  const { user, system } = process.cpuUsage(begun);
  return {
    processor: (user + system) / 1e6,
    seconds: (performance.now() - clock) / 1000,
    looks: solved.reduce((sum, { evaluations }) => sum + evaluations, 0) / heads,
    objectives: solved.map(({ objective }) => objective),
  };
}

const theirs = (what, best) => {
  writeFileSync(join(folder, "best.json"), JSON.stringify(best));
  const script = join(import.meta.dirname, "heads_reference.py");
  execFileSync(values.python, [script, what, folder], { stdio: ["ignore", "inherit", "inherit"] });
  return JSON.parse(readFileSync(join(folder, `${what}.json`), "utf8"));
};

const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];
const found = [];
for (let round = 0; round < rounds; round++) {
  const own = await ours();
  describe((most * together * own.processor) / heads);
  const sklearn = theirs("sklearn", own.objectives);
  const torch = theirs("torch", own.objectives);
  const apart = sklearn.objectives.map((objective, i) => own.objectives[sklearn.places[i]] / objective - 1);
  const perHead = own.processor / heads;
  const row = {
    round,
    oursPerHead: perHead,
    oursLooks: own.looks,
    sklearnPerHead: sklearn.processor / alone,
    torchPerHead: torch.processor / torch.heads,
    timesSklearn: sklearn.processor / alone / perHead,
    timesTorch: torch.processor / torch.heads / perHead,
    mostAboveSklearn: Math.max(...apart),
    torchReached: torch.reached,
    torchSteps: torch.steps,
  };
  found.push(row);
  process.stdout.write(`${JSON.stringify(row)}\n`);
}
const of = (key) => {
  const all = found.map((row) => row[key]);
  return `${median(all).toFixed(1)} (${Math.min(...all).toFixed(1)}–${Math.max(...all).toFixed(1)})`;
};
process.stdout.write(
  `${rows} × ${width}, ${heads} heads: × scikit-learn ${of("timesSklearn")}, × PyTorch ${of("timesTorch")}\n`,
);
rmSync(folder, { recursive: true });
