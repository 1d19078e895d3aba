/**
 * Cost of `cuelab line`: time and peak memory for a table of many models, in both formats.
 *
 *   npm run bench:line                    a million rows, half a minute
 *   npm run bench:line -- --rows 200000
 *
 * The table is like the public ones: a row a model and training environment, with a dict-like column.
 */

import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, mkdtempSync, rmSync, statSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parquetWriteFile } from "hyparquet-writer";
import { type AuditLineOptions, auditLine } from "../src/audits/line/audit-line.ts";
import { randomStream } from "../src/core/random.ts";
import { normalCdf } from "../src/core/statistics/index.ts";

const environments = 2;

/** What is asked, by the name that is printed. */
const questions: Record<string, Omit<AuditLineOptions, "tables">> = {
  "one split": { id: ["x"], ood: ["y"] },
  "mean and each environment": {},
  "by a key of the dict-like column": { id: ["x"], ood: ["y"], by: ["model_hparams.model_arch"] },
};

const [role, ...rest] = process.argv.slice(2);
if (role === "--child") await child(rest as [string, string]);
else await parent(process.argv.includes("--rows") ? Number(process.argv.at(-1)) : 1_000_000);

interface Measurement {
  seconds: number;
  processorSeconds: number;
  peakMegabytes: number;
  splits: number;
}

/** One audit in a process of its own, so that its peak memory is its own too. */
async function child([path, question]: [string, string]): Promise<void> {
  const [start, before] = [performance.now(), process.cpuUsage()];
  const { splits } = await auditLine({ tables: [path], ...questions[question] });
  const { user, system } = process.cpuUsage(before);
  const measured: Measurement = {
    seconds: (performance.now() - start) / 1000,
    processorSeconds: (user + system) / 1e6,
    peakMegabytes: process.resourceUsage().maxRSS / 1024,
    splits: splits.length,
  };
  process.stdout.write(JSON.stringify(measured));
}

async function parent(rows: number): Promise<void> {
  console.log(`${cpus().length} cores (${cpus()[0]!.model}), Node ${process.version}, ${rows} rows`);
  const folder = mkdtempSync(join(tmpdir(), "cuelab-bench-"));
  try {
    const columns = made(rows);
    for (const path of [await writeCsv(folder, columns), writeParquet(folder, columns)]) {
      const size = `${(statSync(path).size / 2 ** 20).toFixed(0)} MB`;
      for (const question of Object.keys(questions)) {
        const { seconds, processorSeconds, peakMegabytes, splits } = measure(path, question);
        console.log(
          `${path.split(".").at(-1)!.padEnd(8)} ${size}, ${question} (${splits} fits): ${seconds.toFixed(1)} s, ${processorSeconds.toFixed(1)} s of processor, peak ${peakMegabytes.toFixed(0)} MB`,
        );
      }
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function measure(path: string, question: string): Measurement {
  const args = [process.argv[1]!, "--child", path, question];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8" })) as Measurement;
}

interface Columns {
  x: Float64Array;
  y: Float64Array;
  environment: Int32Array;
  hparams: string[];
}

/** Models one after the other in each environment; OOD is the same in all. */
function made(rows: number): Columns {
  const random = randomStream(0, "bench/line").at(0);
  const models = Math.floor(rows / environments);
  const skill = Float64Array.from({ length: models }, () => 0.5 + 0.5 * random.normal());
  const ood = skill.map((value) => normalCdf(0.7 * value - 0.3 + 0.2 * random.normal()));
  const all = models * environments;
  const arch = ["resnet18", "resnet50", "vit_b_16"];
  return {
    x: Float64Array.from({ length: all }, (_, i) => normalCdf(skill[i % models]! + 0.1 * random.normal())),
    y: Float64Array.from({ length: all }, (_, i) => ood[i % models]!),
    environment: Int32Array.from({ length: all }, (_, i) => Math.floor(i / models)),
    hparams: Array.from(
      { length: all },
      (_, i) => `{'model_arch': '${arch[i % 3]}', 'transfer': ${i % 2 ? "True" : "False"}}`,
    ),
  };
}

async function writeCsv(folder: string, { x, y, environment, hparams }: Columns): Promise<string> {
  const path = join(folder, "accuracies.csv");
  const file = createWriteStream(path);
  file.write("x,y,train_env,algorithm,model_hparams,dataset,test_env\n");
  for (let start = 0; start < x.length; start += 100_000) {
    const lines: string[] = [];
    for (let i = start; i < Math.min(x.length, start + 100_000); i++) {
      lines.push(`${x[i]},${y[i]},${environment[i]},ERM,"${hparams[i]}",Made,2\n`);
    }
    if (!file.write(lines.join(""))) await once(file, "drain");
  }
  file.end();
  await once(file, "finish");
  return path;
}

function writeParquet(folder: string, { x, y, environment, hparams }: Columns): string {
  const path = join(folder, "accuracies.parquet");
  parquetWriteFile({
    filename: path,
    columnData: [
      { name: "x", data: x, type: "DOUBLE" },
      { name: "y", data: y, type: "DOUBLE" },
      { name: "train_env", data: environment, type: "INT32" },
      { name: "model_hparams", data: hparams, type: "STRING" },
      { name: "test_env", data: new Int32Array(x.length).fill(2), type: "INT32" },
    ],
  });
  return path;
}
