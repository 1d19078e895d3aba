/**
 * DebiAN: a discoverer splits the images of each class so that the classifier does as differently as possible on the two sides,
 * and the classifier weighs the side more on which it is worse.
 */

import { z } from "zod";
import {
  abs,
  add,
  cast,
  countByGroup,
  div,
  exp,
  full,
  gather,
  greater,
  less,
  log,
  maximum,
  mean,
  mul,
  neg,
  reshape,
  scatterAdd,
  sigmoid,
  stopGradient,
  sub,
  sum,
  sumByGroup,
  type Tensor,
  where,
} from "../engine/expressions.ts";
import { defineMethod } from "./method.ts";
import { lastLayerOfImageNet, urbanCars } from "./presets.ts";
import { once } from "./stage.ts";

/** Keeps logarithms and quotients of sides without images finite. */
const tiny = 1e-6;

/** What stands for the side of an image that was in no batch yet. */
const unseen = -1;

export const debian = defineMethod({
  name: "debian",
  version: 1,
  title: "Debiasing alternate networks",
  paper: "Li et al. 2022, as in Li et al. 2023",
  supervision: {},
  settings: z.object({
    discoverer: z
      .enum(["network", "linear"])
      .default("network")
      .describe(
        "what splits: a network like the classifier, or one linear layer on the classifier's features",
      ),
    balance: z.number().min(0).default(1).describe("λ: how much sides of equal size are worth"),
  }),
  search: { balance: [0.1, 1, 10] },
  presets: {
    "urban-cars": urbanCars({ discoverer: "network" as const }),
    imagenet: lastLayerOfImageNet({ discoverer: "linear" as const }),
  },
  stages: once({
    build({ network, batch, config, training, state, own, classes }) {
      const features = network.features(batch.inputs);
      const losses = batch.losses(network.head(features));
      const seen =
        config.discoverer === "network"
          ? own.twin("discoverer").features(batch.inputs)
          : stopGradient(features);
      // How far an image belongs to the first side: [batch].
      const side = sigmoid(reshape(own.linear("split", 1)(seen), [batch.size]));
      const sides = sidesOf(stopGradient(exp(neg(losses))), side, batch.labels, classes);

      // The classifier: the worse side of each class counts up to twice.
      const isFirstWorse = gather(stopGradient(less(sides.first, sides.second)), batch.labels);
      const held = stopGradient(side);
      const worse = where(isFirstWorse, held, sub(1, held));
      const places = training.labels.length;
      const known = state("worse", full([places], unseen));
      const kept = sub(1, scatterAdd(full([batch.size], 1), batch.indices, 0, places));
      return {
        loss: mean(mul(add(1, worse), losses)),
        moves: ["network"],
        next: { worse: add(mul(known, kept), scatterAdd(worse, batch.indices, 0, places)) },
        // Then the discoverer, by the classifier as it now is.
        further: [
          {
            loss: discovery(sides, config.balance),
            moves: config.discoverer === "network" ? ["discoverer", "split"] : ["split"],
          },
        ],
      };
    },
    infers: (state) => ({
      worse: {
        scores: state("worse").map((value) => (value === unseen ? Number.NaN : value)),
        threshold: 0.5,
      },
    }),
  }),
});

interface Sides {
  /** Mean probability of the true class on each side, by class: [classes]. */
  first: Tensor;
  second: Tensor;
  /** Share of the class's images on the first side. */
  share: Tensor;
  /** Images of each class in the batch. */
  images: Tensor;
}

function sidesOf(right: Tensor, side: Tensor, labels: Tensor, classes: number): Sides {
  const images = countByGroup(labels, classes);
  const ofClass = (values: Tensor) => sumByGroup(values, labels, classes);
  const mean = (member: Tensor) => div(ofClass(mul(member, right)), maximum(ofClass(member), tiny));
  return {
    first: mean(side),
    second: mean(sub(1, side)),
    share: div(ofClass(side), maximum(images, 1)),
    images,
  };
}

/** One image cannot be split: mean over classes with two or more in the batch of −log |P₁ − P₂| − λ·log(1 − |share of one side less that of the other|). */
function discovery({ first, second, share, images }: Sides, balance: number): Tensor {
  const apart = neg(log(add(abs(sub(first, second)), tiny)));
  const uneven = abs(sub(mul(share, 2), 1));
  const unbalanced = neg(log(maximum(sub(1, uneven), tiny)));
  const isSplit = greater(images, 1);
  const terms = where(isSplit, add(apart, mul(unbalanced, balance)), 0);
  return div(sum(terms), maximum(sum(cast(isSplit, "float")), 1));
}
