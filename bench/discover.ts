/**
 * Cost of looking for unknown shortcuts: JPEG files of 500 × 375 pixels a second with one and two threads, peak memory at two
 * numbers of images, and what 50,000 of them would take.
 *
 *   npm run bench:discover                  2,000 and 6,000 files, about two minutes
 *   npm run bench:discover -- 50000         so many instead, without any extrapolation
 *
 * Photographs are drawn scenes with noise, of two qualities, so that a file has about 60 kB.
 */

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { answerOf } from "../src/audits/ask.ts";
import { discoverAudit } from "../src/audits/discover/audit.ts";
import { openSubject } from "../src/audits/open-subject.ts";
import { randomStream } from "../src/core/random.ts";

const [width, height] = [500, 375];
const goal = { images: 50_000, minutes: 10, gigabytes: 1 };

interface DiscoverCost {
  seconds: number;
  /** Of all threads together: what counts where others use the same cores. */
  coreSeconds: number;
  /** Of all threads together. */
  peakMegabytes: number;
}

const [role, ...rest] = process.argv.slice(2);
if (role === "--child") await child(rest as [string, string]);
else await parent(role === undefined ? [2000, 6000] : [Number(role)]);

/** In a process of its own, so that its peak memory is its own too. */
async function child([folder, workers]: [string, string]): Promise<void> {
  const start = performance.now();
  const { subject, close } = await openSubject("dataset", [folder]);
  await answerOf(discoverAudit, { workers: Number(workers) }, subject);
  await close();
  const seconds = (performance.now() - start) / 1000;
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const coreSeconds = (userCPUTime + systemCPUTime) / 1e6;
  const measured: DiscoverCost = { seconds, coreSeconds, peakMegabytes: maxRSS / 1024 };
  process.stdout.write(JSON.stringify(measured));
}

async function parent(counts: readonly number[]): Promise<void> {
  console.log(
    `${cpus().length} cores (${cpus()[0]!.model}), Node ${process.version}, ${new Date().toISOString().slice(0, 10)}`,
  );
  const folder = mkdtempSync(join(tmpdir(), "cuelab-bench-"));
  try {
    const costs: (DiscoverCost & { count: number; workers: number })[] = [];
    for (const count of counts) {
      const data = join(folder, String(count));
      await writePhotographs(data, count);
      for (const workers of count === counts[0] ? [1, 2] : [2]) {
        const script = process.argv[1]!;
        const output = execFileSync(process.execPath, [script, "--child", data, String(workers)], {
          encoding: "utf8",
        });
        const cost = { count, workers, ...(JSON.parse(output) as DiscoverCost) };
        costs.push(cost);
        const rate = count / cost.seconds;
        console.log(
          `${count} images, ${workers} threads: ${cost.seconds.toFixed(1)} s, ${rate.toFixed(0)} images/s, ${((1000 * cost.coreSeconds) / count).toFixed(1)} ms of a core an image, ${cost.peakMegabytes.toFixed(0)} MB at most`,
        );
      }
      rmSync(data, { recursive: true });
    }
    extrapolate(costs.filter(({ workers }) => workers === 2));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** By the line through the two measurements; time also has parts that grow faster, which a run of all shows. */
function extrapolate(costs: readonly (DiscoverCost & { count: number })[]): void {
  const [few, many] = costs;
  if (few === undefined || many === undefined) return;
  const at = (of: "seconds" | "coreSeconds" | "peakMegabytes") =>
    many[of] + ((many[of] - few[of]) / (many.count - few.count)) * (goal.images - many.count);
  console.log(
    `${goal.images} images, by the line through both: ${(at("seconds") / 60).toFixed(1)} minutes (${(at("coreSeconds") / 120).toFixed(1)} on two cores of their own), ${at("peakMegabytes").toFixed(0)} MB (wanted: ${goal.minutes} minutes, ${goal.gigabytes} GB)`,
  );
}

async function writePhotographs(folder: string, count: number): Promise<void> {
  const classes = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"];
  for (const name of classes) mkdirSync(join(folder, name), { recursive: true });
  // Few scenes, each cut out anew: drawing them all would take longer than looking at them.
  const scenes = await Promise.all(Array.from({ length: 24 }, (_, i) => scene(i)));
  for (let start = 0; start < count; start += 200)
    await Promise.all(
      Array.from({ length: Math.min(200, count - start) }, async (_, k) => {
        const index = start + k;
        const random = randomStream(1, "bench/discover").at(index);
        const [left, top] = [random.integer(200), random.integer(150)];
        const bytes = await sharp(scenes[random.integer(scenes.length)]!)
          .extract({ left, top, width, height })
          .modulate({ brightness: 0.7 + 0.6 * random.uniform(), hue: random.integer(360) })
          .jpeg({ quality: index % 2 === 0 ? 85 : 90 })
          .toBuffer();
        await writeFile(join(folder, classes[index % classes.length]!, `${index}.jpg`), bytes);
      }),
    );
}

/** Waves of colour with noise, somewhat larger than a photograph. */
async function scene(seed: number): Promise<Buffer> {
  const random = randomStream(seed, "bench/scene").at(0);
  const [wide, high] = [width + 200, height + 150];
  const waves = Array.from({ length: 8 }, () => Array.from({ length: 6 }, () => random.uniform()));
  const data = new Uint8Array(3 * wide * high);
  for (let y = 0; y < high; y++)
    for (let x = 0; x < wide; x++) {
      const noise = 24 * (random.uniform() - 0.5);
      for (let channel = 0; channel < 3; channel++) {
        let value = 128 + noise;
        for (const [a, b, c, ...strength] of waves)
          value += 30 * strength[channel]! * Math.sin(a! * x * 0.1 + b! * y * 0.1 + 6 * c!);
        data[3 * (y * wide + x) + channel] = Math.max(0, Math.min(255, value));
      }
    }
  return sharp(data, { raw: { width: wide, height: high, channels: 3 } })
    .png({ compressionLevel: 1 })
    .toBuffer();
}
