/** What the study of ImageNet-W fixes before anything is asked. */

import { judgedFamily, judgedRule } from "../judge.ts";
import { plateauRule } from "../plateau.ts";
import { imagesRule } from "../pretrained/judge-networks.ts";
import type { RegisteredPlan } from "../study.ts";
import { aboutPairs, claims } from "./findings.ts";
import { aware, baseline, type MarkedPreset, unaware } from "./presets.ts";

const compared: Record<keyof typeof claims, string> = {
  gap: "Accuracy with the paper's text less that without, on the same images, claimed to be below 0.",
  pushed:
    "The class's mean probability with the mark less that without, over all images, and its accuracy with the mark less that without, both claimed to be above 0.",
  discovered:
    "All classes by how much the mark raises their mean probability over all images. Seen: in every network and seed the class is first, and its rise is above 0 by the 95% interval over images. Contradicted: in one it has risen so and another class is before it. Else it cannot be told.",
  content: "The gap of the paper's text less the mean gap of the other contents, claimed to be below 0.",
  unaware: `For each of ${unaware.join(", ")}: its gap less that of ${baseline} with the same seed, claimed to be above 0.`,
  aware: `The gap of ${aware} less that of ${baseline} with the same seed, claimed to be above 0.`,
};

/** On which the world was found: training photographs, and those that networks were asked about. */
const calibrationSeeds = [800, 801, 950];

export function markedPlan({ own }: MarkedPreset): RegisteredPlan {
  const byCount = claims.discovered;
  return {
    estimands: [
      {
        name: "IN-W gap",
        words: "accuracy with the watermark less that without, over all images; reliance makes it negative",
      },
      {
        name: "class gap",
        words: `the same over images of ${own?.markedClass ?? "cartons"}; reliance makes it positive`,
      },
      {
        name: "P and ΔP",
        words:
          "that class's mean probability without the mark, and by how much the mark raises it: over all images, and over its own",
      },
      {
        name: "further gaps",
        words:
          "accuracy on a variant less that on ImageNet, among the variant's classes; of ImageNet-9 mixed-rand less mixed-same over its nine classes",
      },
    ],
    baseline: own === undefined ? "none: each network is told of by itself" : baseline,
    margin: 3,
    selection: [own ? "the last epoch; nothing is searched" : "nothing is trained or chosen"],
    budget: own
      ? "all networks have equally many images, batches and steps"
      : "all networks are asked about the same images",
    seeds: { calibration: own ? [...calibrationSeeds] : [], tuning: [], reporting: own?.seeds ?? [] },
    exclusions: [
      ...(own ? [plateauRule("accuracy on the validation photographs")] : []),
      "networks that cannot be opened, or whose classes are not those of the images, are failures that the report names",
      "variants that were not given are left out, and said to be",
    ],
    findings: (Object.keys(claims) as (keyof typeof claims)[])
      .filter((key) => own !== undefined || !aboutPairs.includes(claims[key]))
      .map((key) => ({
        claim: claims[key],
        rule: claims[key] === byCount ? compared[key] : `${compared[key]} ${own ? judgedRule : imagesRule}`,
        family:
          claims[key] === byCount
            ? "not adjusted: it is counted"
            : own
              ? judgedFamily
              : "all networks and comparisons of this finding, adjusted by Holm",
      })),
  };
}
