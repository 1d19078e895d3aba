/** What the study of DiagViB-6 fixes before its first run. */

import { poolSeed } from "../cheap-pool.ts";
import type { RegisteredPlan } from "../study.ts";
import { registeredFindings } from "./claims.ts";
import { modelSeed } from "./plan.ts";
import type { DiagvibPreset } from "./presets.ts";
import { baseline } from "./rows.ts";
import { tuningSeed } from "./tuning-part.ts";

const plateauWords =
  "validation accuracy still rises by a point or more are in no finding: mean of the last fifth of the epochs less that of the fifth before, mean over the row's runs there; " +
  "runs that early stopping ended count as at rest, and fewer than five epochs as not";

export function diagvibPlan(preset: DiagvibPreset): RegisteredPlan {
  const { samples, opportunities, rivals, epochs, batchSize, rate, schedule, patience } = preset;
  return {
    estimands: [
      {
        name: "P_ij",
        words:
          "mean over dataset samples of the mean per-class accuracy in predicting factor i on combinations that break its pattern with factor j (section 3.4); in ZSO P_i, on images as in training",
      },
      { name: "FAAvg_i", words: "mean over samples of the mean over all five j (equation 1)" },
      { name: "FAMin_i", words: "mean over samples of the minimum over all five j (equation 2)" },
      {
        name: "gain of CHGO",
        words:
          "accuracy of the class that is coupled, on its two combinations that break the pattern, less the accuracy of the same pair and sample in ZGO",
      },
      {
        name: "preference for a cue",
        words:
          "with two cues at once, accuracy where only the other cue is broken less accuracy where only this one is: one value a dataset sample",
      },
      {
        name: "R of a pair",
        words:
          "correlation of OOD and ID accuracies on the probit scale over checkpoints of a pool of small classifiers, with an interval that draws whole draws of classifiers anew",
      },
      {
        name: "dataset sample",
        words: `which three classes each factor has, which combinations CGO adds, and the images: numbers ${samples.join(", ")}, in opportunities ${opportunities.samples.join(", ")}, and with two cues at once ${rivals.samples.join(", ")}. First weights and order are those of one seed, as in the paper`,
      },
    ],
    baseline: `for methods ${baseline.label} with the same network, pair and sample; else chance, ZSO or ZGO as each finding says`,
    margin: 3,
    selection: [
      "the epoch with the lowest validation loss, on images distributed as in training: labels of the class alone",
      "published settings, or those of the preset for all alike; nothing is searched",
    ],
    budget: `Adam at ${rate}${schedule === undefined ? "" : `, falling along a ${String(schedule.name)}`}, batches of ${batchSize}, ${epochs} epochs at most, ended after ${patience} without a lower validation loss; the same for every network and method`,
    seeds: {
      calibration: [900, 901, 902],
      tuning: preset.tuning === undefined ? [] : [tuningSeed],
      reporting: [poolSeed, modelSeed],
    },
    exclusions: [
      "pairs with a factor whose accuracy in ZSO is not known to exceed chance by five points: the lower end of Student's interval over samples decides",
      "samples that one of two compared numbers lacks are in no difference; averages and minima need all five cues",
      `rows in studies where ${plateauWords}`,
      "runs whose loss is not finite have no accuracy",
    ],
    findings: registeredFindings(),
  };
}
