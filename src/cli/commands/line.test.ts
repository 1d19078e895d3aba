/** The command as people type it, in this process. */

import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { Console } from "../console.ts";
import { createProgram } from "../program.ts";

const folder = mkdtempSync(join(tmpdir(), "cuelab-line-command-"));
afterAll(() => rmSync(folder, { recursive: true }));

async function run(...args: string[]): Promise<{ out: string; notes: string }> {
  const [out, notes]: [string[], string[]] = [[], []];
  const console = new Console();
  console.print = (text) => void out.push(text);
  console.note = (text) => void notes.push(text);
  const session = { console, signal: new AbortController().signal, finishWith: () => {} };
  await createProgram(session).parseAsync(["line", ...args], { from: "user" });
  return { out: out.join("\n"), notes: notes.join("\n") };
}

const table = join(folder, "table.csv");
const rows = Array.from({ length: 40 }, (_, i) => {
  const id = 0.5 + 0.01 * i;
  return `${id},${0.3 + 0.008 * i + 0.01 * ((7 * i) % 5)},${i % 2 ? "odd" : "even"}`;
});
writeFileSync(table, `${["val,shifted,kind", ...rows].join("\n")}\n`);

test("JSON has one object a split, with the promised keys", async () => {
  const { out } = await run(table, "--id", "val", "--ood", "shifted", "--by", "kind", "--json");
  const report = JSON.parse(out) as { splits: Record<string, unknown>[]; threshold: number };
  expect(report.splits).toHaveLength(3);
  for (const split of report.splits) {
    expect(Object.keys(split)).toEqual(
      expect.arrayContaining([
        "n",
        "r",
        "rLow",
        "rHigh",
        "slope",
        "intercept",
        "pValue",
        "stdErr",
        "verdict",
        "warnings",
      ]),
    );
  }
  expect(report).toMatchObject({ threshold: 0.3, rows: 40, transform: "probit", clip: [0.01, 0.99] });
  expect(report.splits[0]).toMatchObject({ n: 40, verdict: "misspecified", group: {} });
});

test("the page, other scales and thresholds, and pictures", async () => {
  const plots = join(folder, "plots");
  const options = "--transform logit --clip 0.05,0.95 --threshold 0.999 --converge --interval bootstrap";
  const { out, notes } = await run(
    table,
    "--id",
    "val",
    "--ood",
    "shifted",
    ...options.split(" "),
    "--plots",
    plots,
  );
  expect(out).toContain("logit, clipped to 0.05 – 0.95");
  expect(out).toContain("R < 0.999 with its whole bootstrap interval");
  expect(out).toMatch(/shifted +val +40 +0\.9\d/);
  expect(out).toMatch(/well-specified/);
  expect(out).toContain("not reached");
  expect(notes).toBe(`2 pictures in ${plots}`);
  expect(readdirSync(plots).sort()).toEqual(
    ["line", "residuals"].flatMap((kind) => [`1-shifted-on-val-${kind}.png`, `1-shifted-on-val-${kind}.svg`]),
  );
});

test("the paper's fit stands beside that of its dataset and environment", async () => {
  const paired = join(folder, "paired.csv");
  const line = (i: number, env: number) =>
    `0.${5000 + 37 * i + env},0.${3000 + 21 * i},${env},ERM,{},ColoredMNIST,2`;
  const lines = [0, 1].flatMap((env) => Array.from({ length: 20 }, (_, i) => line(i, env)));
  writeFileSync(
    paired,
    `${["x,y,train_env,algorithm,model_hparams,dataset,test_env", ...lines].join("\n")}\n`,
  );
  const { out } = await run(paired, "--published", "--json");
  const { splits } = JSON.parse(out) as { splits: { published: { r: number; id?: string } }[] };
  // Tables 5 and 6.
  expect(splits.map(({ published }) => [published.id, published.r])).toEqual([
    [undefined, -0.74],
    ["0", -0.82],
    ["1", -0.64],
  ]);
  expect((await run(paired, "--published")).out).toContain("-0.74");
});

test("wrong usage is refused", async () => {
  await expect(run(table, "--id", "val", "--ood", "shiftd")).rejects.toThrow(/did you mean "shifted"/);
  await expect(run(table, "--id", "val", "--ood", "shifted", "--threshold", "2")).rejects.toThrow(
    /threshold/,
  );
});
