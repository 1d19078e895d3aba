/** The networks, by name. */

import { Registry } from "../core/registry.ts";
import { alexnet } from "./alexnet.ts";
import { biasedMnistCnn } from "./biased-mnist-cnn.ts";
import { convnextTiny } from "./convnext.ts";
import { densenet121, densenet161 } from "./densenet.ts";
import { logisticRegression } from "./logistic-regression.ts";
import { mlp } from "./mlp.ts";
import { mnistConvnet } from "./mnist-convnet.ts";
import type { Model } from "./model.ts";
import { resnet18, resnet50, wideResnet50 } from "./resnet.ts";
import { smallCnn } from "./small-cnn.ts";
import { vaeEncoder } from "./vae-encoder.ts";
import { vitB16, vitSmall, vitTiny } from "./vit.ts";

export const models = new Registry<Model>(
  "model",
  [
    logisticRegression,
    mlp,
    mnistConvnet,
    biasedMnistCnn,
    smallCnn,
    vaeEncoder,
    resnet18,
    resnet50,
    wideResnet50,
    alexnet,
    densenet121,
    densenet161,
    convnextTiny,
    vitTiny,
    vitSmall,
    vitB16,
  ],
  { plugins: "models" },
);
