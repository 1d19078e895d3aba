/** What the study of UrbanCars fixes before its first run. */

import { calibrationSeeds } from "../drawn-cars.ts";
import { judgedFamily, judgedRule } from "../judge.ts";
import { plateauRule } from "../plateau.ts";
import type { RegisteredPlan } from "../study.ts";
import { claims, verdictRule } from "./findings.ts";
import type { UrbanCarsPreset } from "./presets.ts";
import { baseline } from "./rows.ts";

export function urbanCarsPlan({ seeds }: UrbanCarsPreset): RegisteredPlan {
  const open = `Also not told where ${baseline}'s I.D. accuracy is within five points of chance, 50%`;
  const beside = "What epochs chosen with no labels but those given would say stands beside it";
  const byVerdicts = (name: Exclude<keyof typeof claims, "both">) => ({
    claim: claims[name],
    rule: `${verdictRule(name)}. ${beside}. ${open}`,
    family: "all rows and both cues of a table, adjusted by Holm; intervals are not adjusted",
  });
  return {
    estimands: [
      {
        name: "I.D. accuracy",
        words: "accuracy of the four cells of common and uncommon cues, weighted as in training",
      },
      {
        name: "gap of a cue",
        words:
          "accuracy on test images where the cue alone is uncommon less I.D. accuracy; reliance is negative",
      },
    ],
    baseline,
    margin: 3,
    selection: [
      "untold methods: the epoch whose worst of all eight validation groups is best, as in the paper, which is an oracle for them; beside it the worst class",
      "told methods: the worst group of the cues that they are told, as in the paper; beside it the oracle",
      `${baseline} is chosen anew for each section of Table 5, from the same runs`,
      "published settings; nothing is searched",
    ],
    budget:
      "all methods have the same images, batches and steps of the network that is kept, but for SUBG, whose epochs are a handful of images; stages before it come on top",
    seeds: { calibration: calibrationSeeds, tuning: [], reporting: seeds },
    exclusions: [
      "runs whose loss is not finite have no accuracy; their row says so",
      "seeds that one of two compared methods lacks are in no difference",
      `${plateauRule("accuracy on the balanced validation images")}; a last layer that is solved counts as trained`,
    ],
    findings: [
      {
        claim: claims.both,
        rule: `${baseline}'s gap of each cue, claimed to be below 0. ${judgedRule}. ${beside}. ${open}`,
        family: judgedFamily,
      },
      ...(["cutmix", "guessed", "other", "told", "ensemble"] as const).map(byVerdicts),
    ],
  };
}
