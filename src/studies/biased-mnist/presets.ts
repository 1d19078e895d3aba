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
    reduces: "everything: 300 images of 48², one epoch, a network of a quarter of the width",
    shows: "that every part runs; its numbers are chance and mean nothing",
    cost: "under a minute",
    data: { scale: 48, count: { train: 300, val: 100, test: 200 } },
    pBias: 0.7,
    width: 4,
    epochs: 1,
    batchSize: 64,
    seeds: [0],
    explicit: ["distractorShape"],
    growing: [1, 7],
    strengths: { values: [0.5, 0.7], methods: ["StdM"] },
    hyperparameters: { rates: [1e-3, 1e-4], weightDecays: [1e-5], methods: ["StdM", "GDRO"] },
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
} as Readonly<Record<PresetName, BiasedMnistPreset>>;
