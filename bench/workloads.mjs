/** The training workloads that the engine is measured on; engine_torch.py has the same. Build first. */

import * as e from "../dist/src/engine/expressions.js";
import { topologicalOrder } from "../dist/src/engine/tensor.js";
import { adam, sgd } from "../dist/src/engine/training/optimisers.js";
import { models } from "../dist/src/models/index.js";
import { Network } from "../dist/src/models/model.js";

function network(title, model, shape, classes) {
  const build = () => {
    const images = e.input("images", shape);
    const labels = e.input("labels", [shape[0]], "int");
    const net = new Network(models.get(model), { classes, mode: "train" });
    const loss = e.mean(e.crossEntropy(net.logits(images), labels));
    return { loss, net, shape, classes, optimiser: adam() };
  };
  return { title, build, maps: true };
}

function lastLayer(title, samples) {
  const build = () => {
    const shape = [samples, 512];
    const features = e.input("images", shape);
    const labels = e.input("labels", [samples], "int");
    const net = new Network(models.get("logistic-regression"), { classes: 10, mode: "train" });
    const loss = e.mean(e.crossEntropy(net.head(features), labels));
    return { loss, net, shape, classes: 10, optimiser: sgd() };
  };
  return { title, build, maps: false };
}

/** `maps`: whether there are images, which PyTorch can lay out in two ways. */
export const workloads = {
  a: network("ConvNet of Salaudeen et al. 2×28×28, batch 64", "mnist-convnet", [64, 2, 28, 28], 2),
  b: network("strided CNN 3×80×80, batch 128", "small-cnn", [128, 3, 80, 80], 10),
  c: network("ResNet-18 3×64×64, batch 32", "resnet18", [32, 3, 64, 64], 10),
  d: lastLayer("last layer 10,000×512, full batch", 10_000),
  e: network("Biased MNIST CNN 3×96×96, batch 128", "biased-mnist-cnn", [128, 3, 96, 96], 10),
};

/**
 * Multiplications and additions that a step cannot do without: every convolution and product forward, for its weights
 * and, unless it is the first, for its input.
 */
export function usefulOperations(loss) {
  const size = (shape) => shape.reduce((a, b) => a * b, 1);
  const later = new Set();
  let total = 0;
  for (const node of topologicalOrder([loss])) {
    const deep = node.inputs.some((input) => later.has(input));
    const inner = {
      conv2d: () => size(node.inputs[1].shape.slice(1)),
      matmul: () => node.inputs[0].shape.at(-1),
    };
    const depth = inner[node.op.name]?.();
    if (depth !== undefined) total += 2 * size(node.shape) * depth * (deep ? 3 : 2);
    if (deep || depth !== undefined) later.add(node);
  }
  return total;
}
