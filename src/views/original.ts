/** The image as it is, for choices of which one is no change. */

import { z } from "zod";
import { defineView } from "./view.ts";

export const original = defineView({
  name: "original",
  description: "no change",
  version: 1,
  settings: z.object({}),
  examples: [],
  make: (image) => image,
});
