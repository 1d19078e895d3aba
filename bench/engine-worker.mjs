/**
 * One workload in a process of its own, so that its memory and its start are its own: `node engine-worker.mjs
 * <workload or peak> <threads>`. A number on stdin runs it for so many seconds; each answer is a JSON line.
 */

import { createInterface } from "node:readline";
import { prepare, prepareProduct } from "./engine-step.mjs";

const [name, threads] = process.argv.slice(2);
const { run, close, ...facts } =
  name === "peak" ? await prepareProduct(Number(threads)) : await prepare(name, Number(threads));
console.log(JSON.stringify(facts));
let steps = 0;
for await (const line of createInterface({ input: process.stdin })) {
  const wall = [];
  const processor = [];
  const begin = process.cpuUsage();
  // What others did meanwhile is still in the caches: the first step does not count.
  await run(steps++);
  const end = performance.now() + 1000 * Number(line);
  while (performance.now() < end || wall.length < 3) {
    const start = performance.now();
    const before = process.cpuUsage();
    await run(steps++);
    wall.push(performance.now() - start);
    const used = process.cpuUsage(before);
    processor.push((used.user + used.system) / 1000);
  }
  const { user, system } = process.cpuUsage(begin);
  const peakMB = Math.round(process.resourceUsage().maxRSS / 1000);
  console.log(JSON.stringify({ wall, processor, all: (user + system) / 1000, peakMB }));
}
await close();
