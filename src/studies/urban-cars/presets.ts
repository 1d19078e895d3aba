/** How large the study of UrbanCars is made, from a check within a test to the paper's own size. */

import { drawnCars, trainedAs } from "../drawn-cars.ts";
import type { PresetCard, PresetName } from "../study.ts";
import type { CarRow } from "./rows.ts";

export interface UrbanCarsPreset extends PresetCard {
  data: Readonly<Record<string, unknown>>;
  model: { name: string; options?: Readonly<Record<string, unknown>> };
  /** The paper's, for each method, unless said. */
  optimiser?: Readonly<Record<string, unknown>>;
  schedule?: Readonly<Record<string, unknown>>;
  batchSize: number;
  /** Of the network that is kept; the preset of the paper goes by its 300 epochs. */
  steps?: number;
  /** Epochs of methods whose epochs are a handful of images. */
  fewImages?: number;
  seeds: readonly number[];
  has: (row: CarRow) => boolean;
}

const quickRows = ["ERM", "CutMix", "LfF", "JTT (E=1)", "LLE", "gDRO", "SUBG", "DFR"];
/** A first network of so many epochs needs a training that is longer. */
const longFirst = ({ settings }: CarRow) => Number(settings?.epochs ?? 0) >= 40;

const { model, optimiser, schedule, batchSize, steps } = trainedAs;
const calibrated = { data: drawnCars, model, optimiser, schedule, batchSize, steps, fewImages: 150 };

export const presets: Readonly<Record<PresetName, UrbanCarsPreset>> = {
  smoke: {
    reduces: "everything: a hundred and sixty images, a handful of steps, a network of a few filters",
    shows: "that every kind of row runs; its accuracies are chance and mean nothing",
    cost: "half a minute on two cores",
    data: {
      size: 64,
      count: { train: 160, val: 24, test: 24 },
      backgrounds: { train: 6, val: 2, test: 2 },
    },
    model: { name: "small-cnn", options: { width: 4 } },
    optimiser,
    batchSize,
    steps: 6,
    fewImages: 2,
    seeds: [0, 1],
    has: ({ label, told }) => ["ERM", "CutMix"].includes(label) || (label === "gDRO" && told.length === 1),
  },
  quick: {
    reduces:
      "drawn images of 64 pixels instead of photographs of 256, a ResNet of eight filters and four blocks from scratch instead of a ResNet-50 that begins with ImageNet's weights, 2,000 steps of 32 images with Adam instead of 300 epochs with SGD, five seeds instead of six, and a third of the rows",
    shows:
      "gaps and changes of a few points over five seeds; its scale is not the paper's, so signs and order are what compares",
    cost: "about half an hour on two idle cores, by 0.92 core hours that were measured",
    ...calibrated,
    seeds: [0, 1, 2, 3, 4],
    has: ({ label, told }) => quickRows.includes(label) && (label === "gDRO" || told.length !== 1),
  },
  day: {
    reduces:
      "images, network, steps and optimiser as in quick; JTT with a first network of 40 epochs or more, which is longer than the training",
    shows: "all other rows of Tables 3, 5, 9 and 12 over six seeds",
    cost: "about seven hours on two cores",
    ...calibrated,
    seeds: [0, 1, 2, 3, 4, 5],
    has: (row) => !longFirst(row),
  },
  paper: {
    reduces: "the start from ImageNet's weights and the photographs, which cannot be part of this package",
    shows: "every row with the paper's network, image size, length and number of seeds",
    cost: "years of two cores: a ResNet-50 at 256 pixels for 300 epochs, two hundred times",
    data: { ...drawnCars, size: 256 },
    model: { name: "resnet50" },
    batchSize: 128,
    seeds: [0, 1, 2, 3, 4, 5],
    has: () => true,
  },
};
