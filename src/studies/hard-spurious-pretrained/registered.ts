/** What the study of ready-made networks on Hard-Spurious-ImageNet fixes before anything is asked. */

import { judgedFamily, judgedRule } from "../judge.ts";
import { plateauRule } from "../plateau.ts";
import { imagesRule } from "../pretrained/judge-networks.ts";
import type { RegisteredPlan } from "../study.ts";
import { groupEstimands } from "./cells.ts";
import { aboutPairs, claims } from "./findings.ts";
import { augmented, baseline, narrow, type PlacedPreset, wide } from "./presets.ts";

const compared: Record<keyof typeof claims, string> = {
  background:
    "For each network: the mean of the six groups on random backgrounds less that of the six on original ones, claimed to be below 0.",
  corner:
    "For each network: the mean of the six groups in corners less that of the six in the centre, claimed to be below 0.",
  size: "For each network: the mean of the four groups of the smallest objects less that of the four of the largest, claimed to be below 0.",
  clean: "For each network: clean accuracy less the mean of the four easy groups, claimed to be above 0.",
  proportions:
    "For each network: the mean of the twelve groups with proportions kept less the mean of those squeezed, claimed to be above 0.",
  telling:
    "For each network: random less original backgrounds in version 2, less the same in version 1, claimed to be below 0.",
  masks:
    "For each network: the mean of the twelve groups cut by masks less the mean of those cut by boxes, claimed to be below 0.",
  scale: `The mean of the twelve groups of ${wide} less that of ${narrow} with the same seed, claimed to be above 0.`,
  augmented: `${augmented} less ${baseline} with the same seed: the mean of original backgrounds claimed to be above 0, that of CoR below 0.`,
};

export function placedPlan({ own }: PlacedPreset): RegisteredPlan {
  const isAsked = (claim: string) => own !== undefined || !aboutPairs.includes(claim);
  return {
    estimands: [
      ...groupEstimands,
      {
        name: "clean accuracy",
        words: own
          ? "of drawn photographs as networks were trained on them"
          : "of ImageNet's validation images, each prepared as its network says: as a rule resized and cropped",
      },
    ],
    baseline,
    margin: 3,
    selection: own
      ? [
          "the last epoch; nothing is searched",
          "classes of version 2 by accuracy on backgrounds alone, of a network of the calibration seed",
        ]
      : ["nothing is trained; the classes of version 2 are the paper's"],
    budget: own
      ? "all networks have equally many images, batches and steps"
      : "all networks are asked about the same images",
    seeds: {
      calibration: own === undefined ? [] : [calibrationSeed],
      tuning: [],
      reporting: own?.seeds ?? [],
    },
    exclusions: [
      ...(own ? [plateauRule("accuracy on the validation photographs")] : []),
      "networks that cannot be opened, or whose classes are not those of the images, are failures that the report names",
      "parts whose folder was not given are left out, and findings about them cannot be told",
    ],
    findings: (Object.keys(claims) as (keyof typeof claims)[])
      .filter((key) => isAsked(claims[key]))
      .map((key) => ({
        claim: claims[key],
        rule: `${compared[key]} ${own ? judgedRule : imagesRule}`,
        family: own ? judgedFamily : "all networks and comparisons of this finding, adjusted by Holm",
      })),
  };
}

/** Whose network told which drawn backgrounds give their class away. */
const calibrationSeed = 800;
