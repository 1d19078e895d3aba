/**
 * What `cuelab predict` costs beside a bare loop of onnxruntime-node over decoded images, in turns, and how much memory it takes.
 *
 *   npm run bench:predict -- --model theirs.onnx                     512 photographs of 320 × 240, three rounds
 *   npm run bench:predict -- --model theirs.onnx --images 256 --rounds 5
 *   npm run bench:predict -- --model theirs.onnx --decoded           ours, too, begins with decoded pictures of the network's size
 *   npm run bench:predict -- --model small.onnx --memory             peak memory for 10,000 and 100,000 small images
 *
 * Ours begins with JPEG files: it decodes, resizes and crops them, runs the network and writes Parquet. The bare loop is handed the same
 * pictures as bytes of the network's size; it turns them into floats and runs the network, in batches of 64, too. Each is a process of
 * its own; what is timed begins when both have opened the network. Where other programs use the machine, processor seconds tell more
 * than seconds: both are printed, with the ratio of each round and its median.
 */

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { CuelabError } from "../src/core/errors.ts";
import { OnnxModel } from "../src/engine/onnx-model.ts";
import { convertDataset } from "../src/formats/convert-dataset.ts";
import { encodePng } from "../src/images/png.ts";
import { openModel } from "../src/training/asked/open-model.ts";
import { networkInput } from "../src/training/asked/preparation.ts";
import { predictData } from "../src/training/predict-data.ts";

const batchSize = 64;
const [role, ...rest] = process.argv.slice(2);
if (role === "--ours") await ours(rest[0]!, rest[1]!, Number(rest[2]));
else if (role === "--bare") await bare(rest[0]!, Number(rest[1]), Number(rest[2]));
else if (process.argv.includes("--memory")) await memory(text("--model"));
else await compare(text("--model"), number("--images", 512), number("--rounds", 3), number("--threads", 2));

interface Measured {
  seconds: number;
  processorSeconds: number;
  peakMegabytes: number;
}

function text(name: string): string {
  const at = process.argv.indexOf(name);
  if (at >= 0) return process.argv[at + 1]!;
  throw new CuelabError({ kind: "usage", what: `${name} is missing` });
}

function number(name: string, usual: number): number {
  return process.argv.includes(name) ? Number(text(name)) : usual;
}

async function compare(model: string, images: number, rounds: number, threads: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "cuelab-bench-"));
  const decoded = process.argv.includes("--decoded");
  const { takes } = await openModel({ model });
  const { height, width } = (takes as Extract<typeof takes, { image: unknown }>).image;
  const side = decoded ? ([width, height] as const) : ([320, 240] as const);
  try {
    for (let i = 0; i < images; i++) {
      const name = join(folder, i % 2 === 0 ? "a" : "b");
      mkdirSync(name, { recursive: true });
      await sharp(noise(240, 320, i), { raw: { width: 320, height: 240, channels: 3 } })
        .blur(2)
        .resize(...side)
        .toFormat(decoded ? "png" : "jpeg", { quality: 90 })
        .toFile(join(name, `${i}.${decoded ? "png" : "jpg"}`));
    }
    const data = decoded ? join(folder, "decoded") : folder;
    if (decoded)
      await convertDataset(folder, {
        to: "npz",
        out: data,
        skipBroken: false,
        workers: 0,
        force: false,
        mapping: {},
      });
    const ratios: { seconds: number; processor: number }[] = [];
    for (let round = 0; round < rounds; round++) {
      const mine = child("--ours", model, data, String(threads));
      const plain = child("--bare", model, String(images), String(threads));
      const ratio = {
        seconds: plain.seconds / mine.seconds,
        processor: plain.processorSeconds / mine.processorSeconds,
      };
      ratios.push(ratio);
      const words = ({ seconds, processorSeconds }: Measured) =>
        `${((images - batchSize) / seconds).toFixed(1)} images/s, ${((1000 * processorSeconds) / (images - batchSize)).toFixed(1)} ms of processor an image`;
      console.log(`predict ${words(mine)}; bare loop ${words(plain)}; ${shown(ratio)}`);
    }
    const middle = (of: (ratio: { seconds: number; processor: number }) => number) =>
      ratios.map(of).toSorted((a, b) => a - b)[Math.floor(rounds / 2)]!;
    const median = {
      seconds: middle(({ seconds }) => seconds),
      processor: middle(({ processor }) => processor),
    };
    console.log(
      `median over ${rounds} rounds: ${shown(median)} (${cpus().length} cores, ${threads} threads)`,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function shown({ seconds, processor }: { seconds: number; processor: number }): string {
  return `throughput ${seconds.toFixed(2)} × the bare loop's, by processor time ${processor.toFixed(2)} ×`;
}

function child(...words: string[]): Measured {
  return JSON.parse(
    execFileSync(process.execPath, [import.meta.filename, ...words], { encoding: "utf8" }),
  ) as Measured;
}

async function ours(model: string, data: string, threads: number): Promise<void> {
  let begun = clock();
  await predictData(
    { model },
    {
      data: { path: data, labels: "none" },
      labelled: false,
      out: join(mkdtempSync(join(tmpdir(), "cuelab-bench-out-")), "p.parquet"),
      batchSize,
      threads,
      // Told once the first batch is through, which opening and looking at the data belong to.
      onEvaluation: ({ images }) => {
        if (images === batchSize) begun = clock();
      },
    },
  );
  tell(begun);
}

async function bare(path: string, images: number, threads: number): Promise<void> {
  const { takes, preparation } = await openModel({ model: path });
  const image = (takes as Extract<typeof takes, { image: unknown }>).image;
  const size = image.height * image.width * image.channels;
  const decoded = Uint8Array.from({ length: 4 * size }, (_, i) => (i * 37) % 256);
  const model = await OnnxModel.open(path, { output: "logits", threads, inferring: true });
  const batch = Buffer.alloc(batchSize * size, decoded);
  const floats = new Float32Array(batch.length);
  const dims = [batchSize, image.channels, image.height, image.width];
  const run = async () => model.run(networkInput(batch, image, preparation!.pixels, floats), dims);
  await run();
  const begun = clock();
  for (let done = batchSize; done < images; done += batchSize) await run();
  tell(begun);
  await model.close();
}

function clock(): { at: number; cpu: NodeJS.CpuUsage } {
  return { at: performance.now(), cpu: process.cpuUsage() };
}

/** Without the first batch of both. */
function tell({ at, cpu }: ReturnType<typeof clock>): void {
  const { user, system } = process.cpuUsage(cpu);
  const measured: Measured = {
    seconds: (performance.now() - at) / 1000,
    processorSeconds: (user + system) / 1e6,
    peakMegabytes: peakMegabytes(),
  };
  process.stdout.write(JSON.stringify(measured));
}

/** Of this process alone; what `resourceUsage` says begins with the parent's. */
function peakMegabytes(): number {
  return Number(/VmHWM:\s*(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))![1]) / 1024;
}

async function memory(model: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "cuelab-bench-"));
  try {
    let made = 0;
    for (const images of [10_000, 100_000]) {
      for (; made < images; made++) {
        const name = join(folder, `${made % 2}`);
        if (made < 2) mkdirSync(name, { recursive: true });
        const data = Uint8Array.from({ length: 768 }, (_, k) => (made * 31 + k * 7) % 256);
        writeFileSync(join(name, `${made}.png`), encodePng({ data, height: 16, width: 16, channels: 3 }));
      }
      const { seconds, peakMegabytes: peak } = child("--ours", model, folder, "2");
      console.log(
        `${images.toLocaleString("en")} images: ${peak.toFixed(0)} MB at most, ${(images / seconds).toFixed(0)} images/s`,
      );
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function noise(height: number, width: number, seed: number): Uint8Array {
  return Uint8Array.from(
    { length: 3 * height * width },
    (_, i) => ((i * 2654435761 + seed * 40503) >>> 13) % 256,
  );
}
