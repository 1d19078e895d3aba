/** One workload ready to run: compiled, with state, images and labels that are the same each time. */

import { Executable } from "../dist/src/engine/executable.js";
import { input, matmul, max } from "../dist/src/engine/expressions.js";
import { State } from "../dist/src/engine/state.js";
import { initialise } from "../dist/src/engine/training/parameters.js";
import { trainingStep } from "../dist/src/engine/training/step.js";
import { usefulOperations, workloads } from "./workloads.mjs";

function stream() {
  let state = 12345;
  const uniform = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const normal = () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
  return { uniform, normal };
}

const uniforms = (length) => {
  const { uniform } = stream();
  const values = new Float32Array(length);
  for (let i = 0; i < length; i++) values[i] = uniform() * 2 - 1;
  return values;
};

/** `run(i)` does step i, of the same images each time or of those given. */
export async function prepare(name, threads) {
  const { loss, net, shape, classes, optimiser } = workloads[name].build();
  const step = trainingStep({
    loss,
    parameters: net.parameters.trained,
    optimiser,
    next: net.layers.updates,
  });
  const state = new State();
  initialise(net.parameters.all, state, stream);
  step.prepare(state);
  const executable = await Executable.compile(step.program, { threads });
  const values = uniforms(shape.reduce((a, b) => a * b, 1));
  // Rows of bytes, channels last, are images as they are stored.
  const images = shape.at(-1) === 3 ? Uint8Array.from(values, (value) => 127.5 * (value + 1)) : values;
  const { uniform } = stream();
  const labels = Int32Array.from({ length: shape[0] }, () => Math.floor(uniform() * classes));
  return {
    images: shape[0],
    operations: usefulOperations(loss),
    nodes: executable.nodeCount,
    kernels: executable.kernels,
    run: (i, given = images) =>
      executable.run({ images: given, labels, ...step.scalars(i, 1e-3) }, { state, random: stream }),
    close: () => executable.close(),
  };
}

/** The machine's own peak: one product of two matrices of 1024². */
export async function prepareProduct(threads) {
  const shape = [1024, 1024];
  const product = max(matmul(input("a", shape), input("b", shape)));
  const executable = await Executable.compile({ outputs: { product } }, { threads });
  const [a, b] = [uniforms(1024 ** 2), uniforms(1024 ** 2)];
  return {
    images: 1,
    operations: 2 * 1024 ** 3,
    nodes: executable.nodeCount,
    kernels: executable.kernels,
    run: () => executable.run({ a, b }),
    close: () => executable.close(),
  };
}
