/** One run of the study: a network or method on a dataset sample, and what is measured of it. */

import { factors, type PublishedFactor } from "../../published/eulig-2021.ts";
import type { StudyEntry } from "../jobs/runs-job.ts";
import type { DiagvibNetwork } from "./networks.ts";
import type { DiagvibPreset } from "./presets.ts";
import { baseline, type DiagvibMethod } from "./rows.ts";

/** Of the images of a dataset sample; 900 and above served to choose the presets' sizes. */
const imageSeed = (sample: number) => sample + 1;

export interface AskedRun {
  network: DiagvibNetwork;
  /** Of its row; the network's unless said. */
  label?: string;
  /** The usual training unless said. */
  method?: DiagvibMethod;
  study: string;
  predict: PublishedFactor;
  /** In ZSO nothing goes with anything. */
  cue?: PublishedFactor;
  /** A second one, which goes with the predicted factor as the first does. */
  other?: PublishedFactor;
  sample: number;
  /** Settings of the dataset that are this run's own. */
  data?: Readonly<Record<string, unknown>>;
}

export function entryOf(preset: DiagvibPreset, asked: AskedRun): StudyEntry {
  const { network, label = network.label, method = baseline, study, predict, cue, other, sample } = asked;
  const { rate, schedule, batchSize, epochs, patience } = preset;
  const told = method.told && cue !== undefined ? [cue] : [];
  return {
    case: {
      method: label,
      explicit: told,
      about: { study, predict, ...(cue !== undefined && { cue }), ...(other !== undefined && { other }) },
      at: { sample },
      // Groups of the class alone, whose mean is the mean per-class accuracy; with two cues also of those that are broken.
      groupings: [other === undefined ? [] : ["broken"]],
    },
    run: {
      data: {
        name: "diagvib-study",
        settings: {
          ...preset.data,
          ...asked.data,
          predict: [predict],
          // A setting that ZSO does not use, which must be another factor all the same.
          cue: [cue ?? factors.find((factor) => factor !== predict), ...(other === undefined ? [] : [other])],
          study,
          sample,
        },
        seed: imageSeed(sample),
      },
      method: {
        name: method.name,
        ...(method.settings && { settings: method.settings }),
        ...(told.length > 0 && { explicit: told }),
      },
      optimiser: { name: "adam", rate },
      ...(schedule && { schedule }),
      batchSize,
      epochs,
      select: { by: "val-loss" },
      patience,
      // Rows that are methods of their own, such as the lens, say so, and the rate that is printed of them.
      ...network.run,
    },
  };
}
