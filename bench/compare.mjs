/**
 * Two built checkouts against each other: is the new one slower, or larger in memory?
 *
 *   npm run bench:compare -- --old DIR --new DIR [--rounds 15] [--only pool,engine-a] [--json FILE]
 *
 * Old and new take turns, the first of each round by turns too, each in a fresh process. Told are medians, the median of
 * the rounds' ratios with its bootstrap interval, the same of the processor's own seconds, which a busy machine disturbs
 * less, and peak memory of all processes together. No slower means a ratio of at most 1.03, or an interval that contains 1. The tables of 4 and 10 million rows are compared when they are named, or
 * with --all; they are made once in --shared, where they are found again.
 */

import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { benches } from "./compare/benches.mjs";
import { measure } from "./compare/measure.mjs";
import { compared, median } from "./compare/verdict.mjs";

const { values } = parseArgs({
  options: {
    old: { type: "string" },
    new: { type: "string" },
    rounds: { type: "string", default: "15" },
    only: { type: "string" },
    all: { type: "boolean", default: false },
    shared: { type: "string" },
    json: { type: "string" },
  },
});
const rounds = Number(values.rounds);
const names =
  values.only?.split(",") ?? Object.keys(benches).filter((name) => values.all || !benches[name].slow);
const unknown = names.filter((name) => !(name in benches));
if (values.old === undefined || values.new === undefined || !(rounds >= 1) || unknown.length > 0) {
  console.error(
    "usage: bench:compare --old DIR --new DIR [--rounds 15] [--all] [--shared DIR] [--json FILE]",
  );
  console.error(`       [--only ${Object.keys(benches).join()}]`);
  process.exit(2);
}

const root = mkdtempSync(join(tmpdir(), "cuelab-compare-"));
const shared = resolve(values.shared ?? join(root, "shared"));
const checkouts = { old: checkoutAt(values.old), new: checkoutAt(values.new) };

function checkoutAt(folder) {
  const main = resolve(folder, "dist/program/main.js");
  if (!existsSync(main)) throw new Error(`${folder} is not built: no ${main}`);
  return { main, run: (words, cwd) => measure([main, ...words], cwd) };
}

/** One sample of one checkout, in an empty folder. */
async function sample(which, { words, times = 1 }) {
  const folder = mkdtempSync(join(root, "run-"));
  const given = words.map((word) => word.replace("{shared}", shared));
  const measured = [];
  for (let i = 0; i < times; i++) measured.push(await checkouts[which].run(given, folder));
  rmSync(folder, { recursive: true, force: true });
  const mean = (name) => measured.reduce((sum, one) => sum + one[name], 0) / times;
  return {
    seconds: mean("seconds"),
    processorSeconds: mean("processorSeconds"),
    treeMegabytes: Math.max(...measured.map(({ treeMegabytes }) => treeMegabytes)),
    childMegabytes: Math.max(...measured.map(({ childMegabytes }) => childMegabytes)),
  };
}

/** Made once for both; a mark tells that it was finished. */
async function prepared(name, { prepare }) {
  const mark = join(shared, `${name}.made`);
  if (prepare === undefined || existsSync(mark)) return;
  mkdirSync(shared, { recursive: true });
  await prepare(checkouts.old, shared);
  writeFileSync(mark, "");
}

async function compareBench(name) {
  const bench = benches[name];
  await prepared(name, bench);
  // The first of each reads files that are in no cache yet.
  for (const which of ["old", "new"]) await sample(which, bench);
  const samples = { old: [], new: [] };
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? ["old", "new"] : ["new", "old"];
    for (const which of order) samples[which].push(await sample(which, bench));
  }
  const of = (measured) => [samples.old, samples.new].map((list) => list.map((one) => one[measured]));
  const [oldChild, newChild] = of("childMegabytes").map(median);
  return {
    name,
    rounds,
    seconds: compared(...of("seconds")),
    processor: compared(...of("processorSeconds")),
    memory: compared(...of("treeMegabytes")),
    childMegabytes: { old: oldChild, new: newChild },
    samples,
  };
}

function tell({ name, seconds, processor, memory, childMegabytes }) {
  const line = (title, { old, new: renewed, ratio, low, high }, unit, verdict) => {
    const digits = unit === "s" ? 3 : 0;
    const values = `${old.toFixed(digits)} → ${renewed.toFixed(digits)} ${unit}`;
    const sure = `× ${ratio.toFixed(3)} (${low.toFixed(3)} – ${high.toFixed(3)})`;
    console.log(`${title.padEnd(19)} ${values.padEnd(20)} ${sure.padEnd(25)} ${verdict}`);
  };
  const children = `largest child ${childMegabytes.old.toFixed(0)} → ${childMegabytes.new.toFixed(0)} MB`;
  const space = memory.worse ? "LARGER" : "no larger";
  line(name, seconds, "s", seconds.worse ? "SLOWER" : "no slower");
  line("  processor", processor, "s", processor.worse ? "more work" : "no more work");
  line("  memory", memory, "MB", childMegabytes.old === 0 ? space : `${space}; ${children}`);
}

const started = performance.now();
console.log(`${cpus().length} cores (${cpus()[0].model}), Node ${process.version}, ${rounds} rounds`);
const results = [];
try {
  for (const name of names) {
    results.push(await compareBench(name));
    tell(results.at(-1));
  }
} finally {
  rmSync(root, { recursive: true, force: true });
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(results, null, 1)}\n`);
}
const worse = results.filter(({ seconds, memory }) => seconds.worse || memory.worse).map(({ name }) => name);
const minutes = ((performance.now() - started) / 60_000).toFixed(1);
console.log(
  `${results.length} benches in ${minutes} minutes: ${worse.length === 0 ? "nothing slower or larger" : `look at ${worse.join()}`}`,
);
process.exitCode = worse.length === 0 ? 0 : 1;
