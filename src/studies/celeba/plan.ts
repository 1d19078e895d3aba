/** The runs of the study of CelebA: hyperparameters of Table A6, then the pairs that Fig. 6 chooses among. */

import { methodsJob } from "../biased-mnist/plan.ts";
import { presets as biasedMnistPresets } from "../biased-mnist/presets.ts";
import { type ComparedMethod, comparedMethods, methodsNamed } from "../compared-methods.ts";
import type { RunsJob, StudyEntry } from "../jobs/runs-job.ts";
import type { PresetCard, PresetName } from "../study.ts";
import { settingsSearch, tuningRules } from "../tuning.ts";

/** The explicit variable. */
export const cue = "Male";

export interface CelebaPreset extends PresetCard {
  data: { size: number; count?: Readonly<Record<"train" | "val" | "test", number>> };
  model: Readonly<Record<string, unknown>>;
  /** Of all methods; Table A6's for each unless said. */
  optimiser?: Readonly<Record<string, unknown>>;
  epochs: number;
  /** Last epochs over which accuracies are averaged, beside those of the last one. */
  averaged: number;
  batchSize: number;
  seeds: readonly number[];
  tuning: {
    seeds: readonly number[];
    rates: readonly number[];
    weightDecays: readonly number[];
    methods: readonly string[];
  };
  /** Whether to repeat the search that led to Table A6. */
  search: boolean;
  /** Whether to make the methods' part of Biased MNIST, too: what is best on both? */
  across?: PresetName;
}

/** How the authors standardise pixels. */
const imagenetPixels = { mean: [0.485, 0.456, 0.406], deviation: [0.229, 0.224, 0.225] };

const all = comparedMethods.map(({ label }) => label);
const paperGrid = { rates: [1e-3, 1e-4, 1e-5], weightDecays: [0.1, 1e-3, 1e-5] };
const noTuning = { seeds: [], rates: [], weightDecays: [], methods: [] };

/** Table A6's rates are for sixty thousand steps; in a few thousand its smallest would learn nothing. */
const quickOptimiser = { name: "adam", rate: 1e-3, weightDecay: 1e-5 };

/** CelebA's own training split, where nothing is left out. */
const trainingImages = 162_770;

/** Of runs that settings are chosen by, and that are reported nowhere. */
export const tuningSeed = 100;

export const presets: Readonly<Record<PresetName, CelebaPreset>> = {
  smoke: {
    reduces: "everything: 32 images of 32², one epoch, a network of an eighth of the width",
    shows:
      "that every part runs on your copy; its accuracies mean nothing, and nothing is trained by its rule",
    cost: "under a minute on two cores",
    data: { size: 32, count: { train: 32, val: 10, test: 10 } },
    model: { stem: "small", width: 8 },
    epochs: 1,
    averaged: 1,
    batchSize: 8,
    seeds: [0],
    tuning: { seeds: [0], rates: [1e-3], weightDecays: [1e-3, 1e-5], methods: ["StdM"] },
    search: false,
  },
  quick: {
    reduces:
      "images of 64², 4,000 of them, ten epochs, a small ResNet, one optimiser for all methods (Adam, rate 0.001, weight decay " +
      "0.00001) instead of Table A6's, random first weights; no tuning",
    shows:
      "the groups' accuracies over three seeds, with blond men's from some ninety test images; Fig. 6 not at all",
    cost: "about an hour on two cores, by the engine's measured rates; not yet run on CelebA itself",
    data: { size: 64, count: { train: 4000, val: 1000, test: 10_000 } },
    model: { stem: "imagenet", width: 16, blocks: "1,1,1,1" },
    optimiser: quickOptimiser,
    epochs: 10,
    averaged: 2,
    batchSize: 32,
    seeds: [0, 1, 2],
    tuning: noTuning,
    search: false,
  },
  day: {
    reduces:
      "images of 64², 20,000 of them, ten epochs, a small ResNet, one optimiser for all methods (Adam, rate 0.001, weight decay " +
      "0.00001) instead of Table A6's but where it varies, random first weights, three methods where the tuning varies",
    shows:
      "Table A3, Fig. 4 and Fig. 6 over three seeds, and what is best on Biased MNIST, too; not the paper's level",
    cost: "a day or two on two cores, by the engine's measured rates; not yet run on CelebA itself",
    data: { size: 64, count: { train: 20_000, val: 5000, test: 19_962 } },
    model: { stem: "imagenet", width: 16, blocks: "1,1,1,1" },
    optimiser: quickOptimiser,
    epochs: 10,
    averaged: 2,
    batchSize: 32,
    seeds: [0, 1, 2],
    tuning: { ...paperGrid, seeds: [0, 1, 2], methods: ["StdM", "GDRO", "LfF"] },
    search: false,
    across: "day",
  },
  paper: {
    reduces:
      "nothing that the paper describes; momentum 0.9 is assumed, since it says SGD alone, and the network starts from random " +
      "weights, since it speaks of no others",
    shows:
      "the paper's experiments on this dataset, with its one seed, by which no finding about methods can be told",
    cost: "years of two cores: 162,770 images of 224², 50 epochs, hundreds of runs with the search",
    data: { size: 224 },
    model: {},
    epochs: 50,
    averaged: 10,
    batchSize: 128,
    seeds: [0],
    tuning: { ...paperGrid, seeds: [0], methods: all },
    search: true,
    across: "paper",
  },
};

/** LfF as its own paper has it: section 6.4 could not repeat what was published of it. */
export const firstLff: ComparedMethod = {
  label: "LfF, γ = 0.7",
  name: "lff",
  explicit: false,
  settings: { amplification: 0.7 },
};

/** Of Biased MNIST. */
export const otherDataset = "biased-mnist";

export function celebaJobs(preset: CelebaPreset, folder: string): RunsJob[] {
  const { rates, weightDecays, methods, seeds } = preset.tuning;
  const jobs: RunsJob[] = [
    {
      kind: "runs",
      name: "methods",
      title: "Table 1, Table A3 and Fig. 4: accuracy of each group, by method",
      entries: [...comparedMethods, firstLff].map((method) => entryOf(preset, folder, method)),
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
      seeds,
      scoredBy: tuningRules([cue]),
      cues: [cue],
    },
    {
      kind: "runs",
      name: "search",
      title: "Table A6: learning rate and weight decay, then each method's own settings",
      entries: preset.search ? comparedMethods.map((method) => entryOf(preset, folder, method)) : [],
      seeds: preset.seeds.slice(0, 1),
      search: settingsSearch(cue, tuningSeed),
      cues: [cue],
    },
    ...(preset.across === undefined
      ? []
      : [{ ...methodsJob(biasedMnistPresets[preset.across]), name: otherDataset }]),
  ];
  return jobs.filter(({ entries }) => entries.length > 0);
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
      method: {
        name: method.name,
        preset: "celeba",
        ...(method.settings && { settings: method.settings }),
        ...(method.explicit && { explicit: [cue] }),
      },
      optimiser: { ...preset.optimiser, ...at },
      pixels: imagenetPixels,
      epochs: preset.epochs,
      batchSize: preset.batchSize,
      ...(at === undefined && { measureSteps: lastSteps(preset), measureGroups: [cue] }),
    },
  };
}

/** The ends of the epochs that are averaged. */
function lastSteps({ data, batchSize, epochs, averaged }: CelebaPreset): number[] {
  const steps = Math.floor((data.count?.train ?? trainingImages) / batchSize);
  return Array.from({ length: averaged }, (_, i) => (epochs - averaged + 1 + i) * steps);
}
