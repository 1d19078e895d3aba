/** How large the pools of the study are made, from a check within a test to what the paper trained. */

import type { PoolSize } from "../cheap-pool.ts";
import type { PresetCard, PresetName } from "../study.ts";

export interface WellSpecifiedPreset extends PresetCard, PoolSize {
  /** Why nothing is found in its accuracies. */
  meaningless?: string;
  /** Environments of ColoredMNIST that are left out, by how often colour agrees with the label. */
  leftOut: readonly number[];
  /** Biased MNIST: how often each cue has its class's value in training; 0.1 tells nothing. */
  pBias: readonly number[];
  /** At which a control is trained and tested alike. */
  keptBias: number;
  biasedMnist: Readonly<Record<string, unknown>>;
  /** DiagViB-6: predicted factor and cue, and the studies of each pair. */
  pairs: readonly (readonly [predict: string, cue: string])[];
  studies: readonly string[];
  samples: readonly number[];
  diagvib: Readonly<Record<string, unknown>>;
  urbanCars: Readonly<Record<string, unknown>>;
  hardSpurious: Readonly<Record<string, unknown>>;
}

const factors = ["position", "hue", "lightness", "scale", "shape", "texture"];

export const presets: Readonly<Record<PresetName, WellSpecifiedPreset>> = {
  smoke: {
    reduces: "everything: 16 classifiers a pool, 30 steps, a few hundred small images",
    shows: "that every part runs; its accuracies are near chance and mean nothing",
    cost: "about 20 seconds on two cores",
    meaningless: "a few steps on a few hundred images teach nothing that could be judged",
    classifiers: 16,
    networks: { count: 0, names: [] },
    steps: 30,
    checkpoints: 2,
    firstStep: 10,
    trainImages: 240,
    testImages: 120,
    leftOut: [0.9],
    pBias: [0.1, 0.9],
    keptBias: 0.9,
    biasedMnist: { scale: 48, count: { train: 300, val: 120, test: 120 } },
    pairs: [["hue", "shape"]],
    studies: ["ZSO", "ZGO"],
    samples: [0],
    diagvib: { size: 32, count: { train: 300, val: 120, test: 120, testId: 0 } },
    urbanCars: {
      size: 64,
      count: { train: 200, val: 0, test: 80 },
      backgrounds: { train: 4, val: 1, test: 4 },
    },
    hardSpurious: {
      size: 32,
      classes: ["cow", "van", "fireplug"],
      inpaint: "exact",
      photographs: { side: 64 },
      count: { train: { easy: 8, medium: 2, hard: 2 }, val: 0, test: 4 },
    },
  },
  quick: {
    reduces:
      "192 cheap classifiers (24 draws of eight) and six narrow networks for each split instead of thousands of points of pretrained networks; " +
      "images of 28² to 64²; two pairs of DiagViB-6's factors and one draw of their classes",
    shows:
      "a verdict for every family, among classifiers of limited means: what they cannot learn, such as digits in an unbiased " +
      "Biased MNIST, no point shows",
    cost:
      "about 40 minutes on two cores: 53 minutes of processor time were measured for all but 78 of its 138 networks, which take " +
      "some 12 seconds each",
    classifiers: 192,
    networks: { count: 6, names: ["small-cnn:width=8", "small-cnn:width=16"] },
    steps: 1000,
    checkpoints: 8,
    firstStep: 50,
    trainImages: 5000,
    testImages: 2000,
    leftOut: [0.1, 0.2, 0.9],
    pBias: [0.1, 0.5, 0.75, 0.9, 0.95, 0.99],
    keptBias: 0.9,
    biasedMnist: { scale: 48, count: { train: 5000, val: 2000, test: 2000 } },
    pairs: [
      ["shape", "hue"],
      ["hue", "shape"],
    ],
    studies: ["ZSO", "FGO-20", "FGO-5", "CGO-2", "ZGO"],
    samples: [0],
    diagvib: { size: 64, count: { train: 5000, val: 2000, test: 2000, testId: 0 } },
    urbanCars: { size: 64, count: { train: 6000, val: 0, test: 2000 } },
    hardSpurious: {
      size: 64,
      inpaint: "exact",
      count: { train: { easy: 80, medium: 10, hard: 10 }, val: 0, test: 20 },
    },
  },
  day: {
    reduces:
      "512 cheap classifiers (64 draws of eight) and 16 narrow networks for each split, trained twice as long as in quick; images of 28² to 64²; " +
      "four pairs of DiagViB-6's factors and one draw of their classes",
    shows: "the same for more settings, with narrower intervals",
    cost: "not measured; by the processor time of single pools of quick about seven hours on two cores",
    classifiers: 512,
    networks: { count: 16, names: [] },
    steps: 2000,
    checkpoints: 8,
    firstStep: 50,
    trainImages: 10_000,
    testImages: 4000,
    leftOut: [0.1, 0.2, 0.9],
    pBias: [0.1, 0.3, 0.5, 0.6, 0.7, 0.75, 0.8, 0.9, 0.95, 0.99],
    keptBias: 0.9,
    biasedMnist: { scale: 48, count: { train: 10_000, val: 4000, test: 4000 } },
    pairs: [
      ["shape", "hue"],
      ["hue", "shape"],
      ["lightness", "hue"],
      ["hue", "lightness"],
    ],
    studies: ["ZSO", "FGO-20", "FGO-10", "FGO-5", "CGO-3", "CGO-2", "CGO-1", "CHGO", "ZGO"],
    samples: [0],
    diagvib: { size: 64, count: { train: 10_000, val: 4000, test: 4000, testId: 0 } },
    urbanCars: { size: 64, count: { train: 12_500, val: 0, test: 4000 } },
    hardSpurious: {
      size: 64,
      count: { train: { easy: 160, medium: 20, hard: 20 }, val: 0, test: 40 },
    },
  },
  paper: {
    reduces:
      "the networks: small ones instead of ResNets, DenseNets, ViTs and ConvNeXts that were pretrained; as many points a " +
      "split as Table 3 has for ColoredMNIST",
    shows: "all pairs, studies and samples of DiagViB-6, and everything at its published size",
    cost: "not measured: days on a larger machine",
    classifiers: 1280,
    networks: { count: 128, names: [] },
    steps: 5000,
    checkpoints: 8,
    firstStep: 300,
    trainImages: 50_000,
    testImages: 10_000,
    leftOut: [0.1, 0.2, 0.9],
    pBias: [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.9, 0.95, 0.99],
    keptBias: 0.9,
    biasedMnist: { scale: 96 },
    pairs: factors.flatMap((predict) =>
      factors.filter((cue) => cue !== predict).map((cue) => [predict, cue] as const),
    ),
    studies: ["ZSO", "FGO-20", "FGO-10", "FGO-5", "CGO-3", "CGO-2", "CGO-1", "CHGO", "ZGO"],
    samples: [0, 1, 2, 3, 4],
    diagvib: { count: { testId: 0 } },
    urbanCars: {},
    hardSpurious: {},
  },
};
