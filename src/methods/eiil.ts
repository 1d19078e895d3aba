/**
 * Environment inference for invariant learning: the images on which a network that was trained for a short time could do better
 * are one environment of their class, the rest another; Group DRO then learns from class × environment.
 */

import { z } from "zod";
import { CuelabError } from "../core/errors.ts";
import { chanceNotes } from "./at-chance.ts";
import { groupDroStep } from "./group-dro.ts";
import { inferEnvironments, scaleSlopes, towardsWorse } from "./infer-environments.ts";
import { meanLoss } from "./mean-loss.ts";
import { defineMethod } from "./method.ts";
import { predictedBy } from "./predicted-by.ts";
import { lastLayerOfImageNet, urbanCars } from "./presets.ts";

export const eiil = defineMethod({
  name: "eiil",
  version: 1,
  title: "Environment inference for invariant learning",
  paper: "Creager et al. 2021, as in Li et al. 2023",
  supervision: {},
  settings: z.object({
    epochs: z.number().int().min(1).default(1).describe("E: epochs of the network that is split by"),
    inferenceSteps: z.number().int().min(1).default(10_000).describe("steps of Adam over the environments"),
    inferenceRate: z.number().positive().default(1e-3).describe("their rate"),
    stepSize: z.number().positive().default(0.01).describe("η of Group DRO"),
  }),
  search: { epochs: [1, 2], stepSize: [0.001, 0.01, 0.1] },
  presets: {
    "urban-cars": urbanCars({ epochs: 1 }),
    imagenet: lastLayerOfImageNet({ epochs: 1 }),
  },
  *stages({ config, labels, classes, random }) {
    const { epochs, inferenceSteps: steps, inferenceRate: rate, stepSize } = config;
    const { outputs } = yield {
      name: "reference",
      length: { epochs },
      selected: false,
      build: meanLoss,
      wants: [{ of: "train", logits: true, losses: true }],
    };
    const truth = labels("train");
    const [{ logits, losses }] = outputs as [(typeof outputs)[0]];
    const slopes = scaleSlopes(logits, truth, classes);
    const assigned = inferEnvironments(slopes, truth, classes, { steps, rate, random: random("assigned") });
    const environments = towardsWorse(assigned, losses, truth, classes);
    const groups = occupied(truth, environments);
    if (groups.count <= new Set(truth).size) throw oneEnvironment(truth.length, epochs);
    yield {
      name: "invariant",
      begin: "fresh",
      groups,
      sampling: "balanced-groups",
      build: (context) => groupDroStep(context, groups.count, stepSize),
      notes: [
        `${count(environments.filter((logit) => logit > 0).length)} of ${count(truth.length)} training images are in the environments on which the first network is worse: ${count(groups.count)} groups of class × environment`,
        ...chanceNotes(predictedBy(logits, classes), truth, classes, "the first network"),
      ],
      infers: () => ({ environment: { scores: environments, threshold: 0 } }),
    };
    return undefined;
  },
});

const count = (n: number) => n.toLocaleString("en");

/** Class × environment, numbered as they occur. */
function occupied(labels: Int32Array, environments: Float32Array): { codes: Int32Array; count: number } {
  const numbers = new Map<number, number>();
  const codes = labels.map((label, place) => {
    const code = 2 * label + Number(environments[place]! > 0);
    const known = numbers.get(code) ?? numbers.size;
    numbers.set(code, known);
    return known;
  });
  return { codes, count: numbers.size };
}

function oneEnvironment(images: number, epochs: number): CuelabError {
  return new CuelabError({
    kind: "failure",
    what: 'method "eiil" finds one environment only: every class is all on one side',
    expected: "a network that was trained for a short time and is unsure of some images",
    got: `an empty environment for every class of ${count(images)} images, after ${epochs === 1 ? "one epoch" : `${epochs} epochs`}`,
    todo: "use fewer epochs (--method-set epochs=1), a lower --lr, or more steps (--method-set inferenceSteps=20000)",
  });
}
