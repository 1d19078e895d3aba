/** A small network with random weights that can be asked about images, for trying audits of models on. */

import type { Dataset } from "../core/dataset.ts";
import { randomStream } from "../core/random.ts";
import { input } from "../engine/expressions.ts";
import { State } from "../engine/state.ts";
import { initialise } from "../engine/training/parameters.ts";
import { exportNetwork } from "../models/export.ts";
import { models } from "../models/index.ts";
import { Network } from "../models/model.ts";
import type { AskedModel } from "../training/asked/asked-model.ts";
import { modelOfBytes } from "../training/asked/run-model.ts";

export function smallModel({ classNames, images }: Dataset): AskedModel {
  const model = models.get("small-cnn");
  const options = { width: 4 };
  const image = images.shape!;
  const network = new Network(model, { classes: classNames.length, mode: "evaluate", options });
  network.logits(input("images", [1, image.height, image.width, image.channels], "byte"));
  const state = new State();
  initialise(network.parameters.all, state, (key) => randomStream(0, key).at(0));
  const bytes = exportNetwork(model, state, { classNames, image, options });
  return { ...modelOfBytes("a small network", bytes, image), classNames, classes: classNames.length };
}
