/** The networks, by name. */

import { Registry } from "../core/registry.ts";
import { biasedMnistCnn } from "./biased-mnist-cnn.ts";
import { logisticRegression } from "./logistic-regression.ts";
import { mlp } from "./mlp.ts";
import { mnistConvnet } from "./mnist-convnet.ts";
import type { Model } from "./model.ts";
import { resnet18 } from "./resnet18.ts";
import { smallCnn } from "./small-cnn.ts";

export const models = new Registry<Model>("model", [
  logisticRegression,
  mlp,
  mnistConvnet,
  biasedMnistCnn,
  smallCnn,
  resnet18,
]);
