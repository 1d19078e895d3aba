/** The runs of the study of DiagViB-6: every network on every study, pair and dataset sample, and methods on two studies. */

import { factors, type PublishedFactor } from "../../published/eulig-2021.ts";
import type { RunsJob, StudyEntry } from "../jobs/runs-job.ts";
import type { DiagvibNetwork } from "./networks.ts";
import { type DiagvibPreset, type FactorPair, factorsOf } from "./presets.ts";
import { baseline, type DiagvibMethod, methodStudies } from "./rows.ts";

/** Weights begin alike in all runs of a network, as in the paper; samples and images differ. */
export const modelSeed = 1;

/** Of the images of a dataset sample; 900 and above served to choose the presets' sizes. */
const imageSeed = (sample: number) => sample + 1;

export const methodsPart = "methods";

export function diagvibJobs(preset: DiagvibPreset, weights: string | undefined): RunsJob[] {
  const networks = preset.networks(weights).filter(({ run }) => run !== undefined);
  const { methods } = preset;
  return [
    {
      ...runsPart("zso", "ZSO: every factor without a shortcut, which is to be checked first (Table A2)"),
      entries: networks.flatMap((network) =>
        factorsOf(preset.pairs).flatMap((predict) =>
          preset.samples.map((sample) => entryOf(preset, { network, study: "ZSO", predict, sample })),
        ),
      ),
    },
    ...preset.studies.map((study) => ({
      ...runsPart(study.toLowerCase(), `${study}: ${titles[study]}`),
      entries: networks.flatMap((network) =>
        preset.pairs.flatMap((pair) =>
          preset.samples.map((sample) => entryOf(preset, { network, study, ...named(pair), sample })),
        ),
      ),
    })),
    ...(methods === undefined
      ? []
      : [
          {
            ...runsPart(
              methodsPart,
              "Methods against shortcuts on CGO-1 and FGO-10: do they take opportunities better?",
            ),
            entries: methods.methods.flatMap((method) =>
              methodStudies.flatMap((study) =>
                methods.pairs.flatMap((pair) =>
                  methods.samples.map((sample) =>
                    entryOf(preset, {
                      label: method.label,
                      network: networks[0]!,
                      method,
                      study,
                      ...named(pair),
                      sample,
                    }),
                  ),
                ),
              ),
            ),
          },
        ]),
  ];
}

const titles: Readonly<Record<DiagvibPreset["studies"][number], string>> = {
  ZGO: "label and cue always together (Table A3)",
  "CGO-1": "one more combination (Table A4)",
  "CGO-2": "two more combinations (Table A5)",
  "CGO-3": "three more combinations (Table A6)",
  CHGO: "one class coupled, two free (Table 2)",
  "FGO-5": "5% of violations (Table A7)",
  "FGO-10": "10% of violations (Table A8)",
  "FGO-20": "20% of violations (Table A9)",
};

function runsPart(name: string, title: string): Omit<RunsJob, "entries"> {
  return { kind: "runs", name, title, seeds: [modelSeed], cues: [] };
}

function named([predict, cue]: FactorPair) {
  return { predict, cue };
}

interface AskedRun {
  network: DiagvibNetwork;
  /** Of its row; the network's unless said. */
  label?: string;
  /** The usual training unless said. */
  method?: DiagvibMethod;
  study: string;
  predict: PublishedFactor;
  /** In ZSO nothing goes with anything. */
  cue?: PublishedFactor;
  sample: number;
}

function entryOf(
  preset: DiagvibPreset,
  { network, label = network.label, method = baseline, study, predict, cue, sample }: AskedRun,
): StudyEntry {
  const { rate, batchSize, epochs, patience } = preset;
  return {
    case: {
      method: label,
      explicit: method.told && cue !== undefined ? [cue] : [],
      about: { study, predict, ...(cue !== undefined && { cue }) },
      at: { sample },
      // Groups of the class alone: their mean is the mean per-class accuracy.
      groupings: [[]],
    },
    run: {
      data: {
        name: "diagvib-study",
        settings: {
          ...preset.data,
          predict: [predict],
          // A setting that ZSO does not use, which must be another factor all the same.
          cue: [cue ?? factors.find((factor) => factor !== predict)],
          study,
          sample,
        },
        seed: imageSeed(sample),
      },
      ...network.run,
      method: {
        name: method.name,
        ...(method.settings && { settings: method.settings }),
        ...(method.told && cue !== undefined && { explicit: [cue] }),
      },
      optimiser: { name: "adam", rate },
      batchSize,
      epochs,
      select: { by: "val-loss" },
      patience,
    },
  };
}
