/**
 * The package as people get it: packed, installed in an empty folder with an empty home, nothing typed besides, and put to work.
 * `npm run test:package` runs it; the npm cache is used where it has something, the package registry where not, no other host.
 */

import { deepStrictEqual, match, ok } from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const clone = resolve(import.meta.dirname, "..");
const mostMegabytes = 400;

const place = mkdtempSync(join(tmpdir(), "cuelab-package-"));
try {
  const cache = npm(clone, ["config", "get", "cache"]).trim();
  const [home, folder] = [join(place, "home"), join(place, "folder")];
  for (const each of [home, folder]) mkdirSync(each);
  const [{ filename, size }] = JSON.parse(
    npm(clone, ["pack", "--ignore-scripts", "--json", "--pack-destination", place]),
  );
  say(`packed: ${filename}, ${megabytes(size)} MB`);

  const bare = { ...withoutNpm(process.env), HOME: home, npm_config_cache: cache };
  npm(folder, ["install", "--prefer-offline", join(place, filename)], bare);
  const packages = Object.entries(
    JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8")).packages,
  );
  const scripted = packages.filter(([, about]) => about.hasInstallScript).map(([name]) => name);
  deepStrictEqual(scripted, [], "no package that is installed along has an install script");
  const installed = megabytes(bytesIn(join(folder, "node_modules")));
  say(`installed: ${packages.length - 1} packages, ${installed} MB`);
  ok(installed < mostMegabytes, `${installed} MB are installed, at most ${mostMegabytes} are meant to be`);

  // Fonts on a contact sheet and in a watermark, the runtime in training and in the exported network, the library.
  const cuelab = (...args) => npm(folder, ["exec", "--", "cuelab", ...args], bare);
  const tiny = ["colored-mnist", "--set", "trainPerEnvironment=100"];
  cuelab("data", "preview", ...tiny, "--out", "sheet.png");
  cuelab("data", "make", ...tiny, "--out", "D", "-q");
  cuelab("data", "watermark", "D", "--content", "捷径", "--out", "W", "-q");
  cuelab(
    "train",
    "--data",
    "D",
    "--model",
    "small-cnn",
    "--model-set",
    "width=4",
    "--epochs",
    "1",
    "--out",
    "R",
  );
  for (const made of ["sheet.png", "W/metadata.csv", "R/model.onnx", "R/predictions.parquet"])
    ok(existsSync(join(folder, made)), `${made} was made`);
  match(cuelab("eval", "R", "--report", "page.html"), /test/);
  match(readFileSync(join(folder, "page.html"), "utf8"), /font-face/, "pages carry their font");
  writeFileSync(
    join(folder, "use.mjs"),
    'import { datasets } from "cuelab";\nimport "cuelab/engine";\nimport "cuelab/methods";\nimport "cuelab/plugin";\nconsole.log(datasets.names.join());\n',
  );
  match(
    execFileSync(process.execPath, ["use.mjs"], { cwd: folder, env: bare, encoding: "utf8" }),
    /colored-mnist/,
  );
  say("a dataset, a watermark, a network, a page and the library: made by the installed package");
} finally {
  rmSync(place, { recursive: true, force: true });
}

/** What `npm run` sets would reach the inner npm as settings of people's own. */
function withoutNpm(environment) {
  const kept = ([name]) => !/^npm_/i.test(name) || /^npm_config_(registry|.*proxy|cafile)$/i.test(name);
  return Object.fromEntries(Object.entries(environment).filter(kept));
}

function npm(cwd, args, env = process.env) {
  return execFileSync("npm", args, { cwd, env, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
}

function bytesIn(folder) {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).reduce(
    (sum, name) => sum + lstatSync(join(folder, name)).size,
    0,
  );
}

function megabytes(bytes) {
  return Math.round(bytes / 1e6);
}

function say(text) {
  process.stdout.write(`${text}\n`);
}
