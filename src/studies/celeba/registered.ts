/** What the study of CelebA fixes before its first run. */

import { baseline } from "../compared-methods.ts";
import { judgedFamily, judgedRule } from "../judge.ts";
import type { RegisteredPlan } from "../study.ts";
import { claims } from "./findings.ts";

export function celebaPlan({ seeds }: { seeds: readonly number[] }): RegisteredPlan {
  const finding = (claim: string, compared: string) => ({
    claim,
    rule: `${compared} ${judgedRule}. Also not told where every method is within five points of chance, 50%, or a group has no test image`,
    family: judgedFamily,
  });
  return {
    estimands: [
      { name: "accuracy of a group", words: "of hair and gender, on the test images" },
      { name: "unbiased accuracy", words: "mean of the four groups' accuracies" },
    ],
    baseline,
    margin: 3,
    selection: [
      "of every run the last epoch, without any labels",
      "hyperparameters of the paper's Table A6",
      "Fig. 6 chooses a pair for each α by validation images and reports the test accuracy of that very run, as the paper does: it shows what tuning does, and ranks no methods",
    ],
    budget: "all methods have the same images, epochs and batches",
    seeds: { calibration: [], tuning: [], reporting: seeds },
    exclusions: [
      "runs whose loss is not finite have no accuracy; their row says so",
      "seeds that one of two compared methods lacks are in no difference",
    ],
    findings: [
      finding(
        claims.winners,
        `For each of them: unbiased accuracy less that of ${baseline}, claimed to be above 0.`,
      ),
      finding(
        claims.cost,
        `For each of them: mean accuracy of the two blond groups less that of ${baseline}, claimed to be above 0, and of the other two, claimed to be below 0.`,
      ),
    ],
  };
}
