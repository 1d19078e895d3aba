/**
 * Kills drivers and workers of a sweep at random moments until it is done, and looks whether anything finished was
 * lost or done again: `node test/helpers/kill-sweep.mjs [runs] [kills] [seed]`, after `npm run build`.
 */

import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

const main = resolve(import.meta.dirname, "../../dist/program/main.js");

export async function killSweep({ runs, kills, seed, folder }) {
  const random = numbers(seed);
  const file = join(folder, "sweep.yaml");
  const out = join(folder, "runs");
  writeFileSync(file, sweepOf(runs));
  const finished = new Map();
  const problems = [];
  const counts = { driver: 0, worker: 0 };
  const look = () => lookAt(out, finished, problems);

  while (counts.driver + counts.worker < kills) {
    // Now and then two drivers share the folder.
    const drivers = Array.from({ length: random() < 0.3 ? 2 : 1 }, () => start(file, out));
    await Promise.race([...drivers.map(({ ended }) => ended), wait(200 + 2500 * random())]);
    look();
    while (random() < 0.5 && counts.driver + counts.worker < kills) {
      const worker = anyOf(childrenOf(drivers[0].process.pid), random);
      if (worker === undefined) break;
      if (kill(worker)) counts.worker++;
      await wait(400 * random());
    }
    for (const driver of drivers) if (kill(driver.process.pid)) counts.driver++;
    await Promise.all(drivers.map(({ ended }) => ended));
    look();
    if (finished.size === runs) break;
  }
  // Undisturbed to the end, as often as failures of killed workers ask for it.
  for (let attempt = 0; attempt < 3 && finished.size < runs; attempt++) {
    await start(file, out).ended;
    look();
  }
  look();
  if (finished.size !== runs) problems.push(`${finished.size} of ${runs} runs are finished`);
  for (const id of finished.keys()) problems.push(...damageOf(join(out, id)));
  return { runs: finished.size, kills: counts, problems };
}

function sweepOf(runs) {
  return `
name: killed
base:
  data: { name: colored-mnist, settings: { trainPerEnvironment: 20, size: 14 } }
  model: { name: logistic-regression }
  epochs: 1
  batchSize: 10
seeds: [${Array.from({ length: runs }, (_, i) => i).join(", ")}]
`;
}

function start(file, out) {
  const child = spawn(process.execPath, [main, "sweep", "run", file, "--out", out, "--quiet"], {
    stdio: "ignore",
  });
  return { process: child, ended: new Promise((done) => child.on("close", done)) };
}

/** Notes manifests that are new, and those that are not what they were. */
function lookAt(out, finished, problems) {
  if (!existsSync(out)) return;
  for (const id of readdirSync(out)) {
    const path = join(out, id, "manifest.json");
    if (!existsSync(path)) {
      if (finished.has(id)) problems.push(`${id} was finished and is not any more`);
      continue;
    }
    const { mtimeMs, ino } = statSync(path);
    const known = finished.get(id);
    if (known === undefined) finished.set(id, { mtimeMs, ino });
    else if (known.mtimeMs !== mtimeMs || known.ino !== ino) problems.push(`${id} was done again`);
  }
}

function damageOf(folder) {
  const { files } = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8"));
  return Object.entries(files)
    .filter(([name, digest]) => sha256(join(folder, name)) !== digest)
    .map(([name]) => `${join(folder, name)} is not what its manifest says`);
}

function sha256(path) {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}

function childrenOf(pid) {
  try {
    return execFileSync("ps", ["-o", "pid=", "--ppid", String(pid)], { encoding: "utf8" })
      .split("\n")
      .map(Number)
      .filter((child) => child > 0);
  } catch {
    return [];
  }
}

function kill(pid) {
  try {
    process.kill(pid, "SIGKILL");
    return true;
  } catch {
    return false;
  }
}

const anyOf = (items, random) => items[Math.floor(random() * items.length)];

function numbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

if (process.argv[1] === import.meta.filename) {
  const [runs = 300, kills = 200, seed = 1] = process.argv.slice(2).map(Number);
  const folder = mkdtempSync(join(tmpdir(), "cuelab-kills-"));
  const began = performance.now();
  const outcome = await killSweep({ runs, kills, seed, folder });
  rmSync(folder, { recursive: true });
  console.log(
    JSON.stringify({ ...outcome, seconds: Math.round((performance.now() - began) / 1000) }, null, 2),
  );
  process.exitCode = outcome.problems.length > 0 ? 1 : 0;
}
