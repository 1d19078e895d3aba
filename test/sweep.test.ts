/** Sweeps as people use them: search, selection, failures, interruption, and killing at any moment. */

import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "./helpers/files.ts";
import { jsonHere, ranHere } from "./helpers/in-process.ts";
import { killSweep } from "./helpers/kill-sweep.mjs";

const root = temporaryFolder();

interface Record {
  select: { rule: string; labels: string } | null;
  entries: {
    label: string;
    chosen: { [path: string]: unknown };
    score: number | null;
    trials: { point: { [path: string]: unknown }; id: string; score: number | null }[];
    runs: { id: string; state: string; accuracy: { slice: string; accuracy: number }[] }[];
  }[];
}

const base = `
base:
  data: { name: colored-mnist, settings: { trainPerEnvironment: 60, size: 14 } }
  model: { name: logistic-regression }
  epochs: 1
  batchSize: 10
`;

function file(name: string, text: string): string {
  const path = join(root, `${name}.yaml`);
  writeFileSync(path, `name: ${name}\n${text}`);
  return path;
}

test("stages search one after the other, each entry for itself; what was chosen runs with every seed", async () => {
  const path = file(
    "staged",
    `${base}
runs:
  - { label: plain, method: { name: erm } }
  - { label: decoupled, method: { name: spectral-decoupling } }
search:
  stages:
    - { grid: { optimiser.rate: [0.000001, 0.01] } }
    - { random: { optimiser.weightDecay: { log: [0.00001, 0.001] } }, count: 2 }
  select: { by: val-unbiased, groups: [color] }
seeds: [0, 5]
`,
  );
  const out = join(root, "staged");
  const outcome = await jsonHere<Record>(["sweep", "run", path, "--out", out, "--quiet"]);
  expect(outcome.select).toMatchObject({
    rule: "mean validation accuracy of groups (class × color)",
    labels: "class on validation, color on validation",
  });
  for (const { trials, chosen, score, runs } of outcome.entries) {
    expect(trials).toHaveLength(4);
    const [first, second] = [trials.slice(0, 2), trials.slice(2)];
    // The second stage builds on the better rate of the first.
    const better = first[0]!.score! >= first[1]!.score! ? first[0]! : first[1]!;
    for (const { point } of second) expect(point).toMatchObject(better.point);
    expect(score).toBe(Math.max(...second.map((trial) => trial.score!)));
    expect(second.map(({ point }) => point)).toContainEqual(chosen);
    expect(runs.map(({ state }) => state)).toEqual(["done", "done"]);
  }
  // The search ran with seed 0 already: its best run is not done again. 2 entries × (2 + 2 trials + 1 further seed).
  const folders = readdirSync(out).filter((name) => !name.endsWith(".json"));
  expect(folders).toHaveLength(10);
  const spec = JSON.parse(readFileSync(join(out, outcome.entries[0]!.runs[1]!.id, "spec.json"), "utf8")) as {
    seed: number;
    threads: number;
  };
  expect(spec).toMatchObject({ seed: 5, threads: 1 });
  const compared = await jsonHere<
    { "method.name": string; runs: string[]; accuracy: { test: { n: number } } }[]
  >(["runs", "compare", out]);
  // The two chosen points have two seeds each, the six other trials one.
  expect(compared).toHaveLength(8);
  expect(compared.filter(({ runs, accuracy }) => runs.length === 2 && accuracy.test.n === 2)).toHaveLength(2);
  const listed = await jsonHere<unknown[]>([
    "runs",
    "list",
    out,
    "--where",
    "method.name=spectral-decoupling",
  ]);
  expect(listed).toHaveLength(5);
  const again = await jsonHere<Record>(["sweep", "run", path, "--out", out, "--resume", "--quiet"]);
  expect(again).toEqual(outcome);
});

test("a run that fails is tried again, listed, and the others are done; the exit code is 4", async () => {
  const path = file(
    "failing",
    `${base}
runs:
  - { label: good }
  - { label: exploding, optimiser: { name: sgd, rate: 1.0e+30 } }
search: { stages: [{ grid: { batchSize: [10] } }, { own: true }], select: { by: val-loss } }
`,
  );
  const { code, stdout } = await ranHere(["sweep", "run", path, "--out", join(root, "failing"), "--quiet"]);
  expect(code).toBe(4);
  expect(stdout).toMatch(/failed: exploding, batchSize 10 .*\n?.*(exploded|no longer a number)/);
  expect(stdout).toMatch(/good +batchSize=10 +\d/);
});

test.each([
  ["no YAML", "base: [", 3, /no YAML/],
  [
    "unknown network",
    "base: { data: { name: colored-mnist }, model: { name: resnet9000 } }",
    2,
    /resnet9000/,
  ],
  ["unknown key", `${base}\nsed: 3`, 2, /unknown setting "sed"/],
  [
    "no validation",
    `${base}\nsearch: { stages: [{ grid: { epochs: [1] } }], select: { by: val-los } }`,
    2,
    /select/,
  ],
  [
    "unknown group",
    `${base}\nsearch: { stages: [{ own: true }], select: { by: val-unbiased, groups: [sky] } }`,
    2,
    /no attribute "sky"/,
  ],
  ["no alpha", `${base}\nsearch: { stages: [{ own: true }], select: { by: val-alpha } }`, 2, /needs an α/],
  [
    "bad point",
    `${base}\nsearch: { stages: [{ grid: { optimiser.rate: [0.1, -1] } }], select: { by: val-loss } }`,
    2,
    /optimiser.rate/,
  ],
  [
    "unknown option",
    "base: { data: { name: colored-mnist }, model: { name: mlp, options: { wdith: 3 } } }",
    2,
    /wdith/,
  ],
  ["idle option", `${base}  optimiser: { momentum: 0.5 }`, 2, /momentum has no effect on adam/],
  ["seed twice", `${base}\nseeds: [1, 1]`, 2, /seed is listed twice/],
  ["seed in base", `${base}  seed: 3`, 2, /stand in `seeds`/],
  ["nothing", "", 2, /setting "base"/],
])("%s is refused before anything runs", async (name, text, expected, message) => {
  const path = file(name.replaceAll(" ", "-"), text);
  const { code, stderr } = await ranHere(["sweep", "run", path, "--out", join(root, "refused")]);
  expect(stderr).toMatch(message);
  expect(code).toBe(expected);
  expect(existsSync(join(root, "refused"))).toBe(false);
});

test("runs without a finished one say so", async () => {
  const { code, stderr } = await ranHere(["runs", "compare", root, "--where", "seed=77"]);
  expect([code, stderr]).toEqual([3, expect.stringContaining("no finished run is like that")]);
});

test("--resume refuses to begin", async () => {
  const { code, stderr } = await ranHere([
    "sweep",
    "run",
    file("nothing", base),
    "--out",
    join(root, "nothing"),
    "--resume",
  ]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/no sweep "nothing" to go on with/);
});

// The long form, 200 kills over 300 runs: node test/helpers/kill-sweep.mjs 300 200
test("kill -9 of drivers and workers loses nothing finished and repeats nothing", {
  timeout: 120_000,
}, async () => {
  const { runs, kills, problems } = await killSweep({ runs: 10, kills: 6, seed: 7, folder: root });
  expect(problems).toEqual([]);
  expect(runs).toBe(10);
  expect(kills.driver + kills.worker).toBeGreaterThan(0);
});
