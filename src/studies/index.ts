/** Every study. Adding one is a file beside this and a line here. */

import { Registry } from "../core/registry.ts";
import { biasedMnistStudy } from "./biased-mnist.ts";
import { celebaStudy } from "./celeba.ts";

export const studies = new Registry("study", [biasedMnistStudy, celebaStudy]);

export * from "./run-study.ts";
export * from "./study.ts";
