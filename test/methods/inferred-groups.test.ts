/** What methods infer of their training images: oriented without labels of cues, kept through stages, in a run's results. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { handful } from "../../src/contracts/handful.ts";
import { smallRun } from "../../src/contracts/small-run.ts";
import { randomStream } from "../../src/core/random.ts";
import type { Known, Made, Stage } from "../../src/methods/index.ts";
import { methods } from "../../src/methods/index.ts";
import { inferEnvironments, towardsWorse } from "../../src/methods/infer-environments.ts";
import { temporaryFolder } from "../helpers/files.ts";

const root = temporaryFolder();

const words = (name: string, settings: Record<string, unknown>) => ({
  data: { name: "colored-mnist", identity: "inferred" },
  model: { name: "mlp", options: { width: 8 } },
  method: { name, settings },
  optimiser: { rate: 0.01 },
  batchSize: 8,
  epochs: 2,
  seed: 3,
  threads: 1,
});

describe("in a run's results", () => {
  test.each([
    ["jtt", { upweight: 3 }, ["retrain.margin"]],
    ["lff", {}, ["train.weight"]],
    ["eiil", { inferenceSteps: 50 }, ["invariant.environment"]],
    ["debian", {}, ["train.worse"]],
    ["lfmf", {}, ["train.weight", "train.first", "train.second"]],
  ])("%s", async (name, settings, expected) => {
    const dataset = await handful({});
    const out = join(root, name);
    const { inferred = [] } = (await smallRun(words(name, settings), { out, dataset }))!;
    expect(inferred.map((one) => `${one.stage}.${one.name}`)).toEqual(expected);
    for (const { cues, images } of inferred) {
      expect(images).toBe(16);
      expect(cues.map(({ cue, minority }) => [cue, minority])).toEqual([["color", 8]]);
    }
    const stored = JSON.parse(readFileSync(join(out, "results.json"), "utf8")) as { inferred: unknown };
    expect(stored.inferred).toEqual(inferred);
  });

  test("erm infers nothing, and its results have no such part", async () => {
    const results = await smallRun(words("erm", {}), { out: join(root, "erm"), dataset: await handful({}) });
    expect(Object.keys(results!)).not.toContain("inferred");
  });

  test("a stage that another run has left tells the same", async () => {
    const dataset = await handful({});
    const stages = join(root, "shared");
    const phases: string[] = [];
    const run = (out: string) =>
      smallRun(words("lff", {}), {
        out: join(root, out),
        dataset,
        stages,
        hooks: { onPhase: (phase) => void phases.push(phase) },
      });
    const first = await run("lff-one");
    const second = await run("lff-two");
    expect(phases).toContain("stage 1: train, as another run has left it");
    expect(second!.inferred).toEqual(first!.inferred);
  });
});

describe("eiil", () => {
  test("the split goes by the sign of the slope, and towards the side with the larger loss", () => {
    const slopes = Float64Array.of(-1, -2, 3, -1, -3, 2, -1, 4);
    const labels = Int32Array.of(0, 0, 0, 0, 1, 1, 1, 1);
    const assigned = inferEnvironments(slopes, labels, 2, {
      steps: 2000,
      rate: 0.01,
      random: randomStream(1, "test").at(0),
    });
    for (const label of [0, 1]) {
      const own = [...slopes.keys()].filter((i) => labels[i] === label);
      const sides = own.map((i) => Math.sign(assigned[i]!) * Math.sign(slopes[i]!));
      expect(new Set(sides).size).toBe(1);
    }
    // Images that scaling up would harm have the larger loss, whatever the first numbers were.
    const losses = Float32Array.from(slopes, (slope) => (slope > 0 ? 2 : 0.1));
    const turned = towardsWorse(assigned, losses, labels, 2);
    expect([...turned].map((value) => value > 0)).toEqual([...slopes].map((slope) => slope > 0));
  });

  test("one environment only is an error that says what to change", () => {
    const eiil = methods.get("eiil");
    const labels = Int32Array.of(0, 1, 0, 1);
    const known = {
      config: eiil.settings.parse({ inferenceSteps: 3000, inferenceRate: 0.01 }),
      classes: 2,
      epochs: 1,
      labels: () => labels,
      random: () => randomStream(0, "one").at(0),
    } as unknown as Known<Record<string, unknown>>;
    const stages = eiil.stages(known);
    stages.next();
    // All told right, and equally sure: every slope has one sign.
    const logits = Float32Array.from([...labels].flatMap((label) => (label === 0 ? [2, -2] : [-2, 2])));
    const none = new Float32Array(0);
    const outputs = [{ logits, features: none, losses: Float32Array.of(0.01, 0.01, 0.01, 0.01) }];
    const made: Made = { weights: new Map(), parameter: () => none, outputs };
    expect(() => stages.next(made)).toThrow(/finds one environment only[\s\S]*fewer epochs/);
  });
});

test("irm-v1 by cues has the told values alone as environments", () => {
  const method = methods.get("irm-v1");
  const codes = Int32Array.of(0, 1, 0, 1);
  const stageOf = (environmentsBy: string) =>
    method
      .stages({
        config: method.settings.parse({ environmentsBy }),
        bias: () => ({ codes, sizes: [2, 2] }),
      } as unknown as Known<Record<string, unknown>>)
      .next().value as Stage;
  expect(stageOf("cues").groups).toEqual({ codes, count: 2 });
  expect(stageOf("groups").groups).toBeUndefined();
});
