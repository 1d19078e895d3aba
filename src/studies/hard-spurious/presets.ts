/** How large the study of training on Hard-Spurious-ImageNet is made, from a check within a test to the paper's own size. */

import type { PresetCard, PresetName } from "../study.ts";

export interface TrainedPreset extends PresetCard {
  /** Of the images, but for how many of which groups there are to train on. */
  data: Readonly<Record<string, unknown>>;
  /** How many there are. */
  classes: number;
  model: { name: string; options?: Readonly<Record<string, unknown>> };
  /** The paper's, unless said. */
  optimiser?: Readonly<Record<string, unknown>>;
  /** Views of training images; the paper's crop and flip, unless said. */
  augment?: readonly unknown[];
  batchSize: number;
  /** Training images of each easy group and class, of each medium and hard one, and of each where all have as many. */
  train: { easy: number; others: number; equal: number };
  /** Epochs of the standard model; other training sets get as many steps. */
  epochs: number;
  /** Steps of such an epoch: the last, incomplete batch is left out. Undefined where classes are not known before. */
  stepsPerEpoch: number;
  /** After how many of its epochs its last layer is also fitted anew. */
  refitted: readonly number[];
  /** Epochs of JTT's first network. */
  first: readonly number[];
  seeds: readonly number[];
  /** Whether photographs, and weights to begin with, are brought. */
  photographs?: true;
}

/** Seeds whose images, weights and accuracies are reported nowhere. */
export const calibrationSeeds: readonly number[] = [800, 801, 802];

const drawn = {
  model: { name: "resnet18", options: { stem: "imagenet", width: 8, blocks: "1,1,1,1" } },
  optimiser: { name: "adam", rate: 1e-3, weightDecay: 1e-3 },
  augment: ["flip"],
  batchSize: 32,
};

export const presets: Readonly<Record<PresetName, TrainedPreset>> = {
  smoke: {
    reduces: "everything: a handful of drawn photographs and steps, a network of a few filters",
    shows: "that every kind of row runs; its accuracies are chance and mean nothing",
    cost: "under a minute on two cores",
    ...drawn,
    data: {
      size: 32,
      classes: ["cow", "van", "fireplug"],
      inpaint: "tiled",
      photographs: { train: 4, side: 64 },
      count: { val: 2, test: 2 },
    },
    classes: 3,
    model: { name: "small-cnn", options: { width: 4 } },
    batchSize: 8,
    train: { easy: 4, others: 1, equal: 2 },
    epochs: 2,
    stepsPerEpoch: 9,
    refitted: [1],
    first: [1],
    seeds: [0, 1],
  },
  quick: {
    reduces:
      "drawn photographs of six classes at 48 pixels instead of a thousand at 224, objects of 12, 18 and 24 pixels, a ResNet of eight filters and four blocks from scratch with Adam instead of a ResNet-50 that begins with ImageNet's weights, with SGD",
    shows:
      "changes of some points over five seeds, as means of a category's groups; a group of one seed has 300 images, so that its own number is known to within five points",
    cost: "about twenty minutes of one core, by the rate of single runs",
    ...drawn,
    data: {
      size: 48,
      classes: ["truck", "fireplug", "stop-sign", "cow", "horse", "sheep"],
      dilation: 5,
      photographs: { train: 80, side: 64 },
      count: { val: 20, test: 50 },
    },
    classes: 6,
    train: { easy: 80, others: 10, equal: 33 },
    epochs: 30,
    stepsPerEpoch: 75,
    refitted: [6, 15],
    first: [15],
    seeds: [0, 1, 2, 3, 4],
  },
  day: {
    reduces:
      "drawn photographs of fifteen classes at 64 pixels, objects of 16, 24 and 32 pixels, a ResNet of sixteen filters and four blocks from scratch with Adam",
    shows: "the same over six seeds, with a thousand test images a group and twice as many classes",
    cost: "some fifteen hours on two cores, by the rate of quick; not yet run",
    ...drawn,
    data: { size: 64, photographs: { train: 80 }, count: { val: 20, test: 70 } },
    classes: 15,
    model: { name: "resnet18", options: { stem: "imagenet", width: 16, blocks: "1,1,1,1" } },
    train: { easy: 80, others: 10, equal: 33 },
    epochs: 40,
    stepsPerEpoch: 187,
    refitted: [5, 10, 20, 30],
    first: [1, 40],
    seeds: [0, 1, 2, 3, 4, 5],
  },
  paper: {
    reduces:
      "nothing but what is not brought: photographs, their boxes and the weights of a network are yours; holes are filled by OpenCV unless inpainted images are given",
    shows: "every row of Tables 6 and 7 and of Figure 7 with the paper's network, recipe and sizes",
    cost: "years of two cores: a ResNet-50 at 224 pixels over 400,000 images for 20 epochs, a dozen times for each seed",
    data: { source: "photos", size: 224 },
    classes: 1000,
    model: { name: "resnet50" },
    batchSize: 256,
    train: { easy: 80, others: 10, equal: 33 },
    epochs: 20,
    // Of a thousand classes.
    stepsPerEpoch: 1562,
    refitted: [5, 10, 15],
    first: [1, 20],
    seeds: [0, 1, 2],
    photographs: true,
  },
};
