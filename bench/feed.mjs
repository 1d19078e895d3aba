/**
 * Does the trainer wait for images? Drawn objects of DiagViB-6 are made by the thread that makes batches while a network trains on
 * the batch before: how much of the time its step waits, and the processor time of both beside each other, which does not depend on
 * what else the machine does. `node bench/feed.mjs [--steps 12] [--threads 1] [--workloads gf]`; build first.
 */

import { parseArgs } from "node:util";
import { randomStream } from "../dist/src/core/random.js";
import { parseAssignments } from "../dist/src/core/settings.js";
import { datasets } from "../dist/src/datasets/index.js";
import { BatchFeed } from "../dist/src/training/batch-feed.js";
import { BatchMaker, ownChain } from "../dist/src/training/make-batch.js";
import { prepare } from "./engine-step.mjs";
import { workloads } from "./workloads.mjs";

const { values } = parseArgs({
  options: {
    steps: { type: "string", default: "12" },
    threads: { type: "string", default: "1" },
    workloads: { type: "string", default: "gf" },
  },
});
const [steps, threads] = [Number(values.steps), Number(values.threads)];
const size = 128;
const batchSize = 64;

const definition = datasets.get("diagvib");
const wanted = [`size=${size}`, "count.train=4000", "count.val=10", "count.test=10"];
const dataset = await definition.build(parseAssignments(definition.settings, wanted), 0);
const random = randomStream(0, "bench/feed").at(0);
const indicesAt = () => Uint32Array.from({ length: batchSize }, () => random.integer(4000));
const plan = { batchSize, views: { [ownChain]: [] } };

/** Processor milliseconds a batch, in this thread. */
async function madeHere() {
  const maker = new BatchMaker(dataset, { labels: dataset.labels, seed: 0 });
  maker.configure(plan);
  const { batchBuffers } = await import("../dist/src/training/batch-feed.js");
  const batch = batchBuffers(new ArrayBuffer(batchSize * (8 + 8 + size * size * 3)), plan);
  const spent = [];
  for (let step = 0; step < steps; step++) {
    const before = process.cpuUsage();
    await maker.fill({ indices: indicesAt(), step }, batch);
    const { user, system } = process.cpuUsage(before);
    spent.push((user + system) / 1000);
  }
  return middle(spent.slice(1));
}

function middle(numbers) {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];
}

const images = await madeHere();
console.log(`a batch of ${batchSize} images of ${size} pixels: ${images.toFixed(0)} processor ms`);
for (const name of values.workloads) {
  const { run, close } = await prepare(name, threads);
  const isBytes = workloads[name].build().shape.at(-1) === 3;
  const feed = new BatchFeed({ dataset, seed: 0 });
  feed.configure(plan);
  const requests = Array.from({ length: steps + 1 }, (_, step) => ({ indices: indicesAt(), step }));
  let [waited, worked, step] = [0, 0, 0];
  let asked = performance.now();
  for await (const { views } of feed.batches(requests)) {
    const got = performance.now();
    // The first batch nobody could have made before.
    if (step > 0) waited += got - asked;
    // The network over floats takes its own of the same size: only time counts here.
    await run(step++, isBytes ? views[ownChain] : undefined);
    asked = performance.now();
    worked += asked - got;
  }
  const before = process.cpuUsage();
  await run(step);
  const { user, system } = process.cpuUsage(before);
  const own = (user + system) / 1000;
  console.log(
    `${workloads[name].title}: waits ${((100 * waited) / (waited + worked)).toFixed(1)}% of the time; ` +
      `a step takes ${own.toFixed(0)} processor ms, its images ${((100 * images) / own).toFixed(0)}% of that`,
  );
  await feed.close();
  await close();
}
