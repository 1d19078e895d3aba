/**
 * Cost of making and writing datasets: images per second of each format with one and two workers, the share that
 * encoding has in it, and peak memory for 60,000 and 600,000 images.
 *
 *   npm run bench:data                  rates and shares, about a minute
 *   npm run bench:data -- --memory      also peak memory, about ten minutes and 4 GB of temporary disk
 *
 * Single files are only as fast as the disk: TMPDIR=/dev/shm shows what the code can do.
 */

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { pixelDigest } from "../src/core/content-hash.ts";
import type { Pixels } from "../src/core/dataset.ts";
import { datasets } from "../src/datasets/index.ts";
import { formats, generalFormats } from "../src/formats/index.ts";
import { writeDataset } from "../src/formats/write-dataset.ts";
import { encodePng } from "../src/images/png.ts";

const general = generalFormats.map(({ name }) => name);

interface Measurement {
  seconds: number;
  peakMegabytes: number;
}

const [role, ...rest] = process.argv.slice(2);
if (role === "--child") await child(rest as [string, string, string]);
else await parent(process.argv.includes("--memory"));

/** One dataset written in a process of its own, so that its peak memory is its own too. */
async function child([format, workers, count]: [string, string, string]): Promise<void> {
  const dataset = await coloredMnist(Number(count));
  const folder = mkdtempSync(join(tmpdir(), "cuelab-bench-"));
  const start = performance.now();
  const target = formats.get(format);
  await writeDataset(dataset, {
    out: join(folder, "D"),
    format: target,
    encoding: target.encodings[0]!,
    force: false,
    workers: Number(workers),
  });
  const seconds = (performance.now() - start) / 1000;
  rmSync(folder, { recursive: true });
  const measured: Measurement = { seconds, peakMegabytes: process.resourceUsage().maxRSS / 1024 };
  process.stdout.write(JSON.stringify(measured));
}

function coloredMnist(count: number) {
  // Three environments with a fifth of their images in the out part.
  const trainPerEnvironment = Math.round((count * 0.8) / 3);
  return datasets.get("colored-mnist").build({ trainPerEnvironment, repeatDigits: true }, 0);
}

async function parent(memory: boolean): Promise<void> {
  console.log(`${cpus().length} cores (${cpus()[0]!.model}), Node ${process.version}`);
  await printShares();
  console.log("\nmaking and writing 60,000 images of 28×28 (median of 3, interleaved)");
  const rounds = [0, 1, 2].map(() =>
    general.map((format) => [1, 2].map((workers) => measure(format, workers, 60_000))),
  );
  for (const [f, format] of general.entries()) {
    const rates = [0, 1].map((w) => median(rounds.map((round) => 60_000 / round[f]![w]!.seconds)));
    console.log(
      `${format.padEnd(11)} 1 worker ${rate(rates[0]!)}   2 workers ${rate(rates[1]!)}   ratio ${(rates[1]! / rates[0]!).toFixed(2)}`,
    );
  }
  if (!memory) return;
  console.log("\npeak memory with 2 workers, MB");
  for (const format of general) {
    const [small, large] = [60_000, 600_000].map((count) => measure(format, 2, count).peakMegabytes);
    const growth = (large! - small!) / 540_000;
    console.log(
      `${format.padEnd(11)} 60,000: ${small!.toFixed(0)}   600,000: ${large!.toFixed(0)}   (${(growth * 2 ** 20).toFixed(0)} bytes an image more)`,
    );
  }
}

function measure(format: string, workers: number, count: number): Measurement {
  const script = process.argv[1]!;
  return JSON.parse(
    execFileSync(process.execPath, [script, "--child", format, String(workers), String(count)], {
      encoding: "utf8",
    }),
  ) as Measurement;
}

/** Where one thread's time goes for an image, by running each stage alone on the same images. */
async function printShares(): Promise<void> {
  const { images } = await coloredMnist(20_000);
  const pixels: Pixels[] = [];
  for (let i = 0; i < 5000; i++) pixels.push(await images.pixels(i));
  const files = pixels.map(encodePng);
  const folder = mkdtempSync(join(tmpdir(), "cuelab-bench-"));
  const stages: [string, () => Promise<void> | void][] = [
    [
      "draw",
      async () => {
        for (let i = 0; i < pixels.length; i++) await images.pixels(i);
      },
    ],
    [
      "digest",
      () => {
        for (const image of pixels) pixelDigest(image);
      },
    ],
    [
      "encode PNG",
      () => {
        for (const image of pixels) encodePng(image);
      },
    ],
    [
      "write file",
      () => {
        for (const [i, file] of files.entries()) writeFileSync(join(folder, `${i}.png`), file);
      },
    ],
  ];
  const times = new Map<string, number[]>(stages.map(([name]) => [name, []]));
  for (let round = 0; round < 5; round++) {
    for (const [name, work] of stages) {
      const start = performance.now();
      await work();
      times.get(name)!.push((1000 * (performance.now() - start)) / pixels.length);
    }
  }
  rmSync(folder, { recursive: true });
  const medians = stages.map(([name]) => [name, median(times.get(name)!)] as const);
  const total = medians.reduce((sum, [, time]) => sum + time, 0);
  console.log("one thread's microseconds an image, each stage alone (median of 5)");
  for (const [name, time] of medians)
    console.log(
      `${name.padEnd(11)} ${time.toFixed(1).padStart(6)} µs  ${((100 * time) / total).toFixed(0)}%`,
    );
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

function rate(imagesPerSecond: number): string {
  return `${Math.round(imagesPerSecond).toLocaleString("en")}/s`.padStart(9);
}
