/** docs/your-own-method.md: its files are checked, trained, swept, evaluated and asked as the page says. */

import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeAll, expect, test } from "vitest";
import type { RunResults } from "../src/training/results.ts";
import { cuelab, cuelabJson } from "./helpers/cuelab.ts";
import { temporaryFolder } from "./helpers/files.ts";

const root = temporaryFolder();
const at = (...names: string[]) => join(root, ...names);
const data = "--data colored-mnist --set trainPerEnvironment=200 --set size=14 --model mlp --threads 1".split(
  " ",
);

beforeAll(() => {
  const page = readFileSync(resolve(import.meta.dirname, "../docs/your-own-method.md"), "utf8");
  const files = [...page.matchAll(/^```ts file=(\S+)\n([\s\S]*?)^```/gm)];
  expect(files.map(([, name]) => name)).toEqual(["cosine-head.ts", "hard-first.ts"]);
  for (const [, name, code] of files) writeFileSync(at(name!), code!);
});

test.each(["cosine-head", "hard-first"])(
  "%s keeps every contract as it stands",
  { timeout: 120_000 },
  async (name) => {
    const { code, stdout, stderr } = await cuelab(["plugin", "check", at(`${name}.ts`)]);
    expect(stderr + stdout).not.toMatch(/✗|failed/);
    expect(code).toBe(0);
  },
);

test("a head of one's own is what the run, its export and its predictions say", async () => {
  const plugin = ["--plugin", at("cosine-head.ts")];
  const run = ["train", ...plugin, "--method", "cosine-head", ...data, "--epochs", "4", "--out", at("angle")];
  const { accuracy } = await cuelabJson<RunResults>(run);
  expect(accuracy.find(({ slice }) => slice === "val")!.accuracy).toBeGreaterThan(0.6);
  const [, ...own] = data.slice(0, 6);
  const asked = ["predict", at("angle"), "--data", ...own, "--splits", "val", "--out", at("p.parquet")];
  const said = await cuelabJson<RunResults>([...asked, ...plugin]);
  expect(said.accuracy[0]!.accuracy).toBe(accuracy.find(({ slice }) => slice === "val")!.accuracy);
});

test("two stages: a history of both, and what was found hard", async () => {
  const plugin = ["--plugin", at("hard-first.ts")];
  const words = `--method hard-first --method-set epochs=2 --epochs 3 --out ${at("hard")}`;
  await cuelabJson(["train", ...plugin, ...data, ...words.split(" ")]);
  const history = readFileSync(at("hard", "history.csv"), "utf8").trim().split("\n").slice(1);
  expect(history.map((row) => row.split(",").slice(0, 2).join(" "))).toEqual([
    "find 1",
    "find 2",
    "train 1",
    "train 2",
    "train 3",
  ]);
  const spec = JSON.parse(readFileSync(at("hard", "spec.json"), "utf8")) as { plugins: { digest: string }[] };
  expect(spec.plugins).toHaveLength(1);
  expect(readFileSync(at("hard", "manifest.json"), "utf8")).toContain("reports.parquet");
});
