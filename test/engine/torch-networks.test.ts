/** Whole networks against PyTorch: logits, first gradients, five-step loss curves, running statistics. */

import { describe, expect, test } from "vitest";
import { Executable } from "../../src/engine/executable.ts";
import { crossEntropy, grad, input, mean, type Tensor } from "../../src/engine/expressions.ts";
import { interpret } from "../../src/engine/interpret.ts";
import { sizeOf } from "../../src/engine/shapes.ts";
import { State } from "../../src/engine/state.ts";
import { adam, adamw, type Optimiser, sgd } from "../../src/engine/training/optimisers.ts";
import { cosineSchedule, type Schedule } from "../../src/engine/training/schedules.ts";
import { trainingStep } from "../../src/engine/training/step.ts";
import { models } from "../../src/models/index.ts";
import { type ModelOptions, Network } from "../../src/models/model.ts";
import { hashUniform } from "../helpers/hash-uniform.ts";
import { storedReference } from "../helpers/reference.ts";

/** Made by torch_networks.py and torch_zoo.py, whose headers say how. */
const references = {
  ...storedReference<Record<string, Reference>>("torch_networks"),
  ...storedReference<Record<string, Reference>>("torch_zoo"),
};

interface Summary {
  norm: number;
  probe: number;
  first: number[];
}

interface Reference {
  logits: number[];
  gradients: Record<string, Summary>;
  losses: number[];
  statistics: Record<string, Summary>;
  evaluationLogits: number[];
}

interface Case {
  name: string;
  /** Where it is not the network's own name. */
  reference?: string;
  shape: number[];
  scale: number;
  classes: number;
  rate: number;
  optimiser: Optimiser;
  options?: ModelOptions;
  schedule?: Schedule;
  clipNorm?: number;
}

const cases: Case[] = [
  { name: "logistic-regression", shape: [6, 3, 4, 4], scale: 1, classes: 3, rate: 0.1, optimiser: sgd() },
  {
    name: "mlp",
    shape: [6, 3, 4, 4],
    scale: 1,
    classes: 3,
    rate: 0.01,
    optimiser: adamw({ weightDecay: 0.05 }),
    options: { width: 32 },
    schedule: cosineSchedule(5),
  },
  { name: "mnist-convnet", shape: [4, 2, 8, 8], scale: 1, classes: 2, rate: 1e-3, optimiser: adam() },
  {
    name: "biased-mnist-cnn",
    shape: [4, 3, 16, 16],
    scale: 255,
    classes: 10,
    rate: 1e-3,
    optimiser: adam({ weightDecay: 0.01 }),
  },
  {
    name: "small-cnn",
    shape: [5, 3, 16, 16],
    scale: 1,
    classes: 4,
    rate: 0.05,
    optimiser: sgd({ momentum: 0.9, nesterov: true, weightDecay: 5e-4 }),
    options: { width: 8 },
    clipNorm: 0.5,
  },
  {
    name: "vae-encoder",
    shape: [4, 3, 32, 32],
    scale: 1,
    classes: 4,
    rate: 1e-3,
    optimiser: adam(),
    options: { width: 4, dense: 8 },
  },
  {
    name: "resnet18",
    shape: [4, 3, 64, 64],
    scale: 1,
    classes: 5,
    rate: 0.01,
    optimiser: sgd({ momentum: 0.9 }),
  },
  reduced("resnet18", [4, 3, 16, 16], "small", { width: 8, blocks: "1,2,1,1" }),
  reduced("resnet50", [4, 3, 16, 16], "small", { width: 8, blocks: "1,1,1,1" }),
  reduced("resnet50", [4, 3, 48, 40], "imagenet", { width: 4, blocks: "1,2,1,1" }),
  reduced("wide-resnet50-2", [4, 3, 16, 16], "small", { width: 4, blocks: "1,1,1,1" }),
  reduced("alexnet", [4, 3, 30, 16], "small", { width: 8, dropout: 0 }),
  reduced("alexnet", [2, 3, 95, 63], "imagenet", { width: 4, dropout: 0 }),
  reduced("densenet121", [4, 3, 16, 16], "small", { width: 4, blocks: "2,2,2,2" }),
  reduced("densenet161", [4, 3, 40, 48], "imagenet", { width: 4, blocks: "1,2,1,1" }),
  reduced("convnext-tiny", [4, 3, 16, 16], "small", { width: 8, blocks: "1,1,1,1" }),
  reduced("convnext-tiny", [3, 3, 40, 32], "imagenet", { width: 4, blocks: "1,1,2,1" }),
  reduced("vit-tiny", [4, 3, 16, 24], undefined, { patch: 4, width: 16, depth: 2, heads: 2 }),
];

/** A case of torch_zoo.py. */
function reduced(name: string, shape: number[], stem: string | undefined, options: ModelOptions): Case {
  return {
    name,
    reference: stem === undefined ? name : `${name} ${stem}`,
    shape,
    scale: 1,
    classes: 4,
    rate: 0.01,
    optimiser: sgd({ momentum: 0.9 }),
    options: stem === undefined ? options : { stem, ...options },
  };
}

const titled = cases.map((item) => ({ ...item, title: item.reference ?? item.name }));

function firstValues(name: string, shape: readonly number[], salt: number): Float32Array {
  const count = sizeOf(shape);
  const uniform = hashUniform(count, salt + 1).map((value) => value * 2 - 1);
  const bound = Math.sqrt(6 / (count / shape[0]!));
  if (shape.length > 1) return Float32Array.from(uniform, (value) => value * bound);
  return Float32Array.from(uniform, (value) => value * 0.2 + (name.endsWith("weight") ? 1 : 0));
}

function setUp({ name, shape, scale, classes, options = {} }: Case) {
  const network = new Network(models.get(name), { classes, mode: "train", options });
  const images = input("images", shape);
  const labels = input("labels", [shape[0]!], "int");
  const logits = network.logits(images);
  const loss = mean(crossEntropy(logits, labels));
  // Python sorts names by character, as JavaScript does.
  const trained = [...network.parameters.trained].sort((a, b) => (a.name < b.name ? -1 : 1));
  const state = new State();
  for (const { name: key, tensor, initial } of network.parameters.all) {
    state.set(key, initial(tensor.shape, { uniform: () => 0, normal: () => 0 }));
  }
  for (const [salt, { name: key, tensor }] of trained.entries())
    state.set(key, firstValues(key, tensor.shape, salt));
  const feeds = {
    images: Float32Array.from(
      hashUniform(sizeOf(shape), 600),
      (value) => (Math.floor(value * 256) / 255) * scale,
    ),
    labels: Int32Array.from(hashUniform(shape[0]!, 501), (value) => Math.floor(value * classes)),
  };
  const gradients = grad(
    loss,
    trained.map(({ tensor }) => tensor),
  );
  return { network, images, logits, loss, trained, state, feeds, gradients };
}

function expectSummary(
  values: ArrayLike<number>,
  expected: Summary,
  salt: number,
  tolerance: number,
  what: string,
): void {
  const probe = hashUniform(values.length, salt + 1000);
  let [squares, product] = [0, 0];
  for (let i = 0; i < values.length; i++) {
    squares += values[i]! ** 2;
    product += values[i]! * (probe[i]! * 2 - 1);
  }
  const limit = tolerance * Math.max(expected.norm, 1e-6);
  expect(Math.abs(Math.sqrt(squares) - expected.norm), `norm of ${what}`).toBeLessThan(limit);
  expect(Math.abs(product - expected.probe), `projection of ${what}`).toBeLessThan(limit);
  for (const [i, value] of expected.first.entries()) {
    expect(Math.abs(values[i]! - value), `${what}[${i}]`).toBeLessThan(limit);
  }
}

function expectNear(
  actual: ArrayLike<number>,
  expected: readonly number[],
  tolerance: number,
  what: string,
): void {
  for (const [i, value] of expected.entries()) {
    expect(
      Math.abs(actual[i]! - value) / Math.max(1, Math.abs(value)),
      `${what}[${i}]: ${actual[i]}, ${value}`,
    ).toBeLessThan(tolerance);
  }
}

describe("in float64, with the interpreter", () => {
  // Both sides compute in float64; the sums of some thousand products keep eleven digits. The full ResNet-18 would take minutes.
  test.each(titled.filter(({ title }) => title !== "resnet18"))("$title", (item) => {
    const reference = references[item.title]!;
    const { logits, loss, trained, state, feeds, gradients } = setUp(item);
    const values = Object.fromEntries(state.names.map((name) => [name, state.get(name)]));
    const [actualLogits, actualLoss, ...actual] = interpret([logits, loss, ...gradients], {
      ...feeds,
      ...values,
    });
    expectNear(actualLogits!, reference.logits, 1e-10, "logits");
    expectNear(actualLoss!, reference.losses.slice(0, 1), 1e-10, "loss");
    for (const [i, { name }] of trained.entries()) {
      expectSummary(actual[i]!, reference.gradients[name]!, i, 1e-9, name);
    }
  });
});

describe("in float32, with the runtime", () => {
  test.each(titled)("$title", async (item) => {
    const reference = references[item.title]!;
    const { network, images, logits, loss, trained, state, feeds, gradients } = setUp(item);
    const { optimiser, clipNorm, schedule = () => 1 } = item;

    const first: Record<string, Tensor> = Object.fromEntries(
      trained.map(({ name }, i) => [name, gradients[i]!]),
    );
    const inspect = await Executable.compile({ outputs: { logits, ...first } });
    const start = await inspect.run(feeds, { state });
    await inspect.close();
    // Observed: 7e-6 at most, as with PyTorch in float32. One ReLU gate that rounding flips adds up to 2e-3.
    expectNear(start.logits!, reference.logits, 1e-4, "logits");
    for (const [i, { name }] of trained.entries()) {
      expectSummary(start[name]!, reference.gradients[name]!, i, 5e-3, name);
    }

    const next = network.layers.updates;
    const clip = clipNorm === undefined ? {} : { clipNorm };
    const step = trainingStep({ loss, parameters: trained, optimiser, next, ...clip });
    step.prepare(state);
    const train = await Executable.compile(step.program);
    const losses: number[] = [];
    for (let i = 0; i < 5; i++) {
      const result = await train.run({ ...feeds, ...step.scalars(i, item.rate * schedule(i)) }, { state });
      losses.push(result.loss![0]!);
    }
    await train.close();
    // Each step multiplies the error of the one before it, most where the loss jumps.
    expectNear(losses, reference.losses, 2e-3, "losses");
    for (const [name, summary] of Object.entries(reference.statistics)) {
      expectSummary(state.get(name), summary, 0, 5e-3, name);
    }

    const { classes, options = {} } = item;
    const evaluation = new Network(models.get(item.name), {
      classes,
      options,
      mode: "evaluate",
      parameters: network.parameters,
    });
    const evaluate = await Executable.compile(
      { outputs: { logits: evaluation.logits(images) } },
      { threads: 2 },
    );
    const result = await evaluate.run(feeds, { state });
    await evaluate.close();
    expectNear(result.logits!, reference.evaluationLogits, 5e-3, "evaluation logits");
  });
});
