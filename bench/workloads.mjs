/** The training workloads that the engine is measured on; engine_torch.py has the same. Build first. */

import * as e from "../dist/src/engine/expressions.js";
import { topologicalOrder } from "../dist/src/engine/tensor.js";
import { adam, sgd } from "../dist/src/engine/training/optimisers.js";
import { boundOf } from "../dist/src/methods/variational.js";
import { models } from "../dist/src/models/index.js";
import { Layers } from "../dist/src/models/layers.js";
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

/** The first stage of the method `vae`, as runs train it: from bytes to the bound. */
function autoencoder(title, shape) {
  const build = () => {
    const images = e.input("images", shape, "byte");
    const net = new Network(models.get("vae-encoder"), { classes: 3, mode: "train" });
    const layers = new Map();
    const own = {
      layers: (name) => {
        const found =
          layers.get(name) ??
          new Layers({ mode: "train", parameters: net.parameters, prefix: `branch/${name}/` });
        layers.set(name, found);
        return found;
      },
    };
    const random = (name, of) => e.randomNormal(name, of);
    const batch = { inputs: images };
    const config = { latent: 12, decoderWidth: 32 };
    const { reconstruction, divergence } = boundOf({ network: net, own, batch, random }, config);
    return { loss: e.mean(e.add(reconstruction, divergence)), net, shape, classes: 0, optimiser: adam() };
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
  f: network("ResNet-18 3×128×128, batch 64", "resnet18", [64, 3, 128, 128], 10),
  g: autoencoder("VAE 3×128×128, batch 64", [64, 128, 128, 3]),
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
    const products = {
      conv2d: () => size(node.shape) * size(node.inputs[1].shape.slice(1)),
      // A transposed convolution does what its input's places would be convolved from.
      conv2dInputGradient: () => size(node.inputs[0].shape) * size(node.inputs[1].shape.slice(1)),
      matmul: () => size(node.shape) * node.inputs[0].shape.at(-1),
    };
    const count = products[node.op.name]?.();
    if (count !== undefined) total += 2 * count * (deep ? 3 : 2);
    if (deep || count !== undefined) later.add(node);
  }
  return total;
}
