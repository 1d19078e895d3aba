/**
 * Training-step rates of the engine, beside the machine's own matrix product and PyTorch where it is installed, in both
 * its layouts. Every workload has a process of its own; they take turns, so that what disturbs one disturbs its
 * neighbours too, and each ratio is taken within a round.
 */

import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { compare, median, printTable, summarise } from "./engine-report.mjs";
import { workloads } from "./workloads.mjs";

const usage = `npm run bench:engine -- [--workloads ecabdfg] [--threads 2] [--rounds 5] [--seconds 3] [--pair e]
  [--python python3] [--out new.json] [--compare old.json]
  --pair: the workload of which two one-thread runs are made side by side, or "" for none`;

function refuse(message) {
  console.error(`${message}\n${usage}`);
  process.exit(2);
}

function parse() {
  try {
    return parseArgs({ options: known }).values;
  } catch (error) {
    return refuse(error.message);
  }
}

const known = {
  workloads: { type: "string", default: "ecabdfg" },
  threads: { type: "string", default: "2" },
  rounds: { type: "string", default: "5" },
  seconds: { type: "string", default: "3" },
  python: { type: "string" },
  pair: { type: "string", default: "e" },
  out: { type: "string" },
  compare: { type: "string" },
  help: { type: "boolean", default: false },
};
const options = parse();
if (options.help) {
  console.log(usage);
  process.exit(0);
}
for (const name of options.workloads + options.pair) {
  if (workloads[name] === undefined) refuse(`no workload "${name}": ${Object.keys(workloads).join(", ")}`);
}
const path = (file) => fileURLToPath(new URL(file, import.meta.url));
const [rounds, seconds, threads] = ["rounds", "seconds", "threads"].map((name) => {
  const value = Number(options[name]);
  const fits = name === "seconds" ? value > 0 : Number.isInteger(value) && value >= 1;
  return fits ? value : refuse(`--${name} ${options[name]} is no ${name === "seconds" ? "time" : "count"}`);
});

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
// The referee's, where `npm run referee` has made it.
const referee = fileURLToPath(new URL("../.referee/bin/python", import.meta.url));
const python = options.python ?? (existsSync(referee) ? referee : "python3");
const hasTorch = spawnSync(python, ["-c", "import torch"]).status === 0;
if (options.python !== undefined && !hasTorch) refuse(`--python ${python}: no Python that has PyTorch`);
const theirs = (name, layout) => new Worker(python, [path("engine_torch.py"), name, String(threads), layout]);
/** By the name of their measurements. */
const layouts = { torch: "channels-first", torchChannelsLast: "channels-last" };

/** Milliseconds that all processors were busy. */
const busyMs = () =>
  cpus().reduce((total, { times: { user, nice, sys, irq } }) => total + user + nice + sys + irq, 0);

/** A worker's round: its median step, and the processors' share that others had meanwhile. */
async function measure(worker, time = seconds) {
  const [before, start] = [busyMs(), performance.now()];
  const { wall, processor, all: own, peakMB } = await worker.run(time);
  const all = (performance.now() - start) * cpus().length;
  return {
    ms: median(wall),
    processorMs: median(processor),
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
  const others = {};
  let torch;
  for (const [key, layout] of Object.entries(hasTorch ? layouts : {})) {
    if (layout === "channels-last" && !workloads[name].maps) continue;
    others[key] = theirs(name, layout);
    torch = (await others[key].ready).version;
  }
  const all = [peak, mine, ...Object.values(others)];
  for (const worker of all) await worker.run(0);
  const samples = [];
  for (let round = 0; round < rounds; round++) {
    const sample = { peak: await measure(peak, 1), ours: await measure(mine) };
    for (const [key, worker] of Object.entries(others)) sample[key] = await measure(worker);
    samples.push(sample);
  }
  for (const worker of all) await worker.close();
  return { workload: name, title: workloads[name].title, ...facts, torch, samples };
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
    `Two one-thread runs of ${pair.workload} side by side: ${median(pair.ratios).toFixed(2)} × one (${sorted[0]}–${sorted.at(-1)})`,
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
