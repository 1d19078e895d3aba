/** How large the study of Biased MNIST is made, from a check within a test to the paper's own size. */

import { comparedMethods } from "../compared-methods.ts";
import type { PresetCard, PresetName } from "../study.ts";
import { growingOrder } from "./variables.ts";

export interface BiasedMnistPreset extends PresetCard {
  /** Settings of the dataset, but for how closely its variables go with the class. */
  data: Readonly<Record<string, unknown>>;
  pBias: number;
  /** Filters of the network's first layer; the paper's are 32. */
  width: number;
  /** Learning rate; the paper's for each method unless said. */
  rate?: number;
  epochs: number;
  batchSize: number;
  seeds: readonly number[];
  /** Table 1, Table A4 and Fig. 3: each is the explicit variable of runs of its own. */
  explicit: readonly string[];
  /** Fig. 5 and Table A5: how many variables are explicit, from the front of the order. */
  growing: readonly number[];
  /** Fig. A7. */
  strengths: { values: readonly number[]; methods: readonly string[] };
  /** Fig. A8 and Fig. 6: every pair is a run. */
  hyperparameters: {
    rates: readonly number[];
    weightDecays: readonly number[];
    methods: readonly string[];
  };
  /** Whether to repeat the search that led to Table A6. */
  search: boolean;
}

const all = comparedMethods.map(({ label }) => label);

export const presets: Readonly<Record<PresetName, BiasedMnistPreset>> = {
  smoke: {
    reduces: "everything: 600 images of 48², one epoch, a network of an eighth of the width",
    shows: "that every part runs; its accuracies are chance and mean nothing",
    cost: "half a minute on two cores",
    data: { scale: 48, count: { train: 600, val: 200, test: 300 } },
    pBias: 0.5,
    width: 4,
    epochs: 1,
    batchSize: 64,
    seeds: [0],
    explicit: ["distractorShape"],
    growing: [1, 7],
    strengths: { values: [0.3, 0.5], methods: ["StdM"] },
    hyperparameters: { rates: [1e-3, 1e-4], weightDecays: [1e-5], methods: ["StdM"] },
    search: false,
  },
  quick: {
    reduces:
      "images of 48² instead of 96², 18,000 instead of 50,000, six epochs in batches of 32 at a rate of 0.003, a network " +
      "of half the width, p_bias 0.5 instead of 0.7, one seed instead of three, the distractor shape as the one " +
      "explicit variable, or three or all seven, and two methods where the bias or the tuning varies",
    shows:
      "gaps by variable and accuracies well above chance; with one seed no finding about methods can be told",
    cost: "about 40 minutes on two cores",
    data: { scale: 48, count: { train: 18_000, val: 2000, test: 10_000 } },
    pBias: 0.5,
    width: 16,
    rate: 3e-3,
    epochs: 6,
    batchSize: 32,
    seeds: [0],
    explicit: ["distractorShape"],
    growing: [1, 3, 7],
    strengths: { values: [0.3, 0.5, 0.7], methods: ["StdM", "GDRO"] },
    hyperparameters: { rates: [3e-3, 1e-3], weightDecays: [1e-5, 1e-3], methods: ["StdM", "GDRO"] },
    search: false,
  },
  day: {
    reduces:
      "images of 48² instead of 96², 40,000 instead of 50,000, nine epochs in batches of 32 at a rate of 0.003, a " +
      "network of half the width, one seed instead of three, four methods where the tuning varies",
    shows:
      "accuracies and gaps at the paper's p_bias of 0.7, with every explicit variable; with one seed no finding about methods can be told",
    cost: "about eleven hours on two cores",
    data: { scale: 48, count: { train: 40_000, val: 5000, test: 10_000 } },
    pBias: 0.7,
    width: 16,
    rate: 3e-3,
    epochs: 9,
    batchSize: 32,
    seeds: [0],
    explicit: growingOrder,
    growing: [1, 2, 3, 4, 5, 6, 7],
    strengths: { values: [0.5, 0.6, 0.7, 0.8, 0.9], methods: all },
    hyperparameters: {
      rates: [3e-3, 1e-3, 1e-4],
      weightDecays: [1e-1, 1e-3, 1e-5],
      methods: ["StdM", "UpWt", "GDRO", "LfF"],
    },
    search: false,
  },
  paper: {
    reduces: "nothing",
    shows: "everything that the paper shows, with its three seeds",
    cost: "months of two cores: 96² images, 50,000 of them, 30 epochs, hundreds of runs",
    data: { scale: 96 },
    pBias: 0.7,
    width: 32,
    epochs: 30,
    batchSize: 128,
    seeds: [0, 1, 2],
    explicit: growingOrder,
    growing: [1, 2, 3, 4, 5, 6, 7],
    strengths: { values: [0.5, 0.6, 0.7, 0.8, 0.9], methods: all },
    hyperparameters: { rates: [1e-3, 1e-4, 1e-5], weightDecays: [0.1, 1e-3, 1e-5, 0], methods: all },
    search: true,
  },
};
