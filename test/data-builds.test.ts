/** Data is opened once a command: what one process has learned of it, others are told. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { countBuilds } from "./helpers/count-builds.ts";
import { cuelab } from "./helpers/cuelab.ts";
import { temporaryFolder } from "./helpers/files.ts";

const root = temporaryFolder();
const data = ["--data", "colored-mnist", "--set", "trainPerEnvironment=60", "--set", "size=14"];
const model = ["--model", "logistic-regression"];

async function counted(name: string, words: readonly string[]): Promise<Record<string, number>> {
  const { options, builds } = countBuilds(join(root, `${name}.builds`));
  const { code, stderr } = await cuelab([...words, "--quiet"], options);
  expect([code, stderr]).toEqual([0, ""]);
  const counts: Record<string, number> = {};
  for (const { process: of } of builds()) counts[of] = (counts[of] ?? 0) + 1;
  return counts;
}

// The main thread has labels and evaluates; its other thread makes batches meanwhile.
const oneEach = { parent: 1, child: 1, thread: 1 };

test.each([
  ["plain", []],
  ["told", ["--method", "group-dro", "--explicit", "color"]],
  ["held-out", ["--method", "group-dro", "--explicit", "color", "--hold-out", "0.1"]],
])("train, %s: once in each process and thread", async (name, words) => {
  const out = ["--epochs", "1", "--out", join(root, name)];
  expect(await counted(name, ["train", ...data, ...model, ...words, ...out])).toEqual(oneEach);
});

test("a sweep looks at its data once, however many runs and methods share it", async () => {
  const file = join(root, "s.yaml");
  writeFileSync(
    file,
    `name: s
base:
  data: { name: colored-mnist, settings: { trainPerEnvironment: 60, size: 14 } }
  model: { name: logistic-regression }
  epochs: 1
runs: [{ label: plain }, { label: told, method: { name: group-dro, explicit: [color] } }]
search: { stages: [{ grid: { optimiser.rate: [0.001, 0.01] } }], select: { by: val-unbiased, groups: [color] } }
seeds: [0, 1]
`,
  );
  // Two entries of two points, of which the better one runs with a second seed.
  expect(await counted("sweep", ["sweep", "run", file, "--out", join(root, "s")])).toEqual({
    parent: 1,
    child: 6,
    thread: 6,
  });
});

test("a pool's command looks at its data once, and so does each of its processes", async () => {
  const words =
    "--classifiers 8 --steps 2 --checkpoints 1 --first-step 2 --features pixels --workers 2".split(" ");
  const dataset = ["colored-mnist", ...data.slice(2)];
  expect(await counted("pool", ["pool", "run", ...dataset, ...words, "--out", join(root, "pool")])).toEqual({
    parent: 1,
    child: 2,
  });
});

test("eval of a run opens no data, and of a table what it is given, also by name", async () => {
  expect(await counted("eval", ["eval", join(root, "plain")])).toEqual({});
  const table = join(root, "plain", "predictions.parquet");
  expect(await counted("eval-data", ["eval", table, "--data", "colored-mnist"])).toEqual({ parent: 1 });
});
