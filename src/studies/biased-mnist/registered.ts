/** What the study of Biased MNIST fixes before its first run. */

import { baseline } from "../compared-methods.ts";
import { judgedFamily, judgedRule } from "../judge.ts";
import { plateauRule } from "../plateau.ts";
import type { RegisteredPlan } from "../study.ts";
import { claims, manyTold } from "./claims.ts";
import { tuningSeed } from "./plan.ts";
import type { BiasedMnistPreset } from "./presets.ts";
import { unbiasedWords } from "./variables.ts";

/** A few epochs of StdM, RUBi and IRMv1 were looked at with it, to choose a network and a length for the small presets; it is in no table. */
const calibrationSeed = 200;

const nearChance = "within five points of chance, 10%, by the lower end of their intervals";

/** How each is judged, and when it is not. */
const rules: Readonly<Record<keyof typeof claims, { compared: string; open: string }>> = {
  strength: {
    compared:
      "For each method: unbiased accuracy at the strongest bias less at the weakest, claimed to be below 0.",
    open: `every method is ${nearChance} even at the weakest bias`,
  },
  exploitation: {
    compared:
      "For each variable but position: its gap, and its gap less that of position, both claimed to be above 0.",
    open: "no gap is beyond what the number of images explains",
  },
  position: {
    compared:
      "For each method, over what it is told but position: its gap of position, claimed to be equivalent to none, and contradicted beyond chance on either side.",
    open: "no method has a finished run",
  },
  explicit: {
    compared:
      "For each of the methods and each variable that it is told: the mean gap of the other variables but position less that of the one that it is told, claimed to be above 0.",
    open: "none of those other gaps is beyond chance",
  },
  below: {
    compared: `For each explicit method, mean over the variables that it is told one at a time: unbiased accuracy less that of ${baseline}, claimed to be below 0.`,
    open: `${baseline} is ${nearChance}`,
  },
  upweighting: {
    compared:
      "Mean over the variables that both are told one at a time: unbiased accuracy of UpWt less that of GDRO, claimed to be above 0.",
    open: `both are ${nearChance}`,
  },
  implicit: {
    compared: `Unbiased accuracy of LfF less that of ${baseline}, claimed to be above 0.`,
    open: `both are ${nearChance}`,
  },
  smallest: {
    compared:
      "For each other method: mean gap of all seven variables of LfF less the same of the method, mean over what it is told, claimed to be below 0.",
    open: "no other method has a finished run",
  },
  level: {
    compared: `Unbiased accuracy of SD less that of ${baseline}, claimed to be equivalent to none, and contradicted beyond chance on either side.`,
    open: `both are ${nearChance}`,
  },
  seeds: {
    compared:
      "A value a seed: Spearman's correlation of the gaps of the six variables but position with their means over the other seeds, mean over all trained methods, less one half; claimed to be below 0. Above one half, seeds exploit the same variables.",
    open: "no trained method has two seeds",
  },
  growing: {
    compared: `For each method: unbiased accuracy told the most variables less told the fewest, claimed to be below 0 or equivalent to none, and less that of ${baseline}, claimed to be below 0.`,
    open: `${baseline} is ${nearChance}`,
  },
  exceptions: {
    compared: `Unbiased accuracy of LNL told one variable, and of UpWt told ${manyTold} or more, less that of ${baseline}, claimed to be above 0.`,
    open: `${baseline} is ${nearChance}`,
  },
  tuning: {
    compared:
      "For each method but UpWt and each other pair: unbiased accuracy with that pair less with the other, claimed to be above 0.",
    open: "that pair was not run",
  },
  environments: {
    compared:
      "For each told variable: how far the mean gap of the other variables but position less the told one's is from the same of Table A4, by cues less by groups, claimed to be below 0; whether the runs are trained or not, as both forms have as many steps.",
    open: "one of the two has no finished run",
  },
  repeats: {
    compared:
      "GDRO told the distractor shape, as many steps over few images as over many: its gap of the shape with few, and the same less that with many, both claimed to be above 0; whether the runs are trained or not, as it is one method after as many steps.",
    open: "one of the two has no finished run",
  },
};

export function biasedMnistPlan({ seeds, search, hyperparameters }: BiasedMnistPreset): RegisteredPlan {
  const reporting = [...new Set([...seeds, ...hyperparameters.seeds])];
  return {
    estimands: [
      { name: "unbiased accuracy", words: unbiasedWords },
      {
        name: "gap of a variable",
        words: "accuracy on test images with their class's own value less accuracy on the others",
      },
    ],
    baseline,
    margin: 3,
    selection: [
      "of every run the last epoch, without any labels",
      "hyperparameters of the paper's Table A6, but for the learning rate where a preset says so",
      "Fig. 6 chooses a pair for each α by validation images and reports the test accuracy of that very run, as the paper does: it shows what tuning does, and ranks no methods",
      "the search of Table A6, in `paper` alone, chooses by unbiased validation accuracy, which needs the labels of the distractor shape",
    ],
    budget:
      "all methods have the same images, epochs and batches, and published settings, nothing is searched for but in `paper`; whether the length is enough is judged by the plateau of each",
    seeds: {
      calibration: [calibrationSeed],
      tuning: search ? [tuningSeed] : [],
      reporting,
    },
    exclusions: [
      plateauRule("accuracy on the validation images, which are unbiased here,"),
      "runs whose loss is not finite have no accuracy; their row says so",
      "seeds that one of two compared methods lacks are in no difference",
    ],
    findings: (Object.keys(claims) as (keyof typeof claims)[]).map((name) => ({
      claim: claims[name],
      rule: `${rules[name].compared} ${judgedRule}. Also not told where ${rules[name].open}`,
      family: judgedFamily,
    })),
  };
}
