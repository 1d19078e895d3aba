/** Every way to see where a network looks. Adding one is a file beside this and a line here. */

import { Registry } from "../core/registry.ts";
import { gradCam } from "./grad-cam.ts";
import { integratedGradients } from "./integrated-gradients.ts";
import { occlusion } from "./occlusion.ts";
import { rise } from "./rise.ts";
import type { SaliencyMethod } from "./saliency-method.ts";

export const saliencyMethods = new Registry<SaliencyMethod>("saliency method", [
  gradCam,
  integratedGradients,
  occlusion,
  rise,
]);
