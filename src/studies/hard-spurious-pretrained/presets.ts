/** How large the study of ready-made networks on Hard-Spurious-ImageNet is made. */

import type { TrainedNetwork } from "../pretrained/own-networks.ts";
import type { PresetCard, PresetName } from "../study.ts";

export interface PlacedPreset extends PresetCard {
  /** Undefined where networks and photographs are brought. */
  own?: {
    /** Of the photographs that networks are trained on. */
    data: Readonly<Record<string, unknown>>;
    steps: number;
    batchSize: number;
    seeds: readonly number[];
    networks: readonly TrainedNetwork[];
  };
  /** Of images. */
  size: number;
  /** Test images of each group and class. */
  test: number;
}

export const baseline = "ResNet, 16 filters";
export const wide = "ResNet, 32 filters";
export const narrow = "ResNet, 8 filters";
export const augmented = "ResNet, 16 filters, augmented";

/** Table 3 by size; Table 5 with random erasing, mixup and cutmix, its auto-augment being no view of ours. */
const networks: readonly TrainedNetwork[] = [
  { label: narrow, width: 8 },
  { label: baseline, width: 16 },
  { label: wide, width: 32 },
  {
    label: augmented,
    width: 16,
    augment: ["crop", { view: "erase", with: { probability: 0.25 } }, { view: "cutmix", with: { alpha: 1 } }],
  },
];

const photographs = (train: number) => ({
  size: 64,
  photographs: { train, val: 40, test: 10 },
});

/** No seed of images that networks were trained on. */
export const testSeed = 900;

export const presets: Readonly<Record<PresetName, PlacedPreset>> = {
  smoke: {
    reduces: "everything: a handful of drawn photographs and steps, networks of a few filters",
    shows: "that every part runs; its accuracies are chance and mean nothing",
    cost: "under a minute on two cores",
    own: {
      data: {
        size: 32,
        classes: ["cow", "van", "fireplug"],
        photographs: { train: 6, val: 2, test: 2, side: 64 },
      },
      steps: 6,
      batchSize: 8,
      seeds: [0, 1],
      networks: [
        { label: narrow, width: 2 },
        { label: baseline, width: 4 },
      ],
    },
    size: 32,
    test: 2,
  },
  quick: {
    reduces:
      "drawn photographs of fifteen classes at 64 pixels instead of ImageNet at 224, and networks of ours trained on them from scratch in place of the paper's; objects of 16, 24 and 32 pixels",
    shows:
      "whether networks that learned from ordinary photographs alone fail where the paper's do, over three seeds; its scale is not the paper's, so signs and order are what compares",
    cost: "about ten core minutes",
    own: { data: photographs(60), steps: 500, batchSize: 32, seeds: [0, 1, 2], networks },
    size: 64,
    test: 20,
  },
  day: {
    reduces: "as quick, with five times the photographs and ten times the steps",
    shows: "the same over six seeds, with networks that know their classes better",
    cost: "some twenty times that of quick, by its steps and seeds; not yet run",
    own: { data: photographs(300), steps: 2500, batchSize: 32, seeds: [0, 1, 2, 3, 4, 5], networks },
    size: 64,
    test: 50,
  },
  paper: {
    reduces:
      "nothing but what is not brought: the networks and ImageNet's images are yours, holes are filled by OpenCV unless inpainted images are given",
    shows: "the paper's cells for your networks, beside its own; intervals are over images alone",
    cost: "600,000 images a network and variant with all fifty a class: a network of 100 images a second takes two hours for each",
    size: 224,
    test: 50,
  },
};
