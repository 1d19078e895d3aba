/**
 * Cost of `cuelab eval` beside DuckDB's grouping of the same file: seconds, processor seconds, peak memory, and whether
 * both count the same.
 *
 *   npm run bench:eval                                  a million rows, a minute or two
 *   npm run bench:eval -- --rows 10000000 --rounds 5    ten million; needs about 3 GB of temporary disk
 *
 * DuckDB writes the tables (CSV; Parquet with zstd, with snappy and plain), and hyparquet-writer one as our runs do: ten classes, three cues of ten values,
 * with predictions, or with ten logits instead. What is timed begins when the file is opened, in a process of its own,
 * and ends with our whole report, or with DuckDB's counts and right predictions of each group of every split.
 */

import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { basename, join } from "node:path";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { fileWriter, ParquetWriter } from "hyparquet-writer";
import { evaluatePredictions } from "../src/audits/predictions/evaluate-predictions.ts";

const cues = ["color", "texture", "background"];
const logits = Array.from({ length: 10 }, (_, k) => `logit_${k}`);
const rowsAtOnce = 100_000;

const [role, ...rest] = process.argv.slice(2);
if (role === "--ours") await timed(() => ours(rest[0]!));
else if (role === "--duckdb") await timed(() => theirs(rest[0]!));
else await parent(option("--rows", 1_000_000), option("--rounds", 3));

interface Measurement {
  seconds: number;
  processorSeconds: number;
  peakMegabytes: number;
  /** Groups of the test split, sorted: class, cues, images, right ones. */
  groups: string[];
}

function option(name: string, usual: number): number {
  const at = process.argv.indexOf(name);
  return at < 0 ? usual : Number(process.argv[at + 1]);
}

/** In a process of its own, so that its peak memory is its own too. */
async function timed(work: () => Promise<string[]>): Promise<void> {
  const [start, before] = [performance.now(), process.cpuUsage()];
  const groups = await work();
  const { user, system } = process.cpuUsage(before);
  const measured: Measurement = {
    seconds: (performance.now() - start) / 1000,
    processorSeconds: (user + system) / 1e6,
    peakMegabytes: peakMegabytes(),
    groups: groups.toSorted(),
  };
  process.stdout.write(JSON.stringify(measured));
}

/** Of this process alone; what `resourceUsage` says begins with the parent's. */
function peakMegabytes(): number {
  const status = existsSync("/proc/self/status") ? readFileSync("/proc/self/status", "utf8") : "";
  return Number(/VmHWM:\s*(\d+)/.exec(status)?.[1] ?? process.resourceUsage().maxRSS) / 1024;
}

async function ours(path: string): Promise<string[]> {
  const { groups } = await evaluatePredictions({ tables: [path] });
  return groups
    .filter(({ n }) => n > 0)
    .map(({ class: label, values, n, accuracy }) =>
      [label, ...cues.map((cue) => values[cue]), n, Math.round(n * accuracy!)].join(),
    );
}

async function theirs(path: string): Promise<string[]> {
  const duckdb = await (
    await DuckDBInstance.create(":memory:", { threads: String(cpus().length) })
  ).connect();
  const scored = basename(path).startsWith("logits");
  const largest = `greatest(${logits.join()})`;
  // Confidence is what we compute from logits as well: the calibration error needs it.
  const right = scored
    ? `case y_true ${logits.map((name, k) => `when ${k} then ${name}`).join(" ")} end = ${largest}`
    : "y_true = y_pred";
  const confidence = scored
    ? `, sum(1 / (${logits.map((name) => `exp(${name} - ${largest})`).join(" + ")}))`
    : "";
  const counted = await duckdb.runAndReadAll(
    `select split, y_true, ${cues.join()}, count(*), sum((${right})::int)${confidence} from '${path}' group by all`,
  );
  return counted
    .getRows()
    .filter(([split]) => split === "test")
    .map((row) => row.slice(1, 4 + cues.length).join());
}

async function parent(rows: number, rounds: number): Promise<void> {
  console.log(
    `${cpus().length} cores (${cpus()[0]!.model}), Node ${process.version}, ${rows} rows, median of ${rounds} rounds`,
  );
  const folder = mkdtempSync(join(tmpdir(), "cuelab-bench-"));
  try {
    for (const path of await writeTables(folder, rows)) compare(path, rounds);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function compare(path: string, rounds: number): void {
  const [we, they]: [Measurement[], Measurement[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    we.push(measure("--ours", path));
    they.push(measure("--duckdb", path));
  }
  const median = (list: readonly Measurement[], what: (one: Measurement) => number) =>
    list.map(what).toSorted((a, b) => a - b)[list.length >> 1]!;
  const [seconds, processor] = [
    ({ seconds }: Measurement) => seconds,
    ({ processorSeconds }: Measurement) => processorSeconds,
  ];
  const ratio = median(
    we.map((one, i) => ({ ...one, seconds: one.seconds / they[i]!.seconds })),
    seconds,
  );
  const same = we[0]!.groups.join(";") === they[0]!.groups.join(";");
  const cost = (list: readonly Measurement[]) =>
    `${median(list, seconds).toFixed(2)} s (${median(list, processor).toFixed(2)} of processors), ${median(list, (one) => one.peakMegabytes).toFixed(0)} MB`;
  console.log(
    `${basename(path).padEnd(24)} ${(statSync(path).size / 2 ** 20).toFixed(0).padStart(5)} MB, ${we[0]!.groups.length} groups: ${cost(we)}; DuckDB ${cost(they)}; ${ratio.toFixed(2)} × in time, ${(median(we, processor) / median(they, processor)).toFixed(2)} × in processors; ${same ? "same numbers" : "OTHER NUMBERS"}`,
  );
}

function measure(who: string, path: string): Measurement {
  const text = execFileSync(process.execPath, [process.argv[1]!, who, path], {
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  return JSON.parse(text) as Measurement;
}

/** The cues agree with the class in 70 of 100 training rows. */
async function writeTables(folder: string, rows: number): Promise<string[]> {
  const duckdb = await (await DuckDBInstance.create(":memory:")).connect();
  await duckdb.run("select setseed(0.5)");
  const cue = (name: string) =>
    `'${name[0]}' || case when random() < (case when i % 2 = 0 then 0.7 else 0.1 end) then y_true else floor(random() * 10)::int end as ${name}`;
  await duckdb.run(`create table plain as
    select i as id, case when i % 2 = 0 then 'train' else 'test' end as split, y_true,
      case when random() < 0.6 then y_true else floor(random() * 10)::int end as y_pred, ${cues.map(cue).join()}
    from (select i, floor(random() * 10)::int as y_true from range(${rows}) r(i))`);
  await duckdb.run(`create table logits as select * exclude y_pred,
    ${logits.map((name, k) => `(random() + case when y_pred = ${k} then 2 else 0 end)::float as ${name}`).join()}
    from plain`);
  const paths: string[] = [];
  const copy = async (table: string, ending: string, options: string) => {
    const path = join(folder, `${table}.${ending}`);
    await duckdb.run(`copy ${table} to '${path}' (${options})`);
    paths.push(path);
  };
  for (const table of ["plain", "logits"]) {
    await copy(table, "csv", "header");
    for (const compression of table === "plain" ? ["zstd", "snappy", "uncompressed"] : ["zstd", "snappy"]) {
      await copy(table, `${compression}.parquet`, `format parquet, compression ${compression}`);
    }
  }
  paths.push(await writeAsRuns(duckdb, join(folder, "logits.ours.parquet"), rows));
  return paths;
}

/** As `encodePredictions` writes tables of runs: plain numbers, texts in dictionaries. */
async function writeAsRuns(duckdb: DuckDBConnection, path: string, rows: number): Promise<string> {
  const required = { repetition_type: "REQUIRED" as const };
  const text = { type: "BYTE_ARRAY" as const, converted_type: "UTF8" as const, ...required };
  const names = ["id", "split", "y_true", ...cues, ...logits];
  const writer = new ParquetWriter({
    writer: fileWriter(path),
    schema: [
      { name: "root", num_children: names.length },
      { name: "id", type: "INT32", ...required },
      { name: "split", ...text },
      { name: "y_true", type: "INT32", ...required },
      ...cues.map((name) => ({ name, ...text })),
      ...logits.map((name) => ({ name, type: "FLOAT" as const, ...required })),
    ],
  });
  for (let start = 0; start < rows; start += rowsAtOnce) {
    const some = await duckdb.runAndReadAll(
      `select id::int as id, * exclude id from logits where id >= ${start} and id < ${start + rowsAtOnce} order by id`,
    );
    const columns = some.getColumnsObject();
    await writer.write({ columnData: names.map((name) => ({ name, data: columns[name]! as unknown[] })) });
  }
  await writer.finish();
  return path;
}
