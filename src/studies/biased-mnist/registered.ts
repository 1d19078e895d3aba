/** What the study of Biased MNIST fixes before its first run. */

import { baseline } from "../compared-methods.ts";
import { judgedFamily, judgedRule } from "../judge.ts";
import type { RegisteredPlan } from "../study.ts";
import { claims } from "./findings.ts";
import { tuningSeed } from "./plan.ts";
import type { BiasedMnistPreset } from "./presets.ts";

const nearChance = "within five points of chance, 10%, by the lower end of their intervals";

export function biasedMnistPlan({ seeds, search }: BiasedMnistPreset): RegisteredPlan {
  const finding = (claim: string, compared: string, open: string) => ({
    claim,
    rule: `${compared} ${judgedRule}. Also not told where ${open}`,
    family: judgedFamily,
  });
  return {
    estimands: [
      {
        name: "unbiased accuracy",
        words: "mean over groups of class and a variable of the accuracy on test images without bias",
      },
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
    budget: "all methods have the same images, epochs and batches",
    seeds: { calibration: [], tuning: search ? [tuningSeed] : [], reporting: seeds },
    exclusions: [
      "runs whose loss is not finite have no accuracy; their row says so",
      "seeds that one of two compared methods lacks are in no difference",
    ],
    findings: [
      finding(
        claims.strength,
        "For each method: unbiased accuracy at the strongest bias less at the weakest, claimed to be below 0.",
        `every method is ${nearChance} even at the weakest bias`,
      ),
      finding(
        claims.exploitation,
        "For each variable but position: its gap, and its gap less that of position, both claimed to be above 0.",
        "no gap is beyond what the number of images explains",
      ),
      finding(
        claims.explicit,
        "For each of the methods and each variable that it is told: the mean gap of the other variables but position less that of the one that it is told, claimed to be above 0.",
        "none of those other gaps is beyond chance",
      ),
      finding(
        claims.implicit,
        `Unbiased accuracy of LfF less that of ${baseline}, claimed to be above 0.`,
        `both are ${nearChance}`,
      ),
      finding(
        claims.growing,
        `For each method: unbiased accuracy told the most variables less told the fewest, claimed to be below 0 or equivalent to none, and less that of ${baseline}, claimed to be below 0.`,
        `${baseline} is ${nearChance}`,
      ),
    ],
  };
}
