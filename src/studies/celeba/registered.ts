/** What the study of CelebA fixes before its first run. */

import { presets as biasedMnistPresets } from "../biased-mnist/presets.ts";
import { baseline } from "../compared-methods.ts";
import { judgedFamily, judgedRule } from "../judge.ts";
import { plateauRule } from "../plateau.ts";
import type { RegisteredPlan } from "../study.ts";
import { claims } from "./claims.ts";
import { type CelebaPreset, tuningSeed } from "./plan.ts";

const level = "claimed to be equivalent to none, and contradicted beyond chance on either side.";
const ranges =
  "The range of test accuracy over what the seven α choose, a value a seed, whether the runs are trained or not.";

/** What is compared; every one is also not told where all methods are within five points of chance. */
const rules: Readonly<Record<keyof typeof claims, string>> = {
  winners: `For each of them: unbiased accuracy less that of ${baseline}, claimed to be above 0.`,
  cost: `For each of them: mean accuracy of the two blond groups less that of ${baseline}, claimed to be above 0, and of the other two, claimed to be below 0.`,
  level: `For each of them: unbiased accuracy less that of ${baseline}, ${level}`,
  steady: `${ranges} On blond men, for each of them: less that of every other method but each other, claimed to be below 0.`,
  sensitive: `${ranges} On blond men, for each of them: less that of every other method but each other and LfF, claimed to be above 0.`,
  lff: `${ranges} Of LfF less that of ${baseline}, on blond men and on the mean of the other groups, claimed to be above 0.`,
  firstLff:
    "With γ = 0.7 less with 0.1: accuracy on blond men, claimed to be above 0, and mean accuracy of the other groups, claimed to be below 0.",
  everywhere:
    "On each dataset all pairs of the eight methods, mean over the variables told one at a time, as one family by Student's t and Holm: surely among the best three is what is surely better than five, surely not what three are surely better than. Seen: every method is surely not among them on one dataset or the other. Contradicted: one is surely among them on both. Else it cannot be told.",
};

export function celebaPlan({ seeds, search, tuning, across }: CelebaPreset): RegisteredPlan {
  return {
    estimands: [
      {
        name: "accuracy of a group",
        words: "of hair and gender, on the test images, with the weights of the last epoch",
      },
      { name: "unbiased accuracy", words: "mean of the four groups' accuracies" },
    ],
    baseline,
    margin: 3,
    selection: [
      "of every run the last epoch, without any labels; beside it the mean over the last fifth of the epochs, as the authors averaged in practice, of which no finding speaks",
      "hyperparameters of the paper's Table A6, but for the optimiser where a preset says so; momentum 0.9 is our assumption, since the table says SGD alone",
      "Fig. 6 chooses a pair for each α by validation images and reports the test accuracy of that very run, as the paper does: it shows what tuning does, and ranks no methods",
      "the search of Table A6, in `paper` alone, chooses by unbiased validation accuracy, which needs the labels of gender",
    ],
    budget: "all methods have the same images, epochs and batches",
    seeds: {
      calibration: [],
      tuning: search ? [tuningSeed] : [],
      reporting: [
        ...new Set([
          ...seeds,
          ...tuning.seeds,
          ...(across === undefined ? [] : biasedMnistPresets[across].seeds),
        ]),
      ],
    },
    exclusions: [
      plateauRule("accuracy on the validation images, which are drawn as the training images are,"),
      "runs whose loss is not finite have no accuracy; their row says so",
      "seeds that one of two compared methods lacks are in no difference",
    ],
    findings: (Object.keys(claims) as (keyof typeof claims)[]).map((name) => ({
      claim: claims[name],
      rule:
        `${rules[name]} ${name === "everywhere" ? "" : `${judgedRule}. `}` +
        "Also not told where every method is within five points of chance, 50%, or a group has no test image",
      family: name === "everywhere" ? "all pairs of a dataset, adjusted by Holm" : judgedFamily,
    })),
  };
}
