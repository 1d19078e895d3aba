/** Logistic regression: the pixels themselves are the features. */

import { reshape } from "../engine/expressions.ts";
import { defineModel } from "./model.ts";

export const logisticRegression = defineModel({
  name: "logistic-regression",
  description: "A linear classifier of the pixels",
  paper: "Cox 1958",
  pixels: "unit",
  defaults: {},
  head: "head",
  features: (_layers, images) => reshape(images, [images.shape[0]!, -1]),
});
