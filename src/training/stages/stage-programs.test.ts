import { expect, test } from "vitest";
import type { Dataset } from "../../core/dataset.ts";
import { emitProgram } from "../../engine/program.ts";
import { type RunSpecInput, resolveSpec } from "../run-spec.ts";
import { buildFirstStage } from "./first-stage.ts";
import { ratesOf } from "./stage-rates.ts";

const dataset = {
  images: { shape: { height: 2, width: 2, channels: 1 } },
  classNames: ["a", "b"],
  labels: Uint16Array.of(0, 1),
  attributes: {},
  splits: { names: ["train"], values: Uint8Array.of(0, 0) },
} as unknown as Dataset;

/** Rates of ten epochs of ten steps, at the given steps. */
function rates(schedule: RunSpecInput["schedule"], ...steps: number[]): number[] {
  const spec = resolveSpec({
    data: { identity: "test" },
    model: { name: "logistic-regression" },
    method: { name: "erm" },
    optimiser: { rate: 1 },
    schedule,
  });
  const plan = { length: { steps: 100, epochs: 10 }, stepsPerEpoch: 10, isMain: true };
  const rate = ratesOf(spec.optimiser, spec, plan);
  return steps.map((step) => Number(rate(step).toFixed(6)));
}

test("milestones are epochs of the run, with a warm-up or without", () => {
  const step = { name: "step" as const, milestones: [5] };
  expect(rates(step, 0, 49, 50)).toEqual([1, 1, 0.1]);
  expect(rates({ ...step, warmUpSteps: 20 }, 0, 19, 20, 49, 50)).toEqual([0.05, 1, 1, 1, 0.1]);
  expect(rates({ ...step, warmUpSteps: 80 }, 49, 50, 79, 80)).toEqual([0.625, 0.06375, 0.1, 0.1]);
});

test("the cosine begins where the warm-up ends, and ends with the run", () => {
  expect(rates({ name: "cosine", warmUpSteps: 20 }, 9, 19, 20, 60, 100)).toEqual([0.5, 1, 1, 0.5, 0]);
});

test("a warm-up as long as the run, and settings without effect, are refused", () => {
  expect(rates({ warmUpSteps: 99 }, 98)).toEqual([1]);
  expect(() => rates({ warmUpSteps: 100 })).toThrow(/warm-up would never end[\s\S]*100 steps/);
  expect(() => rates({ milestones: [3] })).toThrow(/--schedule step/);
  expect(() => rates({ name: "step" })).toThrow(/--milestones/);
});

test("threads do not depend on the machine", () => {
  const spec = resolveSpec({ data: { identity: "" }, model: { name: "mlp" }, method: { name: "erm" } });
  expect([spec.threads, spec.device]).toEqual([2, "cpu"]);
});

test("a method's second network begins with the same given weights, rests where the first does, and is not kept", () => {
  const spec = resolveSpec({
    data: { identity: "test" },
    model: { name: "mlp", options: { width: 3, depth: 1 } },
    method: { name: "lff" },
    freeze: ["backbone"],
  });
  const given = new Map([["hidden.0.bias", Float32Array.of(1, 2, 3)]]);
  const options = { pixels: { mean: [0], deviation: [1] }, weights: given };
  const { state, weights, passes } = buildFirstStage(spec, dataset, options);
  expect([...state.get("branch/biased/hidden.0.bias")]).toEqual([1, 2, 3]);
  expect(state.get("branch/biased/head.bias")).not.toEqual(state.get("head.bias"));
  expect(weights).toEqual(["hidden.0.weight", "hidden.0.bias", "head.weight", "head.bias"]);
  const moved = Object.keys(passes[0]!.program.next!).filter((name) => /weight|bias$/.test(name));
  expect(moved.filter((name) => name.includes("hidden"))).toEqual([]);
  expect(moved).toEqual(expect.arrayContaining(["head.weight", "branch/biased/head.weight"]));
});

test("frozen layers cost no gradient: the step is the forward pass and the head", () => {
  const images = { shape: { height: 16, width: 16, channels: 3 } };
  const pixels = { mean: [0, 0, 0], deviation: [1, 1, 1] };
  const build = (freeze?: string[]) => {
    const spec = resolveSpec({
      data: { identity: "test" },
      model: { name: "resnet18", options: { stem: "small", width: 8, blocks: "1,1,1,1" } },
      method: { name: "erm" },
      optimiser: { name: "sgd" },
      ...(freeze && { freeze }),
    });
    return buildFirstStage(spec, { ...dataset, images } as unknown as Dataset, { pixels });
  };
  const frozen = build(["backbone"]);
  expect(Object.keys(frozen.passes[0]!.program.next!).toSorted()).toEqual([
    "fc.bias",
    "fc.weight",
    "momentum/fc.bias",
    "momentum/fc.weight",
  ]);
  const nodes = (programs: ReturnType<typeof build>) => emitProgram(programs.passes[0]!.program).nodeCount;
  expect(nodes(frozen)).toBeLessThan(emitProgram(frozen.evaluate).nodeCount + 40);
  expect(nodes(build())).toBeGreaterThan(3 * nodes(frozen));
});
