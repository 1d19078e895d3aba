/** Another background: of an image of another class, against one of an image of the same class. */

import type { Intervention } from "./intervention.ts";
import { beforeAnother } from "./surroundings.ts";

export const backgroundExchanged: Intervention = {
  name: "background-exchanged",
  description: "the thing before the background of an image of another class",
  control: "the thing before the background of another image of its own class",
  needs: ["thing"],
  variants: () => [
    {
      name: "of another class",
      change: async (image, at) => beforeAnother(image, at, await at.partner("other")),
      control: async (image, at) => beforeAnother(image, at, await at.partner("same")),
    },
  ],
};
