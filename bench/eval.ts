/**
 * Cost of `cuelab eval`: time and peak memory for a table of many rows, in both formats.
 *
 *   npm run bench:eval                     a million rows, under a minute
 *   npm run bench:eval -- --rows 10000000  ten million; needs about 1.5 GB of temporary disk
 *
 * The table is like Biased MNIST's: ten classes, seven cues of ten values, so that most of its 10⁸ groups are empty.
 */

import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, mkdtempSync, rmSync, statSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { fileWriter, ParquetWriter } from "hyparquet-writer";
import { evaluatePredictions } from "../src/audits/predictions/evaluate-predictions.ts";
import { type Random, randomStream } from "../src/core/random.ts";

const cues = ["digit_color", "position", "texture", "background", "distractor", "shape", "texture_color"];
const rowsAtOnce = 100_000;

const [role, ...rest] = process.argv.slice(2);
if (role === "--child") await child(rest as [string, string]);
else await parent(process.argv.includes("--rows") ? Number(process.argv.at(-1)) : 1_000_000);

interface Measurement {
  seconds: number;
  peakMegabytes: number;
  groups: number;
}

/** One evaluation in a process of its own, so that its peak memory is its own too. */
async function child([path, explicit]: [string, string]): Promise<void> {
  const start = performance.now();
  const report = await evaluatePredictions({
    tables: [path],
    cues,
    groups: ["class", ...explicit.split(",")],
  });
  const measured: Measurement = {
    seconds: (performance.now() - start) / 1000,
    peakMegabytes: process.resourceUsage().maxRSS / 1024,
    groups: report.grouping.occupied,
  };
  process.stdout.write(JSON.stringify(measured));
}

async function parent(rows: number): Promise<void> {
  console.log(`${cpus().length} cores (${cpus()[0]!.model}), Node ${process.version}, ${rows} rows`);
  const folder = mkdtempSync(join(tmpdir(), "cuelab-bench-"));
  try {
    const tables = [await writeCsv(folder, rows), await writeParquet(folder, rows)];
    for (const path of tables) {
      const size = `${(statSync(path).size / 2 ** 20).toFixed(0)} MB on disk`;
      for (const explicit of [cues.slice(0, 1), cues.slice(0, 3)]) {
        const { seconds, peakMegabytes, groups } = measure(path, explicit.join());
        console.log(
          `${path.split(".").at(-1)!.padEnd(8)} ${size}, ${groups} groups: ${seconds.toFixed(1)} s, ${Math.round(rows / seconds)} rows/s, peak ${peakMegabytes.toFixed(0)} MB`,
        );
      }
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function measure(path: string, explicit: string): Measurement {
  const args = [process.argv[1]!, "--child", path, explicit];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8" })) as Measurement;
}

/** A row's class, prediction and cue values; the cues agree with the class in 70 of 100 training rows. */
function row(random: Random, train: boolean): { label: number; predicted: number; values: number[] } {
  const label = random.integer(10);
  const values = cues.map(() => (random.boolean(train ? 0.7 : 0.1) ? label : random.integer(10)));
  return { label, predicted: random.boolean(0.6) ? label : values[0]!, values };
}

async function writeCsv(folder: string, rows: number): Promise<string> {
  const path = join(folder, "predictions.csv");
  const file = createWriteStream(path);
  const random = randomStream(0, "bench/eval").at(0);
  file.write(`id,split,y_true,y_pred,${cues.join()}\n`);
  for (let start = 0; start < rows; start += rowsAtOnce) {
    const lines: string[] = [];
    for (let i = start; i < Math.min(rows, start + rowsAtOnce); i++) {
      const { label, predicted, values } = row(random, i % 2 === 0);
      lines.push(`${i},${i % 2 === 0 ? "train" : "test"},${label},${predicted},${values.join()}\n`);
    }
    if (!file.write(lines.join(""))) await once(file, "drain");
  }
  file.end();
  await once(file, "finish");
  return path;
}

/** As the runs write it: with a logit for each class. */
async function writeParquet(folder: string, rows: number): Promise<string> {
  const path = join(folder, "predictions.parquet");
  const random = randomStream(0, "bench/eval").at(0);
  const required = { repetition_type: "REQUIRED" as const };
  const text = { type: "BYTE_ARRAY" as const, converted_type: "UTF8" as const, ...required };
  const logits = Array.from({ length: 10 }, (_, k) => `logit_${k}`);
  const writer = new ParquetWriter({
    writer: fileWriter(path),
    schema: [
      { name: "root", num_children: 3 + logits.length + cues.length },
      { name: "id", type: "INT32", ...required },
      { name: "split", ...text },
      { name: "y_true", type: "INT32", ...required },
      ...logits.map((name) => ({ name, type: "FLOAT" as const, ...required })),
      ...cues.map((name) => ({ name, ...text })),
    ],
  });
  for (let start = 0; start < rows; start += rowsAtOnce) {
    const made = Array.from({ length: Math.min(rowsAtOnce, rows - start) }, (_, i) =>
      row(random, i % 2 === 0),
    );
    await writer.write({
      columnData: [
        { name: "id", data: made.map((_, i) => start + i) },
        { name: "split", data: made.map((_, i) => (i % 2 === 0 ? "train" : "test")) },
        { name: "y_true", data: made.map(({ label }) => label) },
        ...logits.map((name, k) => ({
          name,
          data: Float32Array.from(made, ({ predicted }) => (predicted === k ? 2 : 0) + random.uniform()),
        })),
        ...cues.map((name, c) => ({ name, data: made.map(({ values }) => String(values[c])) })),
      ],
    });
  }
  await writer.finish();
  return path;
}
