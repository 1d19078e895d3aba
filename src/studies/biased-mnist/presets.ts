/** How large the study of Biased MNIST is made, from a check within a test to the paper's own size. */

import { allForms, comparedMethods } from "../compared-methods.ts";
import type { PresetCard, PresetName } from "../study.ts";
import { growingOrder } from "./variables.ts";

export interface BiasedMnistPreset extends PresetCard {
  /** Settings of the dataset, but for how closely its variables go with the class. */
  data: { scale: number; count?: Readonly<Record<"train" | "val" | "test", number>> };
  pBias: number;
  model: { name: string; options: Readonly<Record<string, number | string>> };
  /** Learning rate; the paper's for each method unless said. */
  rate?: number;
  /** How it goes on; constant, as in the paper, unless said. */
  schedule?: Readonly<Record<string, unknown>>;
  epochs: number;
  batchSize: number;
  seeds: readonly number[];
  /** Table 1, Table A4 and Fig. 3: which methods, and which variables are explicit in runs of their own. */
  methods: readonly string[];
  explicit: readonly string[];
  /** Fig. 5 and Table A5: how many variables are explicit, from the front of the order. */
  growing: { counts: readonly number[]; methods: readonly string[] };
  /** Fig. A7. */
  strengths: { values: readonly number[]; methods: readonly string[] };
  /** Whether repetition brings the told variable back: the same steps over few images and over many. */
  repeats: {
    methods: readonly string[];
    pBias: number;
    lengths: readonly { images: number; epochs: number }[];
  };
  /** Fig. A8 and Fig. 6: every pair is a run. */
  hyperparameters: {
    seeds: readonly number[];
    rates: readonly number[];
    weightDecays: readonly number[];
    methods: readonly string[];
  };
  /** Whether to repeat the search that led to Table A6. */
  search: boolean;
}

const all = comparedMethods.map(({ label }) => label);
const forms = allForms.map(({ label }) => label);

/** What Table A5 and Fig. 5 have, with both forms of IRMv1. */
const allGrowing = { counts: [1, 2, 3, 4, 5, 6, 7], methods: forms };

/** Batch normalisation and strides: it turns from shortcuts to digits after a third of the images that the paper's network needs. */
const smallResNet = (width: number) => ({
  name: "resnet18",
  options: { stem: "imagenet", width, blocks: "1,1,1,1" },
});

/** At a constant rate validation accuracy still rose by two points over the last fifth of sixteen epochs. */
const falling = { name: "cosine" };

const none = { seeds: [], rates: [], weightDecays: [], methods: [] };

export const presets: Readonly<Record<PresetName, BiasedMnistPreset>> = {
  smoke: {
    reduces: "everything: 600 images of 48², one epoch, a network of an eighth of the width",
    shows:
      "that every part runs; its accuracies are chance and mean nothing, and nothing is trained by its rule",
    cost: "half a minute on two cores",
    data: { scale: 48, count: { train: 600, val: 200, test: 300 } },
    pBias: 0.5,
    model: { name: "biased-mnist-cnn", options: { width: 4 } },
    epochs: 1,
    batchSize: 64,
    seeds: [0],
    methods: forms,
    explicit: ["distractorShape"],
    growing: { counts: [1, 7], methods: all },
    strengths: { values: [0.3, 0.5], methods: ["StdM"] },
    repeats: { methods: ["GDRO"], pBias: 0.7, lengths: [{ images: 300, epochs: 2 }] },
    hyperparameters: { seeds: [0], rates: [1e-3, 1e-4], weightDecays: [1e-5], methods: ["StdM"] },
    search: false,
  },
  quick: {
    reduces:
      "images of 48² instead of 96², 6,000 instead of 50,000, twenty epochs in batches of 32 at a rate of 0.003 that falls along a " +
      "cosine, a small ResNet instead of the paper's network, p_bias 0.5 instead of 0.7, five of eight methods, the distractor shape as the one " +
      "explicit variable; neither more variables nor other strengths of the bias nor tuning",
    shows:
      "over three seeds, gaps by variable, differences of several points between methods, both forms of IRMv1, and whether " +
      "repetition brings the told variable back; Fig. 5, Fig. A7, Fig. A8 and Fig. 6 not at all",
    cost: "about 40 minutes on two cores, by measured rates",
    data: { scale: 48, count: { train: 6000, val: 2000, test: 10_000 } },
    pBias: 0.5,
    model: smallResNet(16),
    rate: 3e-3,
    schedule: falling,
    epochs: 20,
    batchSize: 32,
    seeds: [0, 1, 2],
    methods: ["StdM", "UpWt", "GDRO", "IRMv1", "IRMv1 by cues", "LfF"],
    explicit: ["distractorShape"],
    growing: { counts: [], methods: [] },
    strengths: { values: [], methods: [] },
    repeats: {
      methods: ["GDRO"],
      pBias: 0.7,
      lengths: [
        { images: 2000, epochs: 30 },
        { images: 10_000, epochs: 6 },
      ],
    },
    hyperparameters: none,
    search: false,
  },
  day: {
    reduces:
      "images of 48² instead of 96², 20,000 instead of 50,000, ten epochs in batches of 32 at a rate of 0.003 that falls along a cosine, a small " +
      "ResNet instead of the paper's network, four methods where the tuning varies",
    shows:
      "all of it but the search, at the paper's p_bias of 0.7, with every explicit variable, over three seeds",
    cost: "about a day on two cores, by measured rates",
    data: { scale: 48, count: { train: 20_000, val: 5000, test: 10_000 } },
    pBias: 0.7,
    model: smallResNet(16),
    rate: 3e-3,
    schedule: falling,
    epochs: 10,
    batchSize: 32,
    seeds: [0, 1, 2],
    methods: forms,
    explicit: growingOrder,
    growing: allGrowing,
    strengths: { values: [0.5, 0.6, 0.7, 0.8, 0.9], methods: all },
    repeats: {
      methods: ["GDRO", "IRMv1"],
      pBias: 0.7,
      lengths: [
        { images: 5000, epochs: 30 },
        { images: 50_000, epochs: 3 },
      ],
    },
    hyperparameters: {
      seeds: [0, 1, 2],
      rates: [3e-3, 1e-3, 1e-4],
      weightDecays: [1e-1, 1e-3, 1e-5],
      methods: ["StdM", "UpWt", "GDRO", "LfF"],
    },
    search: false,
  },
  paper: {
    reduces:
      "nothing of what the paper describes; what it leaves open, such as paddings, is decided in docs/biased-mnist.md",
    shows:
      "all of the paper's experiments on this dataset, with its three seeds, and with one where it has one",
    cost: "months of two cores: 96² images, 50,000 of them, 30 epochs, hundreds of runs",
    data: { scale: 96 },
    pBias: 0.7,
    model: { name: "biased-mnist-cnn", options: { width: 32 } },
    epochs: 30,
    batchSize: 128,
    seeds: [0, 1, 2],
    methods: forms,
    explicit: growingOrder,
    growing: allGrowing,
    strengths: { values: [0.5, 0.6, 0.7, 0.8, 0.9], methods: all },
    repeats: {
      methods: ["GDRO", "IRMv1"],
      pBias: 0.7,
      lengths: [
        { images: 5000, epochs: 300 },
        { images: 50_000, epochs: 30 },
      ],
    },
    hyperparameters: {
      seeds: [0],
      rates: [1e-3, 1e-4, 1e-5],
      weightDecays: [0.1, 1e-3, 1e-5, 0],
      methods: all,
    },
    search: true,
  },
};
