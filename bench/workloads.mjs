/** The four training workloads that the engine is measured on. Run `npx tsc -p tsconfig.build.json` first. */

import * as e from "../dist/src/engine/expressions.js";
import { adam, sgd } from "../dist/src/engine/training/optimisers.js";
import { models } from "../dist/src/models/index.js";
import { Network } from "../dist/src/models/model.js";

function network(model, shape, classes) {
  return () => {
    const images = e.input("images", shape);
    const labels = e.input("labels", [shape[0]], "int");
    const net = new Network(models.get(model), { classes, mode: "train" });
    const loss = e.mean(e.crossEntropy(net.logits(images), labels));
    return { loss, net, shape, classes, optimiser: adam() };
  };
}

export const workloads = {
  a: { title: "seed 004 ConvNet 2×28×28, batch 64", build: network("mnist-convnet", [64, 2, 28, 28], 2) },
  b: { title: "strided CNN 3×80×80, batch 128", build: network("small-cnn", [128, 3, 80, 80], 10) },
  c: { title: "ResNet-18 3×64×64, batch 32", build: network("resnet18", [32, 3, 64, 64], 10) },
  e: {
    title: "Biased MNIST CNN 3×96×96, batch 128",
    build: network("biased-mnist-cnn", [128, 3, 96, 96], 10),
  },
  d: {
    title: "last layer, 10,000×512, full batch",
    build() {
      const shape = [10000, 512];
      const features = e.input("images", shape);
      const labels = e.input("labels", [shape[0]], "int");
      const net = new Network(models.get("logistic-regression"), { classes: 10, mode: "train" });
      const loss = e.mean(e.crossEntropy(net.head(features), labels));
      return { loss, net, shape, classes: 10, optimiser: sgd() };
    },
  },
};
