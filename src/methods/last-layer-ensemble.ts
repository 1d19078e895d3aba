/**
 * Last Layer Ensemble: a head for each view of the images, on shared features, and a classifier of views that says how much
 * each head is worth for an image.
 */

import { z } from "zod";
import { CuelabError } from "../core/errors.ts";
import {
  add,
  constant,
  crossEntropy,
  mean,
  mul,
  sliceAxis,
  softmax,
  stopGradient,
  type Tensor,
} from "../engine/expressions.ts";
import { resolveUse } from "../views/resolve-use.ts";
import { viewUseSchema } from "../views/use-schema.ts";
import { jensenShannon, meanOf } from "./consistency.ts";
import { defineMethod, type Own } from "./method.ts";
import { urbanCars } from "./presets.ts";
import { featuresOfViews, neededBy } from "./views-of-stage.ts";

const settings = z.object({
  views: z
    .array(viewUseSchema)
    .min(1)
    // With versions, so that a run's id tells which pixels it saw.
    .transform((uses) => uses.map(resolveUse))
    .prefault(["background-swap", "co-object-swap"])
    .describe("views of the images beside the original: one for each shortcut"),
  stopGradient: z.boolean().default(true).describe("the features do not follow the classifier of views"),
  freeze: z.boolean().default(false).describe("all but the heads stays as the run begins with it"),
  ensemble: z
    .boolean()
    .default(true)
    .describe("a head a view; else the network's own head learns from all views"),
  consistency: z
    .enum(["none", "js"])
    .default("none")
    .describe(
      "without ensemble: AugMix's loss, the original's and the Jensen-Shannon divergence of all views",
    ),
  consistencyWeight: z.number().min(0).default(12).describe("λ of that divergence"),
  shift: z.boolean().default(true).describe("heads count as the classifier of views says; else all the same"),
});

type EnsembleConfig = z.output<typeof settings>;

export const lastLayerEnsemble = defineMethod({
  name: "last-layer-ensemble",
  version: 1,
  title: "Last Layer Ensemble",
  paper: "Li et al. 2023",
  supervision: (given) => neededBy(settings.parse(given).views),
  settings,
  search: {},
  presets: { "urban-cars": urbanCars({}) },
  *stages({ config }) {
    checkSwitches(config);
    const names = namesOf(config);
    yield {
      name: "train",
      views: Object.fromEntries(config.views.map((use, k) => [names[k + 1]!, use])),
      ...(config.freeze && { freeze: ["backbone"] }),
      build({ network, batch, own, classes }) {
        const features = featuresOfViews(network, batch, names.slice(1));
        if (!config.ensemble) {
          const logits = features.map((seen) => network.head(seen));
          const losses = logits.map((each) => mean(batch.losses(each)));
          if (config.consistency === "none") return { loss: meanOf(losses) };
          return { loss: add(losses[0]!, mul(jensenShannon(logits), config.consistencyWeight)) };
        }
        const heads = headsOf(own, names, classes);
        const shift = own.linear("shift", names.length);
        const losses = features.map((seen, k) => {
          const own = mean(batch.losses(heads[k]!(seen)));
          if (!config.shift) return own;
          const read = shift(config.stopGradient ? stopGradient(seen) : seen);
          return add(own, mean(crossEntropy(read, all(batch.size, k))));
        });
        return { loss: meanOf(losses) };
      },
    };
    return undefined;
  },
  predict({ network, own, inputs, classes, known: { config } }) {
    const features = network.features(inputs);
    if (!config.ensemble) return network.head(features);
    const names = namesOf(config);
    const logits = headsOf(own, names, classes).map((head) => head(features));
    if (!config.shift) return meanOf(logits);
    // Σ_k softmax(g(f))_k · h_k(f)
    const worth = softmax(own.linear("shift", names.length)(features));
    return logits.map((each, k) => mul(each, sliceAxis(worth, 1, k, 1))).reduce(add);
  },
});

/** `original`, and each view under its own name; another of the same name has a number. */
function namesOf({ views }: Pick<EnsembleConfig, "views">): string[] {
  const names = views.map(({ view }, i) => {
    const before = views.slice(0, i).filter((other) => other.view === view).length;
    return before === 0 ? view : `${view}-${before + 1}`;
  });
  return ["original", ...names.map((name) => (name === "original" ? "original-view" : name))];
}

function headsOf(own: Own, names: readonly string[], classes: number): ((features: Tensor) => Tensor)[] {
  return names.map((name) => {
    own.asHead(`head-${name}`);
    return own.linear(`head-${name}`, classes);
  });
}

/** The number of a view, for every image of a batch. */
function all(size: number, view: number): Tensor {
  return constant(
    Array.from({ length: size }, () => view),
    [size],
    "int",
  );
}

/** A switch without effect is a mistake that nobody would notice. */
function checkSwitches({ ensemble, consistency, shift }: EnsembleConfig): void {
  const fail = (what: string, todo: string) => new CuelabError({ kind: "usage", what, todo });
  if (ensemble && consistency !== "none")
    throw fail("consistency is of a single head, and an ensemble has one a view", "add ensemble=false");
  if (!ensemble && !shift)
    throw fail("shift has no effect without an ensemble", "leave one of shift=false and ensemble=false away");
}
