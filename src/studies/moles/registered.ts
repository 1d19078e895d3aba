/** What the mole board fixes before its first run. */

import { calibrationSeeds } from "../drawn-cars.ts";
import { plateauRule } from "../plateau.ts";
import type { RegisteredPlan } from "../study.ts";
import { claimRules, claims } from "./findings.ts";
import type { MolesPreset } from "./presets.ts";
import { baselineLabel } from "./rows.ts";

export function molesPlan({ seeds }: MolesPreset): RegisteredPlan {
  return {
    estimands: [
      {
        name: "change of a cue's gap",
        words:
          "accuracy on test images where the cue alone is uncommon less I.D. accuracy, of the method less of the baseline on the same draw and initial weights",
      },
    ],
    baseline: baselineLabel,
    margin: 3,
    selection: [
      "the epoch whose worst group of class and both cues is best on validation: an oracle for methods that are not told them",
      "beside it, from the same runs, the epoch chosen with no labels but those the method was given: the worst group of told cues, or the worst class",
      "published settings; nothing is searched. Just Train Twice's upweight of 20 is ours, where no paper has one: on all worlds but UrbanCars",
    ],
    budget:
      "all methods have the same images, batches and steps of the network that is kept; stages before it come on top",
    seeds: { calibration: calibrationSeeds, tuning: [], reporting: seeds },
    exclusions: [
      "runs whose loss is not finite have no accuracy; their row says so",
      "seeds that a method or the baseline lacks are in no difference",
      `${plateauRule("accuracy on the balanced validation images")}; a last layer that is solved counts as trained`,
      "worlds whose baseline is within five points of guessing in I.D. accuracy are in no finding, and have no verdicts",
    ],
    findings: Object.values(claims).map((claim) => ({
      claim,
      rule: `${claimRules[claim]}. Seen: every such row of every world is for it. Contradicted: one is against it. Else it cannot be told, and with one seed never`,
      family: "all methods and both cues of all worlds, adjusted by Holm; intervals are not adjusted",
    })),
  };
}
