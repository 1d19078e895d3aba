/** Methods as methods will write them: an equation over expressions, state that it updates, gradients of gradients. */

import { expect, test } from "vitest";
import { Executable } from "../../src/engine/executable.ts";
import * as e from "../../src/engine/expressions.ts";
import { interpret } from "../../src/engine/interpret.ts";
import { State } from "../../src/engine/state.ts";
import { sgd } from "../../src/engine/training/optimisers.ts";
import { initialise } from "../../src/engine/training/parameters.ts";
import { trainingStep } from "../../src/engine/training/step.ts";
import { models } from "../../src/models/index.ts";
import { Network } from "../../src/models/model.ts";
import { testRandom } from "./helpers.ts";

const shape = [8, 12, 12, 3];
const stream = testRandom("images");
const feeds = {
  images: Uint8Array.from({ length: 8 * 12 * 12 * 3 }, () => Math.floor(stream.uniform() * 256)),
  labels: Int32Array.from([0, 1, 0, 1, 0, 1, 0, 1]),
  groups: Int32Array.from([0, 1, 0, 1, 2, 2, 0, 2]),
};

function setUp() {
  const network = new Network(models.get("small-cnn"), { classes: 2, mode: "train", options: { width: 8 } });
  const logits = network.logits(e.input("images", shape, "byte"));
  const labels = e.input("labels", [8], "int");
  const state = new State();
  initialise(network.parameters.all, state, testRandom);
  return { network, logits, labels, state };
}

test("group DRO: the weights of the groups are state, and follow the losses", async () => {
  const { network, logits, labels, state } = setUp();
  const [groups, stepSize] = [4, 0.5];
  const losses = e.crossEntropy(logits, labels);
  const groupLoss = e.meanByGroup(losses, e.input("groups", [8], "int"), groups);
  const q = e.stateInput("q", [groups]);
  const raised = e.normalise(e.mul(q, e.exp(e.mul(e.stopGradient(groupLoss), stepSize))));
  const loss = e.sum(e.mul(raised, groupLoss));
  const step = trainingStep({
    loss,
    parameters: network.parameters.trained,
    optimiser: sgd(),
    next: { q: raised },
    outputs: { groupLoss },
  });
  state.set("q", new Float32Array(groups).fill(1 / groups));
  step.prepare(state);
  const executable = await Executable.compile(step.program);
  let expected = Array.from({ length: groups }, () => 1 / groups);
  for (let i = 0; i < 3; i++) {
    const result = await executable.run({ ...feeds, ...step.scalars(i, 0.05) }, { state });
    const weights = expected.map((value, k) => value * Math.exp(stepSize * result.groupLoss![k]!));
    const total = weights.reduce((a, b) => a + b);
    expected = weights.map((value) => value / total);
    // Float32 against float64 over three steps.
    for (const [k, value] of expected.entries())
      expect(Math.abs(state.get("q")[k]! - value)).toBeLessThan(1e-6);
  }
  await executable.close();
  expect(state.get("q")[3]).toBeLessThan(0.25);
});

test("IRMv1 through a convolutional network: the runtime agrees with the interpreter on second-order gradients", async () => {
  const { network, logits, labels, state } = setUp();
  const scale = e.scalar(1);
  const risk = e.mean(e.crossEntropy(e.mul(logits, scale), labels));
  const [slope] = e.grad(risk, [scale]);
  const loss = e.add(risk, e.mul(e.square(slope!), 10));
  const parameters = network.parameters.trained;
  const gradients = e.grad(
    loss,
    parameters.map(({ tensor }) => tensor),
  );
  const executable = await Executable.compile({
    outputs: { loss, ...Object.fromEntries(parameters.map(({ name }, i) => [name, gradients[i]!])) },
  });
  const actual = await executable.run(feeds, { state });
  await executable.close();
  const values = Object.fromEntries(state.names.map((name) => [name, state.get(name)]));
  const [expectedLoss, ...expected] = interpret([loss, ...gradients], { ...feeds, ...values });
  expect(actual.loss![0]).toBeCloseTo(expectedLoss![0]!, 5);
  for (const [i, { name }] of parameters.entries()) {
    const largest = Math.max(...expected[i]!.map(Math.abs));
    // Float32 through four layers, forward and twice backward.
    for (const [k, value] of expected[i]!.entries())
      expect(Math.abs(actual[name]![k]! - value)).toBeLessThan(2e-4 * largest);
  }
});
