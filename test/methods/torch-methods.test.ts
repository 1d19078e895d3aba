/** Every method's losses and weights over five steps against PyTorch, groups missing from batches included. */

import { expect, test } from "vitest";
import type { Dataset } from "../../src/core/dataset.ts";
import type { Random } from "../../src/core/random.ts";
import { Executable } from "../../src/engine/executable.ts";
import { State } from "../../src/engine/state.ts";
import { methods, type Stage, supervisionOf } from "../../src/methods/index.ts";
import { inferEnvironments, scaleSlopes } from "../../src/methods/infer-environments.ts";
import { resolveSpec } from "../../src/training/run-spec.ts";
import { buildFirstStage } from "../../src/training/stages/first-stage.ts";
import { MethodData } from "../../src/training/stages/method-data.ts";
import { hashUniform } from "../helpers/hash-uniform.ts";
import { storedReference } from "../helpers/reference.ts";

interface Reference {
  losses: number[];
  weights: Record<string, number[]>;
  q?: number[];
  /** What the model says of the first images with its first weights, where that is not the network's logits. */
  predicted?: number[];
}

/** Made by torch_methods.py, whose header says how. */
const references = storedReference<Record<string, Reference>>("torch_methods");

const [inputs, count, batchSize] = [12, 24, 8];

const integers = (salt: number, below: number) =>
  Uint16Array.from(hashUniform(count, salt), (value) => value * below);

const pixels = Uint8Array.from(hashUniform(count * inputs, 600), (value) => value * 256);
const attribute = (salt: number, values: number) => ({
  values: integers(salt, values),
  valueNames: Array.from({ length: values }, String),
  role: "cue" as const,
});
const dataset = {
  images: { count, shape: { height: 1, width: inputs, channels: 1 } },
  labels: integers(1, 3),
  classNames: ["a", "b", "c"],
  attributes: { first: attribute(2, 2), second: attribute(3, 3) },
  splits: { names: ["train"], values: new Uint8Array(count) },
} as unknown as Dataset;

/** Salts of the first values, in the order in which the reference draws them. */
const salts: Record<string, number> = {
  "hidden.0.weight": 10,
  "hidden.0.bias": 11,
  "head.weight": 12,
  "head.bias": 13,
  "branch/biased/hidden.0.weight": 50,
  "branch/biased/hidden.0.bias": 51,
  "branch/biased/head.weight": 52,
  "branch/biased/head.bias": 53,
  "branch/heads.weight": 60,
  "branch/heads.bias": 61,
  "branch/head-original.weight": 70,
  "branch/head-original.bias": 71,
  "branch/head-background-swap.weight": 72,
  "branch/head-background-swap.bias": 73,
  "branch/head-co-object-swap.weight": 74,
  "branch/head-co-object-swap.bias": 75,
  "branch/shift.weight": 80,
  "branch/shift.bias": 81,
  "branch/discoverer/hidden.0.weight": 50,
  "branch/discoverer/hidden.0.bias": 51,
  "branch/split.weight": 90,
  "branch/split.bias": 91,
  "branch/first/hidden.0.weight": 50,
  "branch/first/hidden.0.bias": 51,
  "branch/first/head.weight": 52,
  "branch/first/head.bias": 53,
  "branch/second/hidden.0.weight": 54,
  "branch/second/hidden.0.bias": 55,
  "branch/second/head.weight": 56,
  "branch/second/head.bias": 57,
};
/** Two views of all images, which the reference draws by these salts. */
const views = [601, 602].map((salt) =>
  Uint8Array.from(hashUniform(count * inputs, salt), (value) => value * 256),
);
const branchSalts: Record<string, [number, number]> = { rubi: [30, 31], lnl: [40, 41] };

const byClass = { decay: [0.3, 1, 0.1], shift: [0.5, -0.2, 1] };
const cases: [string, string, Record<string, unknown>][] = [
  ["group-upweighting", "group-upweighting", {}],
  ["group-dro", "group-dro", { stepSize: 0.5 }],
  ["rubi", "rubi", {}],
  ["lnl", "lnl", { gradientScale: -0.3, entropyWeight: 0.2 }],
  ["irm-v1", "irm-v1", { penaltyWeight: 2, environments: 2 }],
  ["lff", "lff", { amplification: 0.5 }],
  ["spectral-decoupling", "spectral-decoupling", { decay: 0.1, shift: 0.2 }],
  ["spectral-decoupling, by class", "spectral-decoupling", { ...byClass, form: "true-class" }],
  ["spectral-decoupling, mean", "spectral-decoupling", { ...byClass, form: "mean-square" }],
  ["domain-independent", "domain-independent", {}],
  ["last-layer-ensemble", "last-layer-ensemble", {}],
  ["last-layer-ensemble, gradient", "last-layer-ensemble", { stopGradient: false }],
  ["last-layer-ensemble, frozen", "last-layer-ensemble", { freeze: true }],
  ["last-layer-ensemble, one head", "last-layer-ensemble", { ensemble: false }],
  ["last-layer-ensemble, consistency", "last-layer-ensemble", { ensemble: false, consistency: "js" }],
  ["last-layer-ensemble, no shift", "last-layer-ensemble", { shift: false }],
  ["augmix", "augmix", {}],
  ["cf-f", "cf-f", { counterfactualWeight: 0.5, factualWeight: 2 }],
  ["debian", "debian", { balance: 0.7 }],
  ["debian, linear", "debian", { balance: 0.7, discoverer: "linear" }],
  ["lfmf", "lfmf", {}],
  ["lfmf, failures", "lfmf", { combine: "largest", second: "failures" }],
];

test.each(cases)("%s does to the weights what PyTorch says", async (name, method, settings) => {
  const { losses, weights, q, predicted } = references[name]!;
  const explicit = supervisionOf(methods.get(method), {}).groups !== undefined;
  const spec = resolveSpec({
    data: { identity: "test" },
    model: { name: "mlp", options: { width: 6, depth: 1 } },
    method: { name: method, settings, ...(explicit ? { explicit: ["first", "second"] } : {}) },
    optimiser: { rate: 0.05, weightDecay: 1e-3 },
    batchSize,
  });
  const standard = { mean: [0], deviation: [1] };
  const built = buildFirstStage(spec, dataset, { pixels: standard });
  const { passes, batches, state } = built;
  const [weightSalt, biasSalt] = branchSalts[method] ?? [];
  const all = { ...salts, "branch/bias.weight": weightSalt, "branch/bias.bias": biasSalt };
  for (const key of Object.keys(weights)) {
    const first = hashUniform(state.get(key).length, all[key as keyof typeof all]!);
    state.set(
      key,
      first.map((value) => value * 2 - 1),
    );
  }
  // Float32 against float64, over five steps of Adam that move a weight by 0.05 each.
  const off = (actual: ArrayLike<number>, expected: readonly number[]) =>
    expected.map((value, i) => Math.abs(actual[i]! - value) / Math.max(1, Math.abs(value)));
  if (predicted !== undefined) {
    const said = await predictedBy(built, pixels.subarray(0, batchSize * inputs));
    expect(said).toHaveLength(predicted.length);
    expect(Math.max(...off(said, predicted))).toBeLessThan(1e-5);
  }
  const executables = await Promise.all(
    passes.map(({ program }) => Executable.compile(program, { threads: 1 })),
  );
  const found: number[] = [];
  for (let step = 0; step < 5; step++) {
    const places = Uint32Array.from({ length: batchSize }, (_, i) => (5 * step + 7 * i) % count);
    const taken = (all: Uint8Array) =>
      Uint8Array.from(
        { length: batchSize * inputs },
        (_, i) => all[places[Math.floor(i / inputs)]! * inputs + (i % inputs)]!,
      );
    const seen = Object.keys(built.stage.views ?? {}).map((name, k) => [`view/${name}`, taken(views[k]!)]);
    const images = taken(pixels);
    const fed = { ...batches[0]!.feeds(places), ...(Object.fromEntries(seen) as Record<string, Uint8Array>) };
    for (const [i, pass] of passes.entries()) {
      const scalars = pass.scalars(step);
      const { loss } = await executables[i]!.run({ images, ...fed, ...scalars }, { state });
      found.push(loss![0]!);
    }
  }
  for (const executable of executables) await executable.close();
  expect(found).toHaveLength(losses.length);
  expect(Math.max(...off(found, losses))).toBeLessThan(1e-5);
  for (const [key, expected] of Object.entries(weights)) {
    expect(state.get(key)).toHaveLength(expected.length);
    expect(Math.max(...off(state.get(key), expected)), key).toBeLessThan(1e-5);
  }
  if (q !== undefined) expect(Math.max(...off(state.get("method/q"), q))).toBeLessThan(1e-6);
});

/** What the run's model says with the weights that are there. */
async function predictedBy(
  { evaluate, weights, state }: ReturnType<typeof buildFirstStage>,
  images: Uint8Array,
) {
  const executable = await Executable.compile(evaluate, { threads: 1 });
  const kept = new State();
  for (const key of weights) kept.set(key, state.get(key));
  const { logits } = await executable.run({ images }, { state: kept });
  await executable.close();
  return logits!;
}

test("jtt repeats the images that PyTorch's first network tells wrong", async () => {
  const { places } = references.jtt as unknown as { places: number[] };
  const [epochs, upweight] = [5, 3];
  const spec = resolveSpec({
    data: { identity: "test" },
    model: { name: "mlp", options: { width: 6, depth: 1 } },
    method: { name: "jtt", settings: { epochs, upweight } },
    optimiser: { rate: 0.05, weightDecay: 1e-3 },
    batchSize: count,
  });
  const built = buildFirstStage(spec, dataset, { pixels: { mean: [0], deviation: [1] } });
  const { passes, batches, state, plan, weights } = built;
  expect(plan.length).toEqual({ steps: epochs, epochs });
  for (const key of weights)
    state.set(
      key,
      hashUniform(state.get(key).length, salts[key]!).map((value) => value * 2 - 1),
    );
  const executable = await Executable.compile(passes[0]!.program, { threads: 1 });
  const all = Uint32Array.from({ length: count }, (_, i) => i);
  for (let step = 0; step < epochs; step++)
    await executable.run(
      { images: pixels, ...batches[0]!.feeds(all), ...passes[0]!.scalars(step) },
      { state },
    );
  await executable.close();
  const method = methods.get("jtt");
  const data = new MethodData(method, spec, dataset);
  const stages = method.stages(data.known(1));
  stages.next();
  const none = new Float32Array(0);
  const logits = await predictedBy(built, pixels);
  const outputs = [{ logits: Float32Array.from(logits), features: none, losses: none }];
  const { from } = stages.next({ weights: new Map(), parameter: () => none, outputs }).value as Stage;
  expect([...(from as { places: Uint32Array }).places]).toEqual(places);
  expect(places.length).toBeGreaterThan(count);
});

test("eiil's environments are those that PyTorch's Adam finds by autograd along a scale", () => {
  const { assigned } = references.eiil as unknown as { assigned: number[] };
  const logits = Float32Array.from(hashUniform(count * 3, 700), (value) => Math.fround(value) * 6 - 3);
  const labels = Int32Array.from(dataset.labels);
  const first = hashUniform(count, 701).values();
  const random = { normal: () => first.next().value! * 2 - 1 } as Random;
  const found = inferEnvironments(scaleSlopes(logits, labels, 3), labels, 3, {
    steps: 300,
    rate: 0.02,
    random,
  });
  // Logits are float32 here; the rest is float64 in both.
  expect(Math.max(...assigned.map((value, i) => Math.abs(value - found[i]!)))).toBeLessThan(1e-5);
  // It went somewhere: 300 steps of 0.02 from values below 1.
  expect(Math.max(...assigned.map(Math.abs))).toBeGreaterThan(2);
});
