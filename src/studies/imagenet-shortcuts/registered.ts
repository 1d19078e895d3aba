/** What the study of ImageNet's shortcuts fixes before anything is trained. */

import { judgedFamily, judgedRule } from "../judge.ts";
import { plateauRule } from "../plateau.ts";
import type { RegisteredPlan } from "../study.ts";
import { claims, comparisons, nameOf, type ShortcutClaim } from "./findings.ts";
import { calibrationSeeds, type ShortcutsPreset } from "./presets.ts";
import { baseline } from "./rows.ts";

const standard = `Of ${baseline}: the watermark, texture and background gaps, each claimed to be below 0, and the class gap, claimed to be above 0.`;

function compared(name: ShortcutClaim): string {
  if (name === "all") return standard;
  const each = comparisons[name].map((one) => {
    const wanted = {
      less: "less reliance",
      more: "more reliance",
      level: "equivalent to none",
    }[one.reliance];
    return `${nameOf(one)}: ${wanted}`;
  });
  return `Differences within a seed, each with what is claimed of it: ${each.join("; ")}.`;
}

export function shortcutPlan({ own, rates, epochs }: ShortcutsPreset): RegisteredPlan {
  return {
    estimands: [
      {
        name: "accuracy",
        words: own
          ? "on test images with the backgrounds of their classes and without marks, groups counting the same"
          : "on ImageNet's validation images",
      },
      {
        name: "watermark gap",
        words:
          "accuracy with the paper's mark less that without, on the same images; reliance makes it negative",
      },
      {
        name: "class gap",
        words: `the same over images of ${own?.markedClass ?? "cartons"}; reliance makes it positive`,
      },
      {
        name: "texture gap",
        words: own
          ? "accuracy with the fine grain of an image of another class less that without, on the same images"
          : "accuracy on Stylized ImageNet less that on ImageNet",
      },
      {
        name: "texture gap less control",
        words:
          "the same less that with the grain of another image of its own class: what the other class's grain costs beyond lost detail; told, and in no finding",
      },
      {
        name: "background gap",
        words: own
          ? "mean accuracy of groups before another class's background less that of groups before their own"
          : "of ImageNet-9, mixed-rand less mixed-same",
      },
    ],
    baseline: `${baseline}: the network's last layer, trained on from what it is by the same recipe`,
    margin: 3,
    selection: [
      `of the rates ${rates.join(", ")} each row takes the one that tells most validation images, which are as the training images; its last epoch`,
      "no row is told which images a shortcut misleads; augmentations are told which kinds of shortcut there are, and where things are (masks)",
    ],
    budget: `all rows begin with the network's own last layer and have ${epochs} epochs over the same features; those with further views see each image once more for each`,
    seeds: {
      calibration: own ? [...calibrationSeeds] : [],
      tuning: [],
      reporting: own?.seeds ?? [],
    },
    exclusions: [
      plateauRule("accuracy on validation images"),
      "rows that end in numbers that are none at every rate have no numbers; the report names them",
      ...(own ? [] : ["each network that is brought counts as one seed: of one alone nothing can be told"]),
    ],
    findings: (Object.keys(claims) as ShortcutClaim[]).map((name) => ({
      claim: claims[name],
      rule: `${compared(name)} ${judgedRule}`,
      family: judgedFamily,
    })),
  };
}
