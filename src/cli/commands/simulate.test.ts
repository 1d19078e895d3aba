/** `cuelab simulate` within this process: pages, JSON, files, and what it refuses. */

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/helpers/files.ts";
import { cuelabHere as cuelab } from "../../../test/helpers/in-process.ts";

const root = temporaryFolder();

const small = ["--samples", "100", "--test-samples", "100", "--classifiers", "5"];

test("shifts of one's own, as a page and as JSON of the same numbers", async () => {
  const words = ["simulate", "gaussian", ...small, "--shift", "-1", "--shift", "0.5,0;0,2"];
  const page = await cuelab(...words);
  expect(page).toMatch(/-1·I .*reversal/);
  expect(page).toMatch(/^0\.5,0;0,2 /m);
  const json = JSON.parse(await cuelab(...words, "--json"));
  expect(json.setting).toBe("gaussian");
  expect(json.shifts[0].domain).toEqual([
    {
      weight: 1,
      shift: [
        [-1, 0],
        [0, -1],
      ],
    },
  ]);
  expect(page).toContain(json.shifts[0].specific.exact.toFixed(4));
});

test("a folder of numbers, a table and figures", async () => {
  const out = join(root, "mixture");
  await cuelab("simulate", "mixture", ...small, "--shifts", "4", "--out", out);
  const { shifts } = JSON.parse(readFileSync(join(out, "simulation.json"), "utf8"));
  const lines = readFileSync(join(out, "shifts.csv"), "utf8").trim().split("\n");
  expect(lines.length).toBe(1 + shifts.length);
  expect(lines[1]!.split(",").length).toBe(lines[0]!.split(",").length);
  expect(lines[1]).toContain(String(shifts[0].general.exact));
  expect(readFileSync(join(out, "figures/accuracy.svg"), "utf8")).toMatch(/domain-general features alone/);
  expect(readFileSync(join(out, "figures/accuracy.png")).subarray(1, 4).toString()).toBe("PNG");
  expect(existsSync(join(out, "figures/family.svg"))).toBe(true);
});

test.each([
  ["interpolation", ["--shifts", "3"], /mix 1/],
  ["line", ["--a", "0.5,-0.5"], /random M, low signal to noise/],
])("simulate %s", async (setting, words, expected) => {
  expect(await cuelab("simulate", setting, ...small, ...words)).toMatch(expected);
});

test("simulate share, with figures", async () => {
  const out = join(root, "share");
  const words = [
    "--samples",
    "50",
    "--classifiers",
    "4",
    "--shifts",
    "200",
    "--epsilon",
    "0.5,3",
    "--out",
    out,
  ];
  expect(await cuelab("simulate", "share", ...words)).toMatch(/only from δ +0\.3679/);
  expect(readFileSync(join(out, "figures/correlation.svg"), "utf8")).toMatch(/threshold 0\.3/);
  expect(readFileSync(join(out, "shares.csv"), "utf8").trim().split("\n").length).toBe(5);
});

test("simulate reflection", async () => {
  expect(await cuelab("simulate", "reflection")).toMatch(
    /α 0\.2679 puts the classifier on the line of slope 2/,
  );
});

test.each([
  [["gaussian", "--shift", "1,2;3"], /Expected rows of numbers/],
  [["gaussian", "--shift", "1", "--shifts", "3"], /cannot be used with/],
  [["gaussian", "--mu-spu", "1,x"], /Expected numbers by commas/],
  [["gaussian", "--sigma-spu", "1,2;2,1"], /Σ_spu is no covariance/],
  [["gaussian", "--delta", "1"], /between 0 and 1/],
  [["gaussian", "--ridge=-1"], /Expected a number of 0 or more/],
  [["share", "--label-noise", "0.1"], /unknown option/],
  [["interpolation", "--draw", "normal"], /unknown option/],
])("refuses %j", async (words, message) => {
  await expect(cuelab("simulate", ...words)).rejects.toThrow(message);
});
