/** What the study of Waterbirds fixes before its first run. */

import { judgedFamily, judgedRule } from "../judge.ts";
import type { RegisteredPlan } from "../study.ts";
import { claims } from "./findings.ts";
import { baseline } from "./plan.ts";

export function waterbirdsPlan({ seeds }: { seeds: readonly number[] }): RegisteredPlan {
  const finding = (claim: string, compared: string) => ({
    claim,
    rule: `${compared} ${judgedRule}. What epochs chosen with no labels but classes would say stands beside it. Also not told where ${baseline}'s I.D. accuracy is within five points of chance, 50%, or a group has no test image`,
    family: judgedFamily,
  });
  return {
    estimands: [
      {
        name: "average group accuracy",
        words:
          "mean over the four groups of bird and background, on test images; seeds are first weights and order of images, and all have the one copy of the data that there is",
      },
      { name: "worst group accuracy", words: "the lowest of the four" },
      {
        name: "gap of the background",
        words: "accuracy where the background is uncommon less I.D. accuracy, groups weighted as in training",
      },
    ],
    baseline,
    margin: 3,
    selection: [
      "the epoch whose worst validation group of bird and background is best, as in the paper: an oracle, since no method is told backgrounds",
      "beside it, from the same runs, the epoch whose worst class is best",
      "published settings; nothing is searched",
    ],
    budget: "all rows have the same images, batches and steps",
    seeds: { calibration: [], tuning: [], reporting: seeds },
    exclusions: [
      "runs whose loss is not finite have no accuracy; their row says so",
      "seeds that one of two compared rows lacks are in no difference",
    ],
    findings: [
      finding(
        claims.cutmix,
        `Its worst group's accuracy less that of ${baseline} with the same seed, claimed to be below 0.`,
      ),
      finding(
        claims.others,
        `For each of them: its worst group's accuracy less that of ${baseline} with the same seed, claimed to be above 0.`,
      ),
    ],
  };
}
