/**
 * The referee: a Python environment of its own, in .referee/, in which others' libraries compute what our tests expect
 * and run beside our benchmarks. Neither the program nor `npm test` needs it.
 *
 *   npm run referee                           makes or updates it, and prints its versions
 *   npm run referee -- <script.py> [args]     runs a script of this folder or of bench/ in it
 *   npm run referee -- --all                  makes every stored reference anew
 */

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const references = import.meta.dirname;
const root = resolve(references, "../..");
const environment = join(root, ".referee");
const python = join(environment, "bin/python");
const [requirements, constraints] = ["requirements.txt", "constraints.txt"].map((name) =>
  join(references, name),
);
/** Says of which requirements the environment is; not there while it is incomplete. */
const stamp = join(environment, "made-from");

const quiet = { ORT_DISABLE_TELEMETRY: "1", HF_HUB_DISABLE_TELEMETRY: "1", HF_HUB_OFFLINE: "1" };

function fail(message) {
  console.error(message);
  process.exit(1);
}

function run(command, args, env = {}) {
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, ...env },
  });
  if (error !== undefined) fail(`${command}: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
}

/** $REFEREE_PYTHON, or whichever is found; another version would have other wheels. */
function basePython() {
  const candidates = process.env.REFEREE_PYTHON ? [process.env.REFEREE_PYTHON] : ["python3.11", "python3"];
  const tells = "import sys; print(*sys.version_info[:2], sep='.')";
  const found = candidates.find(
    (name) => spawnSync(name, ["-c", tells], { encoding: "utf8" }).stdout?.trim() === "3.11",
  );
  return found ?? fail(`no Python 3.11 among ${candidates.join(", ")}: name one in REFEREE_PYTHON`);
}

function make() {
  const wanted = createHash("sha256");
  for (const file of [requirements, constraints]) wanted.update(readFileSync(file));
  const digest = wanted.digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === digest) return;
  console.error("making .referee/: about 6 GB, most of it PyTorch's libraries for GPUs; a few minutes");
  run(basePython(), ["-m", "venv", "--clear", environment]);
  const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-compile"];
  run(python, [...pip, "--requirement", requirements, "--constraint", constraints]);
  writeFileSync(stamp, digest);
}

function printVersions() {
  const names = readFileSync(requirements, "utf8")
    .split("\n")
    .filter((line) => /^[a-z]/.test(line));
  const print = "import sys, importlib.metadata as m; [print(n, m.version(n)) for n in sys.argv[1:]]";
  run(python, ["-c", `import platform; print("python", platform.python_version())\n${print}`, ...names]);
}

function runScript(name, args) {
  const places = [resolve(name), join(references, name), join(root, "bench", name)];
  const script = places.find((path) => existsSync(path));
  if (script === undefined) fail(`no script ${name}: there is none at ${places.join(", ")}`);
  run(python, [script, ...args], { ...quiet, PYTHONDONTWRITEBYTECODE: "1" });
  // A script stores numbers; how they are laid out is our formatter's business.
  if (script.startsWith(references))
    run(join(root, "node_modules/.bin/biome"), ["format", "--write", references]);
}

/** Those that store something, and not what they share. */
function scripts() {
  const all = readdirSync(references).filter((name) => name.endsWith(".py"));
  return all.filter((name) => /^ *store\(\s*__file__/m.test(readFileSync(join(references, name), "utf8")));
}

const [first, ...rest] = process.argv.slice(2);
make();
if (first === undefined) printVersions();
else if (first === "--all") {
  // Writes files for PyTorch to load.
  await import("./own-weights.mjs");
  await import("./own-events.mjs");
  for (const name of scripts()) {
    console.error(name);
    runScript(name, []);
  }
} else runScript(first, rest);
