/**
 * Training-step rates of the engine: `node bench/engine.mjs [workloads] [seconds] [threads]`, such as
 * `node bench/engine.mjs abcd 5 2`. Prints one JSON line a workload. Build first: `npx tsc -p tsconfig.build.json`.
 */

import { findBlockSize } from "../dist/src/engine/blocked.js";
import { Executable } from "../dist/src/engine/executable.js";
import { State } from "../dist/src/engine/state.js";
import { initialise } from "../dist/src/engine/training/parameters.js";
import { trainingStep } from "../dist/src/engine/training/step.js";
import { workloads } from "./workloads.mjs";

const [names = "abcd", seconds = "5", threads = "2"] = process.argv.slice(2);

function stream() {
  let state = 12345;
  const uniform = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const normal = () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
  return { uniform, normal };
}

const rounded = (value) => Math.round(value * 10) / 10;
const middle = (values) => rounded([...values].sort((a, b) => a - b)[values.length >> 1]);

for (const name of names) {
  const { title, build } = workloads[name];
  const { loss, net, shape, classes, optimiser } = build();
  const step = trainingStep({
    loss,
    parameters: net.parameters.trained,
    optimiser,
    next: net.layers.updates,
  });
  const state = new State();
  initialise(net.parameters.all, state, stream);
  step.prepare(state);
  const started = performance.now();
  const executable = await Executable.compile(step.program, { threads: Number(threads) });
  const compileMs = Math.round(performance.now() - started);
  const random = stream();
  const size = shape.reduce((a, b) => a * b, 1);
  const images = Float32Array.from({ length: size }, () => random.uniform() * 2 - 1);
  const labels = Int32Array.from({ length: shape[0] }, () => Math.floor(random.uniform() * classes));
  const run = (i) => executable.run({ images, labels, ...step.scalars(i, 1e-3) }, { state });
  for (let i = 0; i < 3; i++) await run(i);
  const times = [];
  const processorTimes = [];
  const end = performance.now() + 1000 * Number(seconds);
  let last;
  while (performance.now() < end || times.length < 3) {
    const start = performance.now();
    const before = process.cpuUsage();
    last = await run(times.length + 3);
    times.push(performance.now() - start);
    const used = process.cpuUsage(before);
    processorTimes.push((used.user + used.system) / 1000);
  }
  const medianMs = middle(times);
  const report = {
    workload: name,
    title,
    medianMs,
    // With one thread this hardly feels other programs on the machine.
    processorMs: middle(processorTimes),
    leastProcessorMs: rounded(Math.min(...processorTimes)),
    imagesPerSecond: Math.round((1000 * shape[0]) / medianMs),
    steps: times.length,
    compileMs,
    nodes: executable.nodeCount,
    blockSize: (await findBlockSize()) ?? null,
    peakMB: Math.round(process.resourceUsage().maxRSS / 1000),
    loss: last.loss[0],
  };
  console.log(JSON.stringify(report));
  await executable.close();
}
