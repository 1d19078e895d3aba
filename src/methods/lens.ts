/**
 * The lens, automatic shortcut removal: a network changes pictures as little as it can so that the classifier takes them for what
 * seems least likely to it, and the classifier learns from changed pictures (Minderer et al. 2020).
 */

import { z } from "zod";
import { CuelabError } from "../core/errors.ts";
import {
  add,
  argmax,
  concat,
  crossEntropy,
  mean,
  mul,
  neg,
  reshape,
  stopGradient,
  sub,
  sum,
  type Tensor,
  transpose,
} from "../engine/expressions.ts";
import { preparePixels } from "../models/pixels.ts";
import { uNet } from "../models/u-net.ts";
import { defineMethod, type NetworkExpressions, type Own } from "./method.ts";
import { diagvib } from "./presets.ts";
import { besideNetwork, once } from "./stage.ts";

const settings = z.object({
  adversarialWeight: z
    .number()
    .min(0)
    .default(1)
    .describe("how much the lens wants pictures taken for the least likely class"),
  reconstructionWeight: z.number().min(0).default(1).describe("how much it wants pictures as they were"),
  difference: z
    .enum(["mean", "sum"])
    .default("mean")
    .describe(
      "squared difference of a picture, as the network takes it: mean over its numbers, or their sum",
    ),
  lensRate: z
    .number()
    .positive()
    .default(1e-2)
    .describe("Adam's rate for the lens; one that learns no faster than the network is outrun by it"),
  lensWidth: z.number().int().min(1).default(16).describe("filters of the U-Net's first level"),
  lensDepth: z.number().int().min(0).max(6).default(3).describe("how often its map is halved"),
  predict: z
    .enum(["with-lens", "without-lens"])
    .default("with-lens")
    .describe("whether images go through the lens before they are told"),
});

type LensConfig = z.output<typeof settings>;

export const lens = defineMethod({
  name: "lens",
  version: 2,
  title: "Lens (automatic shortcut removal, ASR)",
  paper: "Minderer et al. 2020, as in Eulig et al. 2021",
  supervision: {},
  settings,
  search: { reconstructionWeight: [0.1, 1, 10, 100], lensRate: [1e-2, 1e-3, 1e-4] },
  presets: {
    "diagvib-study": diagvib(
      { adversarialWeight: 1, reconstructionWeight: 1, lensRate: 2e-3 },
      2e-4,
      "equal weights are printed; rate, batch and epochs are those of this project's ResNet-18, the lens's, ten times as high, is ours",
    ),
  },
  stages: once({
    // The lens drives it up.
    unboundedLoss: true,
    build({ network, own, batch, config }) {
      const { seen, through } = lensed(network, own, batch.inputs, config);
      const logits = network.logits(through);
      const losses = batch.losses(logits);
      const least = argmax(neg(stopGradient(logits)), 1);
      const adversarial = crossEntropy(logits, least);
      const squares = mul(sub(through, seen), sub(through, seen));
      const difference = config.difference === "mean" ? mean(squares, [1, 2, 3]) : sum(squares, [1, 2, 3]);
      return {
        loss: mean(losses),
        moves: ["network"],
        further: [
          besideNetwork(
            mean(
              add(mul(adversarial, config.adversarialWeight), mul(difference, config.reconstructionWeight)),
            ),
            "lens",
            config.lensRate,
          ),
        ],
        columns: { adversarial, difference },
      };
    },
  }),
  predict({ network, own, inputs, known: { config } }) {
    if (config.predict === "without-lens") return network.logits(inputs);
    return network.logits(lensed(network, own, inputs, config).through);
  },
  shows: {
    /** As stored images are: [batch, rows, columns, channels], from 0 to 1 but for what the lens has exaggerated. */
    lens: ({ own, inputs, known: { config } }) =>
      transpose(changed(own, unitPixels(inputs), config), [0, 2, 3, 1]),
  },
  draws: {
    /** Images above, what the lens lets through below. */
    lens({ own, inputs, known: { config } }) {
      const pixels = unitPixels(inputs);
      return reshape(concat([pixels, changed(own, pixels, config)], 0), [2, ...pixels.shape]);
    },
  },
});

/** Images as the network takes them, and the same through the lens. */
function lensed(
  network: NetworkExpressions,
  own: Own,
  images: Tensor,
  config: LensConfig,
): { seen: Tensor; through: Tensor } {
  const pixels = unitPixels(images);
  return {
    seen: network.prepared(pixels),
    through: network.prepared(changed(own, pixels, config)),
  };
}

/**
 * The lens says what is added to a picture: nothing, at the beginning. It sees pixels from −1 to 1, so that the middle grey is the
 * same as what convolutions find beyond the border: else borders outweigh the picture in the normalised maps, and the lens learns
 * one change for all pictures.
 */
function changed(own: Own, pixels: Tensor, { lensWidth, lensDepth }: LensConfig): Tensor {
  const options = { width: lensWidth, depth: lensDepth, outputs: pixels.shape[1]! };
  return add(pixels, uNet(own.layers("lens"), sub(mul(pixels, 2), 1), options));
}

function unitPixels(images: Tensor): Tensor {
  if (images.dtype === "byte" && images.shape.length === 4) return preparePixels(images, "unit");
  throw new CuelabError({
    kind: "usage",
    what: 'method "lens" changes pictures, and features are none',
    expected: "a run on images",
    todo: "give --data and --model instead of features, or take another method",
  });
}
