/** Another form of the image that was made elsewhere and lies beside it: stylised, as edges, without its background. */

import { z } from "zod";
import { CuelabError } from "../core/errors.ts";
import { defineView } from "./view.ts";

export const copy = defineView({
  name: "copy",
  description: "a copy of the image that the dataset has beside it, such as a stylised one",
  version: 1,
  settings: z.object({
    side: z.string().min(1).describe("the side image that takes the image's place"),
  }),
  examples: ["side=bg_only"],
  sides: ({ side }) => [side],
  async make(image, { settings: { side: name }, side }) {
    const copied = await side(name);
    if (copied.channels === image.channels) return copied;
    if (copied.channels === 1) {
      const data = Uint8Array.from(image.data, (_, at) => copied.data[Math.floor(at / image.channels)]!);
      return { ...image, data };
    }
    throw new CuelabError({
      kind: "input",
      what: `the side image "${name}" is no copy of the image`,
      expected: `${image.channels} channels, or one`,
      got: `${copied.channels} channels`,
    });
  },
});
