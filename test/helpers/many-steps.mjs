/** Trains a small network for many steps and prints how much memory is held after half of them and at the end. */

import { randomStream } from "../../dist/src/core/random.js";
import { Executable } from "../../dist/src/engine/executable.js";
import * as e from "../../dist/src/engine/expressions.js";
import { State } from "../../dist/src/engine/state.js";
import { adam } from "../../dist/src/engine/training/optimisers.js";
import { initialise } from "../../dist/src/engine/training/parameters.js";
import { trainingStep } from "../../dist/src/engine/training/step.js";
import { models } from "../../dist/src/models/index.js";
import { Network } from "../../dist/src/models/model.js";

const steps = Number(process.argv[2]);
/** Many images of few pixels: a batch that is never freed would soon be seen. */
const count = 64;
const images = e.input("images", [count, 8, 8, 3], "byte");
const labels = e.input("labels", [count], "int");
const network = new Network(models.get("small-cnn"), { classes: 2, mode: "train", options: { width: 4 } });
const loss = e.mean(e.crossEntropy(network.logits(images), labels));
const step = trainingStep({
  loss,
  parameters: network.parameters.trained,
  optimiser: adam(),
  next: network.layers.updates,
});
const state = new State();
initialise(network.parameters.all, state, (key) => randomStream(0, key).at(0));
step.prepare(state);
const executable = await Executable.compile(step.program, { threads: 1 });
const pixels = Uint8Array.from({ length: count * 8 * 8 * 3 }, (_, k) => (13 * k) % 256);
const halves = Int32Array.from({ length: count }, (_, k) => k % 2);
const held = [];
for (let i = 0; i < steps; i++) {
  // Of its own, and another one, at each step.
  const batch = pixels.slice().fill((7 * i) % 256, 0, 192);
  const classes = halves.slice().fill(i % 2, 0, 4);
  await executable.run({ images: batch, labels: classes, ...step.scalars(i, 1e-4) }, { state });
  if (i + 1 === steps / 2 || i + 1 === steps) {
    globalThis.gc();
    held.push(process.memoryUsage().rss / 2 ** 20);
  }
}
console.log(JSON.stringify(held));
