/** Logistic regression over 100,000 × 512 features: seconds of full-batch and mini-batch training. */

import { trainLastLayer } from "../dist/src/protocol/last-layer.js";

const [rows, width, classes] = [100_000, 512, 10];
const features = new Float32Array(rows * width);
let mixed = 1;
for (let i = 0; i < features.length; i++) {
  mixed = (Math.imul(mixed, 1664525) + 1013904223) | 0;
  features[i] = mixed / 2 ** 31;
}
const labels = Int32Array.from({ length: rows }, (_, row) => {
  const first = features.subarray(row * width, row * width + classes);
  return first.indexOf(Math.max(...first));
});

for (const settings of [
  { optimiser: "adam", rate: 0.05, epochs: 100 },
  { optimiser: "sgd", rate: 1, epochs: 100, l1: 1e-3 },
  { optimiser: "adam", rate: 0.01, epochs: 20, batchSize: 256 },
]) {
  const usual = { classes, momentum: 0.9, schedule: "cosine", l1: 0, l2: 1e-4, seed: 0, threads: 2 };
  const start = performance.now();
  let last;
  await trainLastLayer({ features, width, labels }, { ...usual, ...settings }, (_epoch, loss) => {
    last = loss;
  });
  const seconds = (performance.now() - start) / 1000;
  process.stdout.write(`${JSON.stringify({ rows, width, ...settings, seconds, loss: last })}\n`);
}
