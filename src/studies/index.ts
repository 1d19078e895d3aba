/** Every study. Adding one is a file beside this and a line here. */

import { Registry } from "../core/registry.ts";
import { biasedMnistStudy } from "./biased-mnist.ts";
import { celebaStudy } from "./celeba.ts";
import type { Study } from "./study.ts";
import { wellSpecifiedStudy } from "./well-specified.ts";

export const studies = new Registry<Study>("study", [biasedMnistStudy, celebaStudy, wellSpecifiedStudy], {
  plugins: "studies",
});

export { presetNamed, presetNames, type RegisteredFinding, type SeedPurpose } from "./study.ts";
