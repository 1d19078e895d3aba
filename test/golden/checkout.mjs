/**
 * Everything that is known here of where things lie in a built checkout. Whoever moves a file changes this one: the
 * sections themselves use the command line, the public library and what this adapter hands them.
 */

import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

/** Of the unbundled program, whose parts can be reached from outside. Later places stand first. */
const places = {
  main: ["dist/src/cli/main.js"],
  program: ["dist/program/main.js"],
  executable: ["dist/src/engine/executable.js"],
  emission: ["dist/src/engine/program.js"],
  programs: [
    "dist/src/training/stages/first-stage.js",
    "dist/src/protocol/stages/first-stage.js",
    "dist/src/protocol/programs.js",
  ],
  batches: ["dist/src/training/make-batch.js", "dist/src/protocol/make-batch.js"],
  views: ["dist/src/views/index.js"],
};

export class Checkout {
  constructor(folder) {
    this.folder = resolve(folder);
    this.package = JSON.parse(readFileSync(join(this.folder, "package.json"), "utf8"));
  }

  /** The exports of an entry point: ".", "./engine" or "./methods". */
  library(entry = ".") {
    return this.#import(this.package.exports[entry].default);
  }

  /** { Executable }, whose `compile(program, { kernels })` every graph goes through. */
  executable() {
    return this.#import(this.#place("executable"));
  }

  /** { emitProgram }: a program as the bytes of an ONNX model. */
  emission() {
    return this.#import(this.#place("emission"));
  }

  /** Which places among the training images the batches of an epoch hold: (epoch) => (step) => places. */
  async sampler(spec, dataset, { batchSize, stepsPerEpoch }) {
    const { buildFirstStage, buildPrograms } = await this.#import(this.#place("programs"));
    const pixels = { mean: [0, 0, 0], deviation: [1, 1, 1] };
    // Once a run had one stage alone, which was told its numbers.
    if (buildPrograms !== undefined)
      return buildPrograms(spec, dataset, { batchSize, stepsPerEpoch, pixels }).sampler;
    return buildFirstStage({ ...spec, batchSize }, dataset, { pixels }).batches[0].sampler;
  }

  /** One augmented batch: pixels, and whose label each image also has, by how much. */
  async batch(dataset, augment, seed, request) {
    const { BatchMaker } = await this.#import(this.#place("batches"));
    const { height, width, channels } = dataset.images.shape;
    const count = request.indices.length;
    const images = new Uint8Array(count * height * width * channels);
    const mixed = { partners: new Int32Array(count), shares: new Float32Array(count) };
    if (!this.#has("views")) {
      await new BatchMaker(dataset, augment, seed).fill(request, { images, ...mixed });
      return { images, ...mixed };
    }
    const use = (view) => (view === "erase" ? { view, with: { fill: "black" } } : { view });
    const maker = new BatchMaker(dataset, { labels: dataset.labels, seed });
    maker.configure({ views: { images: augment.map(use) }, part: request.indices, scope: "" });
    const numbers = {
      codes: { images: new Int32Array(count) },
      ownShares: { images: new Float32Array(count) },
    };
    await maker.fill(request, { views: { images }, ...numbers, ...mixed });
    return { images, ...mixed };
  }

  /** Runs the program as it is shipped, with the words of a line; returns what it printed. */
  cuelab(line, options = {}) {
    return run([join(this.folder, this.#place("program")), ...line.split(" ")], options);
  }

  /** Runs it with standard kernels alone; `emitted` names a file that is given a line for each graph. */
  cuelabStandard(line, { emitted = "", ...options } = {}) {
    const preload = pathToFileURL(join(import.meta.dirname, "standard-kernels.mjs")).href;
    const env = { CUELAB_GOLDEN_CHECKOUT: this.folder, CUELAB_GOLDEN_EMITTED: emitted };
    const words = this.#asBefore(line).split(" ");
    return run(["--import", preload, join(this.folder, this.#place("main")), ...words], {
      ...options,
      env,
    });
  }

  /** What was erased was black, before it became the mean of the training images. */
  #asBefore(line) {
    return this.#has("views") && /--augment \S*\berase\b/.test(line)
      ? `${line} --augment-set erase.fill=black`
      : line;
  }

  #has(name) {
    return places[name].some((place) => existsSync(join(this.folder, place)));
  }

  #place(name) {
    const found = places[name].find((place) => existsSync(join(this.folder, place)));
    if (found === undefined)
      throw new Error(`${this.folder} has none of ${places[name]}: build it, or change checkout.mjs`);
    return found;
  }

  #import(place) {
    return import(pathToFileURL(join(this.folder, place)).href);
  }
}

/** As many processes at a time as there are cores. */
const waiting = [];
let running = 0;

async function run(words, options) {
  if (running >= availableParallelism()) await new Promise((go) => waiting.push(go));
  running++;
  try {
    return await start(words, options);
  } finally {
    running--;
    waiting.shift()?.();
  }
}

function start(words, { cwd, env = {} }) {
  const child = spawn(process.execPath, words, {
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, NO_COLOR: "1", COLUMNS: "80", ...env },
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text) => {
    stderr += text;
  });
  return new Promise((done, fail) => {
    child.on("error", fail);
    child.on("close", (code) => {
      if (code === 0) done(stdout);
      else fail(new Error(`exit code ${code} of ${words.join(" ")}\n${stderr}`));
    });
  });
}
