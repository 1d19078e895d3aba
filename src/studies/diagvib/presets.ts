/** How large the study of DiagViB-6 is made, from a check within a test to the paper's own size. */

import { factors, type PublishedFactor } from "../../published/eulig-2021.ts";
import type { PresetCard, PresetName } from "../study.ts";
import { type DiagvibNetwork, narrowResnet, paperNetworks, tinyNetwork } from "./networks.ts";
import { baseline, comparedMethods, type DiagvibMethod } from "./rows.ts";

export type FactorPair = readonly [predict: PublishedFactor, cue: PublishedFactor];

/** All but ZSO, which has no pairs. */
const shortcutStudies = ["ZGO", "CGO-1", "CGO-2", "CGO-3", "CHGO", "FGO-5", "FGO-10", "FGO-20"] as const;
type ShortcutStudy = (typeof shortcutStudies)[number];

export interface DiagvibPreset extends PresetCard {
  /** Why nothing is found in its accuracies. */
  meaningless?: string;
  networks: (weights: string | undefined) => readonly DiagvibNetwork[];
  pairs: readonly FactorPair[];
  studies: readonly ShortcutStudy[];
  /** Numbers of dataset samples. */
  samples: readonly number[];
  data: Readonly<Record<string, unknown>>;
  rate: number;
  batchSize: number;
  epochs: number;
  /** Epochs without a lower validation loss, after which a run ends. */
  patience: number;
  methods: MethodsPart | undefined;
}

/** Methods against shortcuts, put to generalisation opportunities. */
interface MethodsPart {
  /** The baseline is one. */
  methods: readonly DiagvibMethod[];
  pairs: readonly FactorPair[];
  samples: readonly number[];
}

const allPairs: readonly FactorPair[] = factors.flatMap((predict) =>
  factors.filter((cue) => cue !== predict).map((cue): FactorPair => [predict, cue]),
);

const bothWays = (one: PublishedFactor, other: PublishedFactor): FactorPair[] => [
  [one, other],
  [other, one],
];

/** Lightness and position are what the paper calls superposed. */
const quickPairs = [
  ...bothWays("shape", "hue"),
  ...bothWays("shape", "position"),
  ...bothWays("lightness", "position"),
];
const methodPairs: readonly FactorPair[] = [
  ["shape", "hue"],
  ["shape", "position"],
  ["hue", "position"],
];
const published = { rate: 2e-4, batchSize: 64, epochs: 30, patience: 5 };

export const presets: Readonly<Record<PresetName, DiagvibPreset>> = {
  smoke: {
    reduces:
      "everything: two pairs, two studies, two dataset samples, a few hundred images of 32 pixels, one epoch",
    shows: "that every part runs; its accuracies are chance and mean nothing",
    cost: "half a minute on two cores",
    meaningless: "one epoch of a few hundred images teaches nothing that could be judged",
    networks: () => [tinyNetwork],
    pairs: bothWays("shape", "hue"),
    studies: ["ZGO", "CHGO"],
    samples: [0, 1],
    data: { size: 32, count: { train: 180, val: 60, test: 120, testId: 0 } },
    rate: 1e-3,
    batchSize: 32,
    epochs: 1,
    patience: 1,
    methods: { methods: [baseline, comparedMethods[2]!], pairs: [["shape", "hue"]], samples: [0] },
  },
  quick: {
    reduces:
      "one network, a ResNet of eight filters and four blocks, instead of nine; images of 48 pixels instead of 128, 4,000 instead of 43,740 for " +
      "training; three pairs of factors in both directions, none with texture or scale; CGO-1, CGO-3, CHGO, FGO-5 and FGO-20 beside ZSO and ZGO; three " +
      "dataset samples for methods",
    shows:
      "which factor of a pair serves as a shortcut, and whether opportunities are taken, over five samples; six methods on three pairs, preliminary. " +
      "Averages over all five cues of a factor it cannot show. Texture stayed at chance at such sizes, and would tell nothing",
    cost: "not yet run from end to end: by nine to twelve core seconds a run in calibration about half an hour on two cores",
    networks: () => [narrowResnet],
    pairs: quickPairs,
    studies: ["ZGO", "CGO-1", "CGO-3", "CHGO", "FGO-5", "FGO-20"],
    samples: [0, 1, 2, 3, 4],
    data: { size: 48, count: { train: 4000, val: 600, test: 1500, testId: 0 } },
    rate: 2e-3,
    batchSize: 32,
    epochs: 6,
    patience: 3,
    methods: { methods: comparedMethods, pairs: methodPairs, samples: [0, 1, 2] },
  },
  day: {
    reduces:
      "one network, a ResNet of eight filters and four blocks, instead of nine; images of 64 pixels instead of 128, 8,000 instead of 43,740 for " +
      "training; three dataset samples instead of five",
    shows:
      "every pair in every study, so that averages and minima over all cues stand beside the paper's, preliminary: three samples; and six methods " +
      "on three pairs",
    cost: "not measured; by the engine's rates a day on two cores",
    networks: () => [narrowResnet],
    pairs: allPairs,
    studies: shortcutStudies,
    samples: [0, 1, 2],
    data: { size: 64, count: { train: 8000, val: 1200, test: 3000, testId: 0 } },
    rate: 1e-3,
    batchSize: 32,
    epochs: 10,
    patience: 4,
    methods: { methods: comparedMethods, pairs: methodPairs, samples: [0, 1, 2] },
  },
  paper: {
    reduces:
      "three of the nine rows: the lens and both VAEs are not built yet; RN50-IN needs weights that you bring. Batch size and rate of ResNet-18 for all " +
      "networks, since what the paper's tuning chose is not printed",
    shows: "every pair, study and dataset sample at the paper's size: 1,230 runs a network",
    cost: "years of two cores",
    networks: paperNetworks,
    pairs: allPairs,
    studies: shortcutStudies,
    samples: [0, 1, 2, 3, 4],
    data: { count: { testId: 0 } },
    ...published,
    methods: { methods: comparedMethods, pairs: methodPairs, samples: [0, 1, 2, 3, 4] },
  },
};

/** Those that any pair asks about, in the paper's order: each is to be told without a shortcut before a pair says anything. */
export function factorsOf(pairs: readonly FactorPair[]): PublishedFactor[] {
  return factors.filter((factor) => pairs.some((pair) => pair.includes(factor)));
}
