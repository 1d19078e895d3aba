/** The runs of the study of CelebA: hyperparameters of Table A6, then the pairs that Fig. 6 chooses among. */

import { type ComparedMethod, comparedMethods, methodsNamed } from "../compared-methods.ts";
import type { RunsJob, StudyEntry } from "../jobs/runs-job.ts";
import type { PresetCard, PresetName } from "../study.ts";
import { tuningRules } from "../tuning.ts";

/** The explicit variable. */
export const cue = "Male";

interface CelebaPreset extends PresetCard {
  data: Readonly<Record<string, unknown>>;
  model: Readonly<Record<string, unknown>>;
  epochs: number;
  batchSize: number;
  seeds: readonly number[];
  tuning: { rates: readonly number[]; weightDecays: readonly number[]; methods: readonly string[] };
}

/** How the authors standardise pixels. */
const imagenetPixels = { mean: [0.485, 0.456, 0.406], deviation: [0.229, 0.224, 0.225] };

const all = comparedMethods.map(({ label }) => label);
const paperGrid = { rates: [1e-3, 1e-4, 1e-5], weightDecays: [0.1, 1e-3, 1e-5] };

export const presets: Readonly<Record<PresetName, CelebaPreset>> = {
  smoke: {
    reduces: "everything: 32 images of 32², one epoch, a network of an eighth of the width",
    shows: "that every part runs on your copy; its accuracies mean nothing",
    cost: "under a minute on two cores",
    data: { size: 32, count: { train: 32, val: 10, test: 10 } },
    model: { stem: "small", width: 8 },
    epochs: 1,
    batchSize: 8,
    seeds: [0],
    tuning: { rates: [1e-3], weightDecays: [1e-3, 1e-5], methods: ["StdM"] },
  },
  quick: {
    reduces:
      "images of 64², 8,000 of them, four epochs, a network of a quarter of the width, random first weights",
    shows: "the groups' accuracies; not the paper's level, and with one seed no finding about methods",
    cost: "about an hour on two cores, by the engine's measured rates; not yet run on CelebA itself",
    data: { size: 64, count: { train: 8000, val: 2000, test: 4000 } },
    model: { stem: "small", width: 16 },
    epochs: 4,
    batchSize: 64,
    seeds: [0],
    tuning: { rates: [1e-3, 1e-4], weightDecays: [0.1, 1e-5], methods: ["StdM", "GDRO"] },
  },
  day: {
    reduces: "images of 64², 40,000 of them, eight epochs, a network of half the width, random first weights",
    shows: "Table A3, Fig. 4 and Fig. 6; not the paper's level, and with one seed no finding about methods",
    cost: "a day or more on two cores, by the engine's measured rates; not yet run on CelebA itself",
    data: { size: 64, count: { train: 40_000, val: 10_000, test: 15_000 } },
    model: { stem: "small", width: 32 },
    epochs: 8,
    batchSize: 128,
    seeds: [0],
    tuning: { ...paperGrid, methods: ["StdM", "GDRO", "LfF"] },
  },
  paper: {
    reduces: "nothing; the network starts from random weights, since the paper speaks of no others",
    shows:
      "everything that the paper shows, with its one seed, by which no finding about methods can be told",
    cost: "months of two cores: 162,770 images of 224², 50 epochs, 80 runs",
    data: { size: 224 },
    model: {},
    epochs: 50,
    batchSize: 128,
    seeds: [0],
    tuning: { ...paperGrid, methods: all },
  },
};

export function celebaJobs(preset: CelebaPreset, folder: string): RunsJob[] {
  const { rates, weightDecays, methods } = preset.tuning;
  return [
    {
      kind: "runs",
      name: "methods",
      title: "Table 1, Table A3 and Fig. 4: accuracy of each group, by method",
      entries: comparedMethods.map((method) => entryOf(preset, folder, method)),
      seeds: preset.seeds,
      cues: [cue],
    },
    {
      kind: "runs",
      name: "tuning",
      title: "Fig. 6: learning rate and weight decay, chosen by validation sets of other priors",
      entries: methodsNamed(methods).flatMap((method) =>
        rates.flatMap((rate) =>
          weightDecays.map((weightDecay) => entryOf(preset, folder, method, { rate, weightDecay })),
        ),
      ),
      seeds: preset.seeds.slice(0, 1),
      scoredBy: tuningRules([cue]),
      cues: [cue],
    },
  ];
}

function entryOf(
  preset: CelebaPreset,
  folder: string,
  method: ComparedMethod,
  at?: { rate: number; weightDecay: number },
): StudyEntry {
  return {
    case: {
      method: method.label,
      explicit: method.explicit ? [cue] : [],
      ...(at && { at }),
      groupings: [[cue]],
    },
    run: {
      data: { name: "celeba", settings: { ...preset.data, folder, target: "Blond_Hair", cue: [cue] } },
      model: { name: "resnet18", options: preset.model },
      method: { name: method.name, preset: "celeba", ...(method.explicit && { explicit: [cue] }) },
      optimiser: { ...at },
      pixels: imagenetPixels,
      epochs: preset.epochs,
      batchSize: preset.batchSize,
    },
  };
}
