/**
 * Files of weights as a run writes them, for PyTorch to load (torch_own_weights.py): the networks that take pixels in
 * ways of their own, and one that standardises. Build first: `npm run build`.
 */

import { writeFileSync } from "node:fs";
import { models } from "../../dist/src/models/index.js";
import { resolveOptions } from "../../dist/src/models/model.js";
import { wantedTensors } from "../../dist/src/models/weights/network-shape.js";
import { encodeWeights } from "../../dist/src/training/weights.js";

const networks = {
  "logistic-regression": {},
  mlp: { width: 8 },
  "mnist-convnet": { width: 8 },
  "biased-mnist-cnn": { width: 4 },
  "small-cnn": { width: 4 },
  resnet18: { stem: "small", width: 4, blocks: "1,1,1,1" },
  "vae-encoder": { width: 4, dense: 6 },
};
const [classNames, image] = [["one", "two", "three"], { height: 14, width: 10, channels: 3 }];
// Of the data: only the network that standardises is to mention them.
const statistics = { mean: [0.5, 0.4, 0.3], deviation: [0.2, 0.25, 0.3] };

let state = 12345;
function uniform() {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state / 2 ** 32;
}

/** Of a size that keeps activations alive: kernels around 0, scales and variances around 1. */
function valuesOf(name, shape) {
  const length = shape.reduce((product, side) => product * side, 1);
  const spread = shape.length > 1 ? Math.sqrt((6 * shape[0]) / length) : 0.2;
  const centre = shape.length === 1 && /(weight|var)$/.test(name) ? 1 : 0;
  return Float32Array.from({ length }, () => centre + (2 * uniform() - 1) * spread);
}

for (const [name, given] of Object.entries(networks)) {
  const model = models.get(name);
  const options = resolveOptions(model, given);
  const wanted = wantedTensors(model, { options, classes: classNames.length, image });
  const weights = new Map(wanted.map(({ name: key, shape }) => [key, valuesOf(key, shape)]));
  const bytes = encodeWeights(
    { model: { name, options } },
    { classNames, images: { shape: image } },
    weights,
    statistics,
  );
  writeFileSync(new URL(`weights/own-${name}.safetensors`, import.meta.url), bytes);
}
