/**
 * What views cost: how many images a second one core makes of each, and how much of its time a ResNet-18 that trains on
 * them waits for batches.
 *
 *   npm run bench:views              all, at 64 and 256 pixels, the sizes that its masks have
 *   npm run bench:views -- crop      some
 *
 * UrbanCars, drawn. "kept": pictures are in memory, as from the second epoch on where they fit into 2 GB; "made": each is
 * made anew, as in the first epoch. The network's own share of waiting is of later epochs, with two threads.
 */

import { cpus } from "node:os";
import { performance } from "node:perf_hooks";
import type { Dataset } from "../src/core/dataset.ts";
import { randomStream } from "../src/core/random.ts";
import { datasets } from "../src/datasets/index.ts";
import { Executable } from "../src/engine/executable.ts";
import { crossEntropy, input, mean } from "../src/engine/expressions.ts";
import { State } from "../src/engine/state.ts";
import { sgd } from "../src/engine/training/optimisers.ts";
import { initialise } from "../src/engine/training/parameters.ts";
import { trainingStep } from "../src/engine/training/step.ts";
import { models } from "../src/models/index.ts";
import { Network } from "../src/models/model.ts";
import { BatchFeed, batchBuffers } from "../src/training/batch-feed.ts";
import { BatchMaker, type Chains } from "../src/training/make-batch.ts";
import { pixelStatistics } from "../src/training/pixel-statistics.ts";
import type { ViewUse } from "../src/views/view.ts";

/** Every image is changed, so that the cost of a change is seen and not that of a coin. */
const always = { probability: 1 };
const swaps = ["background-swap", "co-object-swap"];
const all: Record<string, readonly ViewUse[]> = {
  none: [],
  crop: [{ view: "crop" }],
  flip: [{ view: "flip", with: always }],
  jitter: [{ view: "jitter" }],
  grey: [{ view: "grey", with: always }],
  erase: [{ view: "erase", with: always }],
  watermark: [{ view: "watermark", with: always }],
  mixup: [{ view: "mixup" }],
  cutmix: [{ view: "cutmix" }],
  "background-swap": [{ view: "background-swap" }],
  "co-object-swap": [{ view: "co-object-swap" }],
  "one-of": [{ view: "one-of", with: { of: ["original", ...swaps] } }],
};
const sides = ["mask", "co_occur_obj_mask", "bg_only"];
const names = process.argv.slice(2).length > 0 ? process.argv.slice(2) : Object.keys(all);

console.log(`${cpus().length} × ${cpus()[0]!.model}, Node ${process.version}`);
for (const { size, batchSize, steps } of [
  { size: 64, batchSize: 32, steps: 6 },
  { size: 256, batchSize: 8, steps: 3 },
])
  await measure(size, batchSize, steps);

async function measure(size: number, batchSize: number, steps: number): Promise<void> {
  const count = { train: 256, val: 8, test: 8 };
  const cars = await datasets.get("urban-cars").build({ size, count }, 0);
  const part = Uint32Array.from({ length: count.train }, (_, i) => i);
  const average = (await pixelStatistics(cars, part)).mean.map((value) => 255 * value);
  const plan = (views: Chains) => ({ batchSize, views, part, scope: "", mean: average });
  const trainer = await trainerOf(size, batchSize);
  const feed = new BatchFeed({ dataset: cars, seed: 0, allowed: { sides, boxes: [] } });
  console.log(`\n${size} pixels, batches of ${batchSize}`);
  console.log("view              kept img/s  made img/s  ResNet-18 img/s  waiting");
  for (const name of names) {
    const views = { images: all[name]! };
    const kept = await rate(cars, plan(views), 3);
    const anew = { ...cars, images: { ...cars.images, costly: false } };
    const made = await rate(anew, plan(views), 1);
    feed.configure(plan(views));
    const { trained, waiting } = await trainedOn(feed, trainer, plan(views), steps);
    const cells = [
      kept.toFixed(0).padStart(10),
      made.toFixed(0).padStart(10),
      trained.toFixed(1).padStart(15),
    ];
    console.log(`${name.padEnd(17)} ${cells.join("  ")}  ${(100 * waiting).toFixed(2).padStart(6)}%`);
  }
  await feed.close();
  await trainer.close();
}

type Plan = Parameters<BatchFeed["configure"]>[0];

/**
 * By processor time, which other programs do not take away: the best of some rounds in this thread, while it does nothing
 * else. Where pictures are kept, a first round only keeps them.
 */
async function rate(dataset: Dataset, plan: Plan, rounds: number): Promise<number> {
  const { batchSize, part } = plan;
  const { height, width } = dataset.images.shape!;
  const batch = batchBuffers(new ArrayBuffer(batchSize * (16 + 3 * height * width)), plan);
  const maker = new BatchMaker(dataset, { labels: dataset.labels, seed: 0 });
  maker.configure(plan);
  let best = Number.POSITIVE_INFINITY;
  for (let round = dataset.images.costly ? -1 : 0; round < rounds; round++) {
    const start = process.cpuUsage();
    for (const request of requestsOf(part, batchSize, part.length / batchSize))
      await maker.fill(request, batch);
    const { user, system } = process.cpuUsage(start);
    if (round >= 0) best = Math.min(best, user + system);
  }
  return (1e6 * part.length) / best;
}

function requestsOf(part: Uint32Array, batchSize: number, steps: number) {
  return Array.from({ length: steps }, (_, step) => ({
    indices: Uint32Array.from({ length: batchSize }, (_, i) => part[(step * batchSize + i) % part.length]!),
    step,
  }));
}

/** Images a second, and the share of the time in which there was no batch to train on. */
async function trainedOn(
  feed: BatchFeed,
  trainer: Trainer,
  { batchSize, part }: Plan,
  steps: number,
): Promise<{ trained: number; waiting: number }> {
  for await (const _batch of feed.batches(requestsOf(part, batchSize, part.length / batchSize)));
  let [waited, asked, begun, done] = [0, performance.now(), 0, 0];
  for await (const { views } of feed.batches(requestsOf(part, batchSize, steps + 1))) {
    // The first batch has no step beside which it could have been made.
    if (begun > 0) waited += performance.now() - asked;
    else begun = performance.now();
    await trainer.step(views.images);
    done++;
    asked = performance.now();
  }
  const total = performance.now() - begun;
  return { trained: (1000 * done * batchSize) / total, waiting: waited / total };
}

interface Trainer {
  step(images: Uint8Array): Promise<void>;
  close(): Promise<void>;
}

async function trainerOf(size: number, batchSize: number): Promise<Trainer> {
  const model = models.get("resnet18");
  const pixels = { mean: [0.5, 0.5, 0.5], deviation: [0.5, 0.5, 0.5] };
  const network = new Network(model, { classes: 2, mode: "train", options: {}, pixels });
  const logits = network.logits(input("images", [batchSize, size, size, 3], "byte"));
  const step = trainingStep({
    loss: mean(crossEntropy(logits, input("labels", [batchSize], "int"))),
    parameters: network.parameters.trained,
    optimiser: sgd(),
    next: network.layers.updates,
  });
  const state = new State();
  initialise(network.parameters.all, state, (key) => randomStream(0, key).at(0));
  step.prepare(state);
  const executable = await Executable.compile(step.program, { threads: 2 });
  const labels = Int32Array.from({ length: batchSize }, (_, i) => i % 2);
  const random = (key: string) => randomStream(2, key).at(0);
  return {
    step: async (images) => {
      await executable.run({ images, labels, ...step.scalars(0, 1e-3) }, { state, random });
    },
    close: () => executable.close(),
  };
}
