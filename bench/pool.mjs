/**
 * Cost of `cuelab pool run`: classifiers of the default kind on colored-mnist, by one process and by two.
 *
 *   npm run bench:pool                      768 classifiers, some minutes
 *   npm run bench:pool -- --classifiers 96
 *
 * Prints seconds, what all processes together held in memory at most (on Linux), and the ratio of the seconds.
 */

import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join, resolve } from "node:path";

const main = resolve(import.meta.dirname, "../dist/src/cli/main.js");
const given = process.argv.indexOf("--classifiers");
const classifiers = given < 0 ? "768" : process.argv[given + 1];
const root = mkdtempSync(join(tmpdir(), "cuelab-bench-pool-"));
const lookMs = 200;

function measured(workers) {
  const words = ["pool", "run", "colored-mnist", "--hold-out", "0.9", "--classifiers", classifiers];
  const places = ["--out", join(root, String(workers)), "--workers", String(workers)];
  const start = performance.now();
  const child = spawn(process.execPath, [main, ...words, ...places, "-q"], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  let peakMegabytes = 0;
  const looking = setInterval(() => {
    peakMegabytes = Math.max(peakMegabytes, memoryOf(child.pid));
  }, lookMs);
  return new Promise((done, fail) => {
    child.on("error", fail);
    child.on("close", (code) => {
      clearInterval(looking);
      if (code === 0) done({ workers, seconds: (performance.now() - start) / 1000, peakMegabytes });
      else fail(new Error(`exit code ${code}`));
    });
  });
}

/** Of a process and its children. */
function memoryOf(pid) {
  try {
    const own = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ");
    const theirs = children.filter((text) => text !== "").map((text) => memoryOf(Number(text)));
    return theirs.reduce((sum, one) => sum + one, Number(own?.[1] ?? 0) / 1024);
  } catch {
    // It has ended, or this is not Linux.
    return 0;
  }
}

try {
  const [one, two] = [await measured(1), await measured(2)];
  for (const { workers, seconds, peakMegabytes } of [one, two]) {
    const memory = peakMegabytes === 0 ? "" : `, ${peakMegabytes.toFixed(0)} MB`;
    process.stdout.write(
      `${classifiers} classifiers, ${workers} at a time: ${seconds.toFixed(1)} s${memory}\n`,
    );
  }
  process.stdout.write(`ratio ${(one.seconds / two.seconds).toFixed(2)} on ${cpus().length} cores\n`);
} finally {
  rmSync(root, { recursive: true, force: true });
}
