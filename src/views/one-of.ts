/** One of several views for each image, all equally likely; a batch tells which (the Last Layer Ensemble's augmentations). */

import { z } from "zod";
import { viewUseSchema } from "./use-schema.ts";
import { defineView } from "./view.ts";

export const oneOf = defineView({
  name: "one-of",
  description: "one of several views for each image, all equally likely",
  version: 1,
  settings: z.object({
    of: z.array(viewUseSchema).min(2).describe("the views, by name or with settings"),
  }),
  examples: ["of=original,flip"],
  uses: "of",
  codes: ({ of }) =>
    of.map(({ view }, i) => {
      const before = of.slice(0, i).filter((other) => other.view === view).length;
      return before === 0 ? view : `${view} ${before + 1}`;
    }),
  async make(image, { settings: { of }, random, apply }) {
    const code = random.integer(of.length);
    return { ...(await apply(of[code]!, image)), code };
  },
});
