/** What the study of training on Hard-Spurious-ImageNet fixes before its first run. */

import { groupEstimands } from "../hard-spurious-pretrained/cells.ts";
import { judgedFamily, judgedRule } from "../judge.ts";
import { plateauRule } from "../plateau.ts";
import type { RegisteredPlan } from "../study.ts";
import { claims } from "./findings.ts";
import { baseline, rowNames } from "./plan.ts";
import { calibrationSeeds, type TrainedPreset } from "./presets.ts";

const { easy, all, dfr } = rowNames;
const less = `less that of ${baseline} with the same seed`;

const compared: Record<keyof typeof claims, string> = {
  order: `Of ${baseline}: the mean of the medium groups less that of the easy ones, and of the hard ones less that of the medium ones, each claimed to be below 0.`,
  hard: `The mean of the hard groups ${less}: of ${easy} claimed to be below 0, of ${all} above 0.`,
  easy: `The mean of the easy groups ${less}, of ${easy} and ${all}: each claimed to be equivalent to none.`,
  background: `The mean of groups on random backgrounds less that of groups on original ones, ${less}, of ${all}: claimed to be above 0.`,
  refitHard: `The mean of the hard groups of ${dfr} ${less}, claimed to be above 0. So Table 7; Table 10 has it the other way round.`,
  refitEasy: `The mean of the easy groups of ${dfr} ${less}, claimed to be below 0.`,
  refitAll: `The mean of all groups of ${dfr} ${less}, claimed to be equivalent to none. So Table 7; in Table 10 it is lower by two points.`,
  jtt: `The mean of all groups of each JTT ${less}, claimed to be below 0.`,
  young: `The mean of all groups of ${dfr} on the whole ${baseline} less that on its youngest, claimed to be below 0.`,
  grown: `The mean of all groups of ${baseline} less that of its youngest, claimed to be above 0.`,
};

export function trainedPlan({ seeds, photographs }: TrainedPreset): RegisteredPlan {
  return {
    estimands: [
      ...groupEstimands,
      { name: "all groups", words: "the mean of the twelve: the paper's average" },
    ],
    baseline,
    margin: 3,
    selection: [
      "the last epoch, as in the paper: no label chooses anything; published settings, nothing is searched",
      `${dfr} is fitted to validation images by class, background, position and size: these labels count as training supervision`,
    ],
    budget: `all have equally many steps of the network that is kept, at a constant rate as in the paper; JTT's first network and ${dfr}'s thousand steps of the last layer come on top, and ${dfr} sees the validation images`,
    seeds: { calibration: photographs ? [] : calibrationSeeds, tuning: [], reporting: seeds },
    exclusions: [
      "runs whose loss is not finite, or whose first network errs nowhere, have no accuracy; their row says so",
      "seeds that one of two compared rows lacks are in no difference",
      `${plateauRule("accuracy on the balanced validation images")}; younger standard models are compared as they are`,
    ],
    findings: (Object.keys(claims) as (keyof typeof claims)[]).map((name) => ({
      claim: claims[name],
      rule: `${compared[name]} ${judgedRule}. Also not told where ${baseline}'s mean over groups is within five points of chance`,
      family: judgedFamily,
    })),
  };
}
