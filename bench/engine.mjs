/**
 * Training-step rates of the engine, beside the machine's own matrix product and PyTorch where it is installed:
 * `npm run bench:engine -- [--workloads ecabd] [--threads 2] [--rounds 5] [--seconds 3] [--python /usr/bin/python3]
 * [--out new.json] [--compare old.json]`. Every workload has a process of its own; they take turns, so that what
 * disturbs one disturbs its neighbours too, and each ratio is taken within a round.
 */

import { spawn, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { compare, printTable, summarise } from "./engine-report.mjs";
import { workloads } from "./workloads.mjs";

const { values: options } = parseArgs({
  options: {
    workloads: { type: "string", default: "ecabd" },
    threads: { type: "string", default: "2" },
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "3" },
    python: { type: "string", default: "python3" },
    pair: { type: "string", default: "e" },
    out: { type: "string" },
    compare: { type: "string" },
  },
});
const path = (file) => fileURLToPath(new URL(file, import.meta.url));
const [rounds, seconds, threads] = [options.rounds, options.seconds, options.threads].map(Number);

/** A process that answers each line with one of JSON. */
class Worker {
  constructor(command, args) {
    const started = performance.now();
    this.child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
    this.lines = createInterface({ input: this.child.stdout })[Symbol.asyncIterator]();
    this.ready = this.answer().then((facts) => ({
      ...facts,
      startMs: Math.round(performance.now() - started),
    }));
  }

  async answer() {
    const { value, done } = await this.lines.next();
    if (done) throw new Error(`${this.child.spawnargs.join(" ")} ended early`);
    return JSON.parse(value);
  }

  run(time) {
    this.child.stdin.write(`${time}\n`);
    return this.answer();
  }

  close() {
    this.child.stdin.end();
    return new Promise((resolve) => this.child.once("exit", resolve));
  }
}

const ours = (name, count) => new Worker(process.execPath, [path("engine-worker.mjs"), name, String(count)]);
const hasTorch = spawnSync(options.python, ["-c", "import torch"]).status === 0;
const theirs = (name) => new Worker(options.python, [path("engine_torch.py"), name, String(threads)]);

/** Milliseconds that all processors were busy. */
const busyMs = () =>
  cpus().reduce((total, { times: { user, nice, sys, irq } }) => total + user + nice + sys + irq, 0);

/** A worker's round: its median step, and the processors' share that others had meanwhile. */
async function measure(worker, time = seconds) {
  const [before, start] = [busyMs(), performance.now()];
  const { wall, processor, peakMB } = await worker.run(time);
  const all = (performance.now() - start) * cpus().length;
  const own = processor.reduce((a, b) => a + b, 0);
  const middle = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];
  return {
    ms: middle(wall),
    processorMs: middle(processor),
    steps: wall.length,
    peakMB,
    others: Math.max(0, (busyMs() - before - own) / all),
  };
}

async function measureWorkload(name) {
  const peak = ours("peak", threads);
  await peak.ready;
  const mine = ours(name, threads);
  const facts = await mine.ready;
  const other = hasTorch ? theirs(name) : undefined;
  const torch = await other?.ready;
  for (const worker of [peak, mine, other]) await worker?.run(0);
  const samples = [];
  for (let round = 0; round < rounds; round++) {
    samples.push({
      peak: await measure(peak, 1),
      ours: await measure(mine),
      ...(other === undefined ? {} : { torch: await measure(other) }),
    });
  }
  for (const worker of [peak, mine, other]) await worker?.close();
  return { workload: name, title: workloads[name].title, ...facts, torch: torch?.version, samples };
}

/** Two processes of one thread each, beside one alone. */
async function measurePair(name) {
  const pair = [ours(name, 1), ours(name, 1)];
  for (const worker of pair) await worker.ready.then(() => worker.run(0));
  const ratios = [];
  for (let round = 0; round < rounds; round++) {
    const alone = await measure(pair[0]);
    const [one, two] = await Promise.all(pair.map((worker) => measure(worker)));
    ratios.push(alone.ms / one.ms + alone.ms / two.ms);
  }
  await Promise.all(pair.map((worker) => worker.close()));
  return { workload: name, ratios };
}

const load = loadavg()[0];
if (load > 0.5) console.log(`The machine was busy before the start: load average ${load.toFixed(1)}.`);
const results = [];
for (const name of options.workloads) {
  results.push(summarise(await measureWorkload(name)));
  printTable(results.slice(-1), results.length === 1);
}
const pair = options.pair === "" ? undefined : await measurePair(options.pair);
if (pair !== undefined) {
  const sorted = pair.ratios.map((ratio) => ratio.toFixed(2)).sort();
  console.log(
    `Two one-thread runs of ${pair.workload} side by side: ${sorted[sorted.length >> 1]} × one (${sorted[0]}–${sorted.at(-1)})`,
  );
}
const report = {
  date: new Date().toISOString(),
  processor: cpus()[0].model,
  cores: cpus().length,
  node: process.version,
  threads,
  rounds,
  seconds,
  load,
  results,
  pair,
};
if (options.out !== undefined) writeFileSync(options.out, `${JSON.stringify(report, null, 1)}\n`);
if (options.compare !== undefined) compare(JSON.parse(readFileSync(options.compare, "utf8")), report);
