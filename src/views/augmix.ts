/** A mixture of the image and of several chains of simple changes of it (Hendrycks et al. 2020). */

import { z } from "zod";
import type { Pixels } from "../core/dataset.ts";
import { simpleChanges } from "./simple-changes.ts";
import { defineView } from "./view.ts";

export const augmix = defineView({
  name: "augmix",
  description: "a mixture of the image and of chains of its simple changes",
  version: 1,
  settings: z.object({
    severity: z.number().min(0.1).max(10).default(3).describe("how strong changes can be, up to 10"),
    width: z.number().int().min(1).default(3).describe("chains that are mixed"),
    depth: z
      .number()
      .int()
      .min(1)
      .default(3)
      .describe("most changes in a chain; each length is equally likely"),
    alpha: z
      .number()
      .positive()
      .default(1)
      .describe(
        "of the Dirichlet distribution of the chains' shares and the Beta distribution of their total",
      ),
  }),
  examples: ["severity=1", "width=1"],
  moves: true,
  make(image, { settings: { severity, width, depth, alpha }, random }) {
    const shares = Array.from({ length: width }, () => random.gamma(alpha));
    const total = shares.reduce((a, b) => a + b);
    const changed = random.beta(alpha, alpha);
    const mixed = Float64Array.from(image.data, (value) => (1 - changed) * value);
    for (const share of shares) {
      let chain: Pixels = { ...image, data: Uint8Array.from(image.data) };
      for (let left = 1 + random.integer(depth); left > 0; left--) {
        const change = simpleChanges[random.integer(simpleChanges.length)]!;
        chain = change.make(chain, 0.1 + (severity - 0.1) * random.uniform(), random.boolean(0.5) ? -1 : 1);
      }
      const weight = (changed * share) / total;
      for (let i = 0; i < mixed.length; i++) mixed[i]! += weight * chain.data[i]!;
    }
    for (let i = 0; i < mixed.length; i++) image.data[i] = Math.round(mixed[i]!);
    return image;
  },
});
