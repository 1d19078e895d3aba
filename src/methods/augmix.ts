/** AugMix: predictions of an image and of two mixtures of its simple changes are drawn together. */

import { z } from "zod";
import { add, mean, mul } from "../engine/expressions.ts";
import { resolveUse } from "../views/resolve-use.ts";
import { jensenShannon } from "./consistency.ts";
import { defineMethod } from "./method.ts";
import { lastLayerOfImageNet, urbanCars } from "./presets.ts";
import { featuresOfViews } from "./views-of-stage.ts";

const names = ["augmix", "augmix-2"];

export const augmix = defineMethod({
  name: "augmix",
  version: 1,
  title: "AugMix",
  paper: "Hendrycks et al. 2020, as in Li et al. 2023",
  supervision: {},
  settings: z.object({
    consistencyWeight: z
      .number()
      .min(0)
      .default(12)
      .describe("λ of the Jensen-Shannon divergence between the three predictions"),
    severity: z.number().min(0.1).max(10).default(3).describe("how strong changes can be, up to 10"),
    width: z.number().int().min(1).default(3).describe("chains of changes that are mixed"),
    depth: z.number().int().min(1).default(3).describe("most changes in a chain"),
  }),
  search: { consistencyWeight: [1, 12], severity: [1, 3] },
  presets: { "urban-cars": urbanCars({}), imagenet: lastLayerOfImageNet({}) },
  *stages({ config: { consistencyWeight, ...mixture } }) {
    const use = resolveUse({ view: "augmix", with: mixture });
    yield {
      name: "train",
      views: Object.fromEntries(names.map((name) => [name, use])),
      build({ network, batch }) {
        const logits = featuresOfViews(network, batch, names).map((seen) => network.head(seen));
        const own = mean(batch.losses(logits[0]!));
        return { loss: add(own, mul(jensenShannon(logits), consistencyWeight)) };
      },
    };
    return undefined;
  },
});
