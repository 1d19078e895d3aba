/** One workload ready to run: compiled, with state, images and labels that are the same each time. */

import { Executable } from "../dist/src/engine/executable.js";
import { State } from "../dist/src/engine/state.js";
import { initialise } from "../dist/src/engine/training/parameters.js";
import { trainingStep } from "../dist/src/engine/training/step.js";
import { workloads } from "./workloads.mjs";

export function stream() {
  let state = 12345;
  const uniform = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const normal = () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
  return { uniform, normal };
}

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
  const random = stream();
  const size = shape.reduce((a, b) => a * b, 1);
  const images = Float32Array.from({ length: size }, () => random.uniform() * 2 - 1);
  const labels = Int32Array.from({ length: shape[0] }, () => Math.floor(random.uniform() * classes));
  return {
    batch: shape[0],
    nodeCount: executable.nodeCount,
    run: (i) => executable.run({ images, labels, ...step.scalars(i, 1e-3) }, { state }),
    close: () => executable.close(),
  };
}
