/** The runs of the study of Waterbirds: Table 20's rows, by UrbanCars' recipe, each epoch chosen by two rules from one training. */

import type { RunsJob, StudyEntry } from "../jobs/runs-job.ts";
import { honestRule, keptBy, oracleRule } from "../moles/standings.ts";
import type { PresetCard, PresetName } from "../study.ts";

/** A column of `metadata.csv`: land or water. */
export const cue = "place";
export const baseline = "ERM";

/** As Li et al. 2023, who choose by the labels of the shortcut whatever a method is told; and by classes alone. */
export const paperRule = oracleRule([cue]);
export const honest = honestRule([]);

interface WaterbirdsPreset extends PresetCard {
  size: number;
  model: { name: string; options?: Readonly<Record<string, unknown>> };
  /** The paper's, unless said. */
  optimiser?: Readonly<Record<string, unknown>>;
  batchSize: number;
  /** The preset of the paper goes by its 300 epochs. */
  steps?: number;
  seeds: readonly number[];
}

const small = {
  model: { name: "small-cnn", options: { width: 16 } },
  optimiser: { name: "adam", rate: 1e-3, weightDecay: 1e-4 },
  batchSize: 64,
};

export const presets: Readonly<Record<PresetName, WaterbirdsPreset>> = {
  smoke: {
    reduces: "everything but the images: 32 pixels, a handful of steps, a network of a few filters",
    shows: "that every part runs on your copy; its accuracies are chance and mean nothing",
    cost: "a few minutes on two cores, most of it for reading the images",
    ...small,
    size: 32,
    model: { name: "small-cnn", options: { width: 4 } },
    batchSize: 16,
    steps: 6,
    seeds: [0, 1],
  },
  quick: {
    reduces:
      "images of 64 pixels instead of 224, a small network from scratch instead of a ResNet-50 that begins with ImageNet's weights, 1,500 steps with Adam instead of 300 epochs with SGD",
    shows: "changes of some points over five seeds; signs and order are what compares with the paper",
    cost: "about an hour on two cores, by the engine's measured rates; not yet run on Waterbirds itself",
    ...small,
    size: 64,
    steps: 1500,
    seeds: [0, 1, 2, 3, 4],
  },
  day: {
    reduces: "images of 128 pixels, a ResNet-18 from scratch, 4,000 steps with Adam",
    shows: "the same with a network that sees more of the bird, over five seeds",
    cost: "about a day on two cores, by the engine's measured rates; not yet run on Waterbirds itself",
    ...small,
    size: 128,
    model: { name: "resnet18", options: { stem: "small", width: 32 } },
    steps: 4000,
    seeds: [0, 1, 2, 3, 4],
  },
  paper: {
    reduces: "the start from ImageNet's weights, which cannot be part of this package",
    shows: "every row with the paper's network, recipe and length",
    cost: "months of two cores: a ResNet-50 at 224 pixels for 300 epochs, 24 times",
    size: 224,
    model: { name: "resnet50" },
    batchSize: 128,
    seeds: [0, 1, 2, 3, 4, 5],
  },
};

/** Rows of Table 20, by their words there. */
export const rows: readonly { label: string; published: string; augment?: readonly unknown[] }[] = [
  { label: baseline, published: "ERM" },
  {
    label: "Mixup",
    published: "Mixup (α = 0.05)",
    augment: [{ view: "mixup", with: { alpha: 0.05 } }],
  },
  {
    label: "Cutout",
    published: "Cutout (p = 0.1)",
    augment: [{ view: "erase", with: { probability: 0.1 } }],
  },
  { label: "CutMix", published: "CutMix (α = 1.0)", augment: [{ view: "cutmix", with: { alpha: 1 } }] },
];

export function waterbirdsJobs(preset: WaterbirdsPreset, folder: string): RunsJob[] {
  return [
    {
      kind: "runs",
      name: "augmentations",
      title: "Table 20: the mean and the worst of the four groups, by augmentation",
      entries: rows.map((row) => entryOf(preset, folder, row)),
      seeds: preset.seeds,
      cues: [cue],
    },
  ];
}

function entryOf(
  preset: WaterbirdsPreset,
  folder: string,
  { label, augment = [] }: (typeof rows)[number],
): StudyEntry {
  const { rules, run } = keptBy([paperRule, honest]);
  const { size, model, optimiser, batchSize, steps } = preset;
  return {
    case: { method: label, explicit: [], groupings: [[cue]], rules },
    run: {
      data: { path: folder, size, columns: { cues: [cue] } },
      model,
      method: { name: "erm", preset: "urban-cars" },
      ...(optimiser && { optimiser }),
      ...(steps !== undefined && { steps }),
      batchSize,
      augment: ["flip", ...augment],
      ...run,
    },
  };
}
