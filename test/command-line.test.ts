/** The command line as people meet it: help, JSON, exit codes, streams, colour, completion. */

import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import type { CheckReport } from "../src/formats/check-dataset.ts";
import type { Manifest } from "../src/formats/manifest.ts";
import { cuelab, cuelabJson } from "./helpers/cuelab.ts";
import { temporaryFolder } from "./helpers/files.ts";
import { ranHere } from "./helpers/in-process.ts";

const root = temporaryFolder();
const small = ["--set", "trainPerEnvironment=50"];

test.each([
  [[]],
  [["data"]],
  [["data", "list"]],
  [["data", "show"]],
  [["data", "make"]],
  [["data", "preview"]],
  [["data", "check"]],
  [["data", "convert"]],
  [["train"]],
  [["weights"]],
  [["weights", "show"]],
  [["weights", "export"]],
  [["eval"]],
  [["pool", "run"]],
  [["sweep", "run"]],
  [["runs", "list"]],
  [["runs", "show"]],
  [["runs", "compare"]],
  [["runs", "export"]],
  [["features"]],
  [["features", "extract"]],
  [["features", "train"]],
  [["embed"]],
  [["simulate"]],
  [["demo"]],
  [["completion"]],
])("help of %j has a usage line and examples", async (command) => {
  const { code, stdout } = await ranHere([...command, "--help"]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^Usage: cuelab/);
  expect(stdout).toMatch(/Examples:\n {2}\$ /);
});

describe("exit codes", () => {
  test.each([
    [["data", "frobnicate"], 2, /unknown command/],
    [["data", "make"], 2, /missing required argument/],
    [["data", "make", "colored-mnst"], 2, /did you mean "colored-mnist"/],
    [["data", "make", "colored-mnist", "--set", "labelnoise=1"], 2, /did you mean "labelNoise"/],
    [["data", "make", "colored-mnist"], 2, /these 70,000 images is not said[\s\S]*--out colored-mnist/],
    [["data", "make", "colored-mnist", "--workers", "0"], 2, /whole number from 1/],
    [["data", "make", "colored-mnist", "--seed", "1.5"], 2, /whole number from 0/],
    [["data", "make", "colored-mnist", "--format", "zip"], 2, /folder, parquet, webdataset, npz/],
    [
      ["data", "make", "colored-mnist", "--set", "digits=/nowhere/a-images-idx3"],
      3,
      /cannot read the IDX file/,
    ],
    [["data", "check", "/nowhere"], 3, /no such file or folder/],
    [["data", "convert", "/nowhere", "--to", "npz", "--out", "x"], 3, /no such file or folder/],
    [["data", "preview", "./nowhere"], 3, /no such file or folder/],
    [["data", "preview", "colored-mnist", "--cue", "colour"], 2, /no attribute "colour"/],
    [["completion", "tcsh"], 2, /bash, zsh, fish/],
  ])("%j ends with %i", async (args, code, message) => {
    const outcome = await ranHere(args);
    expect(outcome.stderr).toMatch(message);
    expect(outcome.stdout).toBe("");
    expect(outcome.code).toBe(code);
  });

  test("reach the shell", async () => {
    expect(await cuelab(["data", "check", "/nowhere"])).toMatchObject({ code: 3, stdout: "" });
  });
});

test("a misspelt option is told before the one that is missed because of it", async () => {
  const { code, stderr } = await ranHere(["train", "--mdoel", "mlp"]);
  expect(stderr).toMatch(/unknown option '--mdoel'\n\(Did you mean --model\?\)/);
  expect(code).toBe(2);
});

test("an option without its value does not take the next option for it", async () => {
  const { code, stderr } = await ranHere(["train", "--tensorboard", "-q", "--data", "colored-mnist"]);
  expect(stderr).toMatch(/'--tensorboard <folder>' argument missing/);
  expect(code).toBe(2);
});

test.each([
  [["eval", "/nowhere.csv", "--json"], 3, { kind: "input", where: expect.stringContaining("nowhere.csv") }],
  [
    ["train", "--jsn", "--json"],
    2,
    { kind: "usage", what: expect.stringContaining("unknown option '--jsn'") },
  ],
])("with --json also errors are JSON: %j", async (args, code, error) => {
  const outcome = await ranHere(args);
  expect(JSON.parse(outcome.stdout)).toMatchObject({ error });
  expect(outcome.stderr).toMatch(/^error: /);
  expect(outcome.code).toBe(code);
});

test.each([["-v"], ["-V"], ["--version"]])("%s tells the version", async (flag) => {
  expect((await ranHere([flag])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test("help of a command of a command", async () => {
  expect((await ranHere(["help", "data", "make"])).stdout).toMatch(/^Usage: cuelab data make/);
});

test("make, check and convert speak JSON on stdout and of progress on stderr", async () => {
  const out = join(root, "D");
  const made = await cuelab([
    "data",
    "make",
    "colored-mnist",
    ...small,
    "--out",
    out,
    "--seed",
    "1",
    "--json",
  ]);
  const { count, splits, hash } = JSON.parse(made.stdout) as Manifest;
  expect({ count, splits }).toEqual({ count: 189, splits: { train: 100, val: 26, test: 63 } });
  expect(hash).toMatch(/^sha256:[0-9a-f]{64}$/);
  expect(made.stderr).toMatch(/^making colored-mnist: 189 images in /);
  const report = await cuelabJson<CheckReport>(["data", "check", out]);
  expect(report).toMatchObject({ ok: true, hash, declaredHash: hash });
  expect(report.cues.map(({ slice }) => slice)).toEqual([
    "train",
    "val",
    "test",
    "environment 0.1",
    "environment 0.2",
    "environment 0.9",
  ]);
  const converted = await cuelabJson<Manifest>([
    "data",
    "convert",
    out,
    "--to",
    "parquet",
    "--out",
    `${out}-parquet`,
  ]);
  expect(converted.hash).toBe(hash);
  const shown = await cuelabJson<Manifest>(["data", "show", out]);
  expect(shown.hash).toBe(hash);
});

test("a check that finds problems ends with 3 and still reports", async () => {
  const out = join(root, "damaged");
  await cuelabJson(["data", "make", "colored-mnist", ...small, "--out", out]);
  const image = readFileSync(join(out, "train/000007.png"));
  writeFileSync(join(out, "train/000007.png"), image.subarray(0, image.length - 20));
  const outcome = await cuelab(["data", "check", out]);
  expect(outcome.stdout).toMatch(/broken +.*train\/000007.png: .*truncated/);
  expect(outcome.stdout).toMatch(/not ok: [^\n]+\n$/);
  expect(outcome.code).toBe(3);
});

test("--dry-run says everything and writes nothing", async () => {
  const out = join(root, "dry");
  const plan = await cuelabJson<Manifest & { dryRun: boolean }>([
    "data",
    "make",
    "colored-mnist",
    ...small,
    "--dry-run",
    "--out",
    out,
  ]);
  expect(plan).toMatchObject({
    dryRun: true,
    count: 189,
    splits: { train: 100, val: 26, test: 63 },
    seed: 0,
  });
  expect(plan.settings).toMatchObject({ labelNoise: 0.25, trainPerEnvironment: 50 });
  expect((await cuelab(["data", "check", out])).code).toBe(3);
});

test("preview draws a sheet of the expected size, for a name and for a path", async () => {
  for (const [name, file] of [
    ["colored-mnist", "name.png"],
    [join(root, "D"), "path.png"],
  ] as const) {
    const out = join(root, file);
    expect((await cuelab(["data", "preview", name, "--out", out])).stdout).toBe(`wrote ${out}\n`);
    const { width, height, channels } = await sharp(out).metadata();
    expect(width).toBeGreaterThan(560);
    expect(height).toBeGreaterThan(600);
    // Red and green digits are on it: neither channel is flat, and they differ.
    const { channels: statistics } = await sharp(out).stats();
    expect(channels).toBeGreaterThanOrEqual(3);
    expect(statistics[0]!.stdev).toBeGreaterThan(10);
  }
});

test("no colour codes reach a pipe, with or without NO_COLOR", async () => {
  for (const env of [{}, { NO_COLOR: "1" }] as Record<string, string>[]) {
    const { stdout, stderr } = await cuelab(["data", "show", "colored-mnist"], { env });
    expect(stdout + stderr).not.toContain("\x1b[");
  }
});

test("list names every dataset and format", async () => {
  const { datasets, formats } = await cuelabJson<{
    datasets: { name: string }[];
    formats: { name: string }[];
  }>(["data", "list"]);
  expect(datasets.map(({ name }) => name)).toContain("colored-mnist");
  expect(formats.map(({ name }) => name)).toEqual(["folder", "parquet", "webdataset", "npz", "urban-cars"]);
});

test("a setting for several names is shown once, with the names said below", async () => {
  const { stdout } = await cuelab(["data", "show", "biased-mnist"]);
  expect(stdout).toMatch(/^pBias +0\.7 +number from 0 to 1, for all or by name/m);
  expect(stdout).toMatch(/By name: pBias, pBiasVal, pBiasTest each have backgroundColor, digitColor/);
  expect(stdout.match(/backgroundColor/g)).toHaveLength(2);
});

describe("completion", () => {
  const ask = async (...words: string[]) =>
    (await ranHere(["__complete", ...words])).stdout.split("\n").filter((line) => line !== "");

  test.each([
    [["d"], ["data", "demo"]],
    [
      ["data", "c"],
      ["check", "convert"],
    ],
    [["data", "make", "col"], ["colored-mnist"]],
    [["data", "make", "colored-mnist", "--form"], ["--format"]],
    [["data", "make", "colored-mnist", "--format", "p"], ["parquet"]],
    [["data", "make", "colored-mnist", "--set", "la"], ["labelNoise="]],
    [
      ["data", "make", "biased-mnist", "--set", "pBias.te"],
      ["pBias.texture=", "pBias.textureColor="],
    ],
    [["data", "make", "colored-mnist", "--out", ""], []],
    [["data", "check", ""], []],
    [["train", "--data", "col"], ["colored-mnist"]],
    [["study", "run", "b"], ["biased-mnist"]],
    [["methods", "show", "jt"], ["jtt"]],
    [["train", "--data", "colored-mnist", "--set", "labelN"], ["labelNoise="]],
    [
      ["completion", ""],
      ["bash", "zsh", "fish"],
    ],
  ])("after %j", async (words, expected) => {
    expect(await ask(...words)).toEqual(expected);
  });

  test("every shell gets a script, and bash completes with it", async () => {
    for (const shell of ["zsh", "fish"])
      expect((await cuelab(["completion", shell])).stdout).toMatch(/cuelab __complete/);
    const bin = join(root, "bin");
    mkdirSync(bin);
    const main = resolve(import.meta.dirname, "../dist/program/main.js");
    writeFileSync(join(bin, "cuelab"), `#!/bin/sh\nexec "${process.execPath}" "${main}" "$@"\n`, {
      mode: 0o755,
    });
    const script = `
      source <(cuelab completion bash)
      COMP_WORDS=(cuelab data make colored-mnist --set la); COMP_CWORD=5; _cuelab 2>/dev/null; echo "\${COMPREPLY[*]}"
      COMP_WORDS=(cuelab data ""); COMP_CWORD=2; _cuelab; echo "\${COMPREPLY[*]}"`;
    const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` };
    const lines = execFileSync("bash", ["-c", script], { env, encoding: "utf8" }).trim().split("\n");
    expect(lines[0]).toBe("labelNoise=");
    expect(lines[1]).toMatch(/^list show make preview check convert/);
  });
});

test.each([
  ["a name that is no PNG", "photo.jpg", 2, /ends in \.png/],
  ["a folder", ".", 2, /ends in \.png/],
  ["a file that is there already", "notes.png", 3, /there is a file already[\s\S]*--force/],
])("preview refuses %s", async (_, name, code, message) => {
  writeFileSync(join(root, "notes.png"), "my notes");
  const outcome = await cuelab(["data", "preview", "colored-mnist", "--out", name], { cwd: root });
  expect(outcome.stderr).toMatch(message);
  expect(outcome.code).toBe(code);
});

test("make writes through a link to an empty folder, and not over the folder one is in", async () => {
  mkdirSync(join(root, "real"));
  symlinkSync(join(root, "real"), join(root, "link"));
  const made = await cuelabJson<Manifest>([
    "data",
    "make",
    "colored-mnist",
    ...small,
    "--out",
    join(root, "link"),
  ]);
  expect(made.count).toBe(189);
  expect(readFileSync(join(root, "real", "dataset.json"), "utf8")).toContain(made.hash);
  mkdirSync(join(root, "here"));
  const here = await cuelab(["data", "make", "colored-mnist", ...small, "--out", "."], {
    cwd: join(root, "here"),
  });
  expect(here.stderr).toMatch(/the folder that you are in/);
  const inFile = await cuelab([
    "data",
    "make",
    "colored-mnist",
    ...small,
    "--out",
    join(root, "notes.png", "x"),
  ]);
  expect(inFile.stderr).toMatch(/file already where a folder is needed/);
  expect(inFile.code).toBe(3);
});

test("the card says what was made", async () => {
  const out = join(root, "quiet-labels");
  await cuelabJson(["data", "make", "colored-mnist", ...small, "--set", "labelNoise=0", "--out", out]);
  expect(readFileSync(join(out, "README.md"), "utf8")).toContain(
    "Here 0% of the labels are flipped, so shape alone is right 100%",
  );
});
