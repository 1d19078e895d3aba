/** The setting that many views have: how often an image is changed. */

import { z } from "zod";

export function probability(usual: number) {
  return z.number().min(0).max(1).default(usual).describe("share of the images that are changed");
}
