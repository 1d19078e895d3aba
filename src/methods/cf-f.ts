/**
 * Counterfactual and factual images: an image without its object is pushed away from its class, and one whose surroundings are
 * noise towards it.
 */

import { z } from "zod";
import { CuelabError } from "../core/errors.ts";
import { add, logSumExp, mean, mul, oneHot, sub, type Tensor } from "../engine/expressions.ts";
import { resolveUse } from "../views/resolve-use.ts";
import { defineMethod } from "./method.ts";
import { urbanCars } from "./presets.ts";
import { featuresOfViews, neededBy } from "./views-of-stage.ts";

const settings = z.object({
  from: z.enum(["box", "mask"]).default("box").describe("where the object's box comes from"),
  name: z.string().min(1).default("car").describe("name of the box, or of the mask"),
  counterfactualWeight: z.number().min(0).default(1).describe("how much images without the object count"),
  factualWeight: z.number().min(0).default(1).describe("how much images without surroundings count"),
});

type CounterfactualConfig = z.output<typeof settings>;

/** Far below any logit. */
const never = -1e9;

export const cfF = defineMethod({
  name: "cf-f",
  version: 1,
  title: "Counterfactual and factual images",
  paper: "Chang et al. 2021, as in Li et al. 2023",
  supervision: (given) => neededBy(Object.values(viewsOf(settings.parse(given)))),
  settings,
  search: { counterfactualWeight: [0.1, 1], factualWeight: [0.1, 1] },
  presets: { "urban-cars": urbanCars({}) },
  *stages({ config, classes }) {
    if (classes < 2) throw oneClass();
    const views = viewsOf(config);
    yield {
      name: "train",
      views,
      build({ network, batch }) {
        const [seen, without, alone] = featuresOfViews(network, batch, Object.keys(views)).map((each) =>
          network.head(each),
        ) as [Tensor, Tensor, Tensor];
        const pushed = mul(mean(othersLosses(without, batch.labels)), config.counterfactualWeight);
        const pulled = mul(mean(batch.losses(alone)), config.factualWeight);
        return { loss: add(mean(batch.losses(seen)), add(pushed, pulled)) };
      },
    };
    return undefined;
  },
});

function viewsOf({ from, name }: CounterfactualConfig) {
  return {
    counterfactual: resolveUse({ view: "grey-box", with: { from, name } }),
    factual: resolveUse({ view: "random-background", with: { from, name } }),
  };
}

/** −log(1 − p_y): of two classes the cross entropy of the other one. [batch] */
function othersLosses(logits: Tensor, labels: Tensor): Tensor {
  const others = add(logits, mul(oneHot(labels, logits.shape[1]!), never));
  return sub(logSumExp(logits, [1]), logSumExp(others, [1]));
}

function oneClass(): CuelabError {
  return new CuelabError({
    kind: "input",
    what: 'method "cf-f" pushes images without their object to other classes, and there is one class only',
    expected: "two classes or more",
  });
}
