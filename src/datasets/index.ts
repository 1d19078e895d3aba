/** Every dataset that the lab can make. Adding one is a file beside this and a line here. */

import { Registry } from "../core/registry.ts";
import { biasedMnist } from "./biased-mnist.ts";
import { coloredMnist } from "./colored-mnist.ts";

export const datasets = new Registry("dataset", [coloredMnist, biasedMnist]);

export type { DatasetDefinition } from "./definition.ts";
