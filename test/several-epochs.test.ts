/** A run that keeps the best epoch under several rules at once, and rules that are asked of it afterwards. */

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { decodeSafetensors } from "../src/runs/safetensors.ts";
import { parseSelection } from "../src/training/choose-kept.ts";
import type { RunResults } from "../src/training/results.ts";
import { temporaryFolder } from "./helpers/files.ts";
import { jsonHere, ranHere } from "./helpers/in-process.ts";

const root = temporaryFolder();
const at = (...names: string[]) => join(root, ...names);
const run = (out: string, ...more: string[]) => [
  ..."train --data colored-mnist --set trainPerEnvironment=120 --set size=14 --threads 1 --model mlp".split(
    " ",
  ),
  ..."--model-set width=8 --epochs 6 --lr 0.02 --out".split(" "),
  at(out),
  ...more,
];
const groups = "val-worst-group:color";
const weightsOf = (run: string, name: string) =>
  [...decodeSafetensors(readFileSync(at(run, name)), name).tensors.values()].map(({ data }) => [...data]);

test("each rule's epoch is the one that a run with that rule alone would keep, byte for byte", async () => {
  const all = await jsonHere<RunResults>(
    run("all", "--select", "val-accuracy", "--also-select", "val-worst-class", "--also-select", groups),
  );
  const worst = await jsonHere<RunResults>(
    run("worst", "--select", "val-worst-group", "--select-groups", "color"),
  );
  const byClass = await jsonHere<RunResults>(run("class", "--select", "val-worst-class"));
  expect(all.also).toMatchObject([
    { epoch: byClass.epoch, selection: byClass.selection, accuracy: byClass.accuracy },
    { epoch: worst.epoch, selection: worst.selection, accuracy: worst.accuracy },
  ]);
  expect(byClass.selection).toEqual({
    rule: "validation accuracy of the worst class",
    labels: "class on validation",
  });
  // Else this test would show nothing.
  expect(worst.epoch).not.toBe(all.epoch);
  const { weights, predictions } = all.also![1]!.files;
  expect(weightsOf("all", weights)).toEqual(weightsOf("worst", "weights.safetensors"));
  expect(weightsOf("all", "weights.safetensors")).not.toEqual(weightsOf("worst", "weights.safetensors"));
  const eval1 = await jsonHere<{ groups: unknown }>(["eval", at("all", predictions)]);
  const eval2 = await jsonHere<{ groups: unknown }>(["eval", at("worst")]);
  expect(eval1.groups).toEqual(eval2.groups);
});

test("a rule that was not asked for can be asked of what was kept", async () => {
  interface Choice {
    chosen: { epoch: number };
    candidates: { epoch: number; score: number }[];
  }
  const choice = await jsonHere<Choice>(["runs", "choose", at("all"), "--select", "val-loss"]);
  const best = choice.candidates.reduce((a, b) => (b.score > a.score ? b : a));
  expect(choice.candidates.length).toBeGreaterThan(1);
  expect(choice.chosen.epoch).toBe(best.epoch);
  const history = readFileSync(at("all", "history.csv"), "utf8").trim().split("\n").slice(1);
  const losses = new Map(history.map((row) => [Number(row.split(",")[1]), Number(row.split(",")[3])]));
  // Float32 logits on disk against those in memory are the same; sums are in the same order.
  for (const { epoch, score } of choice.candidates) expect(score).toBeCloseTo(-losses.get(epoch)!, 10);
});

test("starting over leaves no file of a rule that is not asked for any more", async () => {
  const [further] = (JSON.parse(readFileSync(at("all", "results.json"), "utf8")) as RunResults).also!.slice(
    1,
  );
  expect(existsSync(at("all", further!.files.weights))).toBe(true);
  await jsonHere(run("all", "--epochs", "1", "--force"));
  expect(existsSync(at("all", further!.files.weights))).toBe(false);
});

test.each([
  [["--also-select", "val-loss"], /need a first one[\s\S]*--select/],
  [["--select", "val-loss", "--also-select", "val-worst"], /"val-worst"[\s\S]*val-worst-class/],
  [["--select", "val-loss", "--also-select", "val-worst-group:hue"], /no attribute "hue"/],
  [
    ["--select", "val-loss", "--also-select", "val-loss:color"],
    /groups have no effect on selection by val-loss/,
  ],
])("%j is refused", async (more, message) => {
  const { stderr, code } = await ranHere(run("never", ...more));
  expect(stderr).toMatch(message);
  expect(code).toBe(2);
});

test("rules in words", () => {
  expect(parseSelection("val-alpha@0.5:place, time")).toEqual({
    by: "val-alpha",
    alpha: 0.5,
    groups: ["place", "time"],
  });
  expect(() => parseSelection("val-alpha@x:place")).toThrow(/cannot read the rule/);
});
