/**
 * How many images a second each large network is trained on in a small form: 64² pixels, batch 16, Adam, two threads.
 * `node bench/networks.mjs [name …]`, after a build; one JSON line each.
 */

import { randomStream } from "../dist/src/core/random.js";
import { Executable } from "../dist/src/engine/executable.js";
import { crossEntropy, input, mean } from "../dist/src/engine/expressions.js";
import { State } from "../dist/src/engine/state.js";
import { adam } from "../dist/src/engine/training/optimisers.js";
import { initialise } from "../dist/src/engine/training/parameters.js";
import { trainingStep } from "../dist/src/engine/training/step.js";
import { models } from "../dist/src/models/index.js";
import { Network } from "../dist/src/models/model.js";

const [batch, side, steps] = [16, 64, 5];
const reduced = {
  resnet18: { stem: "small", width: 16 },
  resnet50: { stem: "small", width: 16 },
  "wide-resnet50-2": { stem: "small", width: 16 },
  alexnet: { stem: "small", width: 16 },
  densenet121: { stem: "small", width: 8 },
  densenet161: { stem: "small", width: 8 },
  "convnext-tiny": { stem: "small", width: 24 },
  "vit-tiny": { patch: 8, depth: 6 },
  "vit-small": { patch: 8, depth: 6 },
};
const wanted = process.argv.slice(2);

for (const [name, options] of Object.entries(reduced)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const network = new Network(models.get(name), { classes: 10, mode: "train", options });
  const logits = network.logits(input("images", [batch, 3, side, side]));
  const loss = mean(crossEntropy(logits, input("labels", [batch], "int")));
  const step = trainingStep({
    loss,
    parameters: network.parameters.trained,
    optimiser: adam(),
    next: network.layers.updates,
  });
  const state = new State();
  initialise(network.parameters.all, state, (key) => randomStream(0, key).at(0));
  step.prepare(state);
  const executable = await Executable.compile(step.program, { threads: 2 });
  const random = randomStream(1, "images").at(0);
  const feeds = {
    images: Float32Array.from({ length: batch * 3 * side * side }, () => random.normal()),
    labels: Int32Array.from({ length: batch }, (_, i) => i % 10),
  };
  const source = (key) => randomStream(2, key).at(0);
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < steps; i++) {
    const start = performance.now();
    await executable.run({ ...feeds, ...step.scalars(i, 0.001) }, { state, random: source });
    best = Math.min(best, performance.now() - start);
  }
  await executable.close();
  const line = { name, options, parameters: network.parameters.size, imagesPerSecond: (1000 * batch) / best };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
