/** Datasets with two shortcuts: what is cured, and what may come up instead. */

import { drawnCars, easierCue, trainedAs } from "../drawn-cars.ts";
import type { PresetName } from "../study.ts";

export interface MoleWorld {
  name: string;
  title: string;
  /** The two cues; attributes of the dataset. */
  cues: readonly [string, string];
  data: { name: string; settings: Readonly<Record<string, unknown>> };
  model: { name: string; options?: Readonly<Record<string, unknown>> };
  /** What guessing reaches. */
  chance: number;
  /** Views that Last Layer Ensemble is given, one for each kind of shortcut; undefined where none can be made. */
  views?: readonly unknown[];
  /** Whose values the methods' settings have; their own defaults unless said. */
  preset?: string;
  /** Epochs of the network whose mistakes tell a method which images are of a minority. */
  firstEpochs: number;
  /** How often Just Train Twice shows those. */
  upweight: number;
  optimiser: Readonly<Record<string, unknown>>;
  schedule?: Readonly<Record<string, unknown>>;
  /** Changes of all training images, whatever the method. */
  augment?: readonly unknown[];
  batchSize: number;
  steps: number;
}

type TrainedAs = Pick<
  MoleWorld,
  "model" | "optimiser" | "schedule" | "batchSize" | "steps" | "firstEpochs" | "upweight" | "augment"
>;

const smallNetwork = (width: number) => ({ name: "small-cnn", options: { width } });
const adam = { name: "adam", rate: 1e-3, weightDecay: 1e-4 };
const firstNetwork = { firstEpochs: 1, upweight: 20 };

const tiny: TrainedAs = {
  ...firstNetwork,
  model: smallNetwork(4),
  optimiser: adam,
  batchSize: 32,
  steps: 6,
};
const small: TrainedAs = {
  ...firstNetwork,
  model: smallNetwork(16),
  optimiser: adam,
  batchSize: 64,
  steps: 1000,
};
/** Li et al. 2023, Appendix B.3: 300 epochs of 62 batches. */
const whole: TrainedAs = {
  ...firstNetwork,
  model: { name: "resnet50" },
  optimiser: { name: "sgd", rate: 1e-3, weightDecay: 1e-4 },
  batchSize: 128,
  steps: 18_600,
};

const sizes: Readonly<Record<PresetName, TrainedAs>> = {
  smoke: tiny,
  quick: small,
  day: small,
  paper: whole,
};

/** As calibrated, then with one cue easier and with the other. */
export function urbanCarsWorlds(preset: PresetName): MoleWorld[] {
  const few = { train: 160, val: 24, test: 24 };
  const own = {
    smoke: { size: 64, count: few, backgrounds: { train: 6, val: 2, test: 2 } },
    quick: drawnCars,
    day: drawnCars,
    paper: { ...drawnCars, size: 256 },
  }[preset];
  const calibrated = preset === "quick" || preset === "day";
  const world = (name: string, title: string, dials: Readonly<Record<string, unknown>>): MoleWorld => ({
    name,
    title,
    cues: ["background", "coObject"],
    data: { name: "urban-cars", settings: { ...own, ...dials } },
    chance: 1 / 2,
    views: ["background-swap", "co-object-swap"],
    preset: "urban-cars",
    ...sizes[preset],
    ...(calibrated && trainedAs),
    upweight: 100,
  });
  return [
    world("urban-cars", "UrbanCars", {}),
    world("urban-cars-background", "UrbanCars, background easier", easierCue.background),
    world("urban-cars-object", "UrbanCars, object easier", easierCue.coObject),
  ];
}

/** All worlds of the board. */
export function worldsOf(preset: PresetName): MoleWorld[] {
  const size = sizes[preset];
  const isWhole = preset === "paper";
  return [
    ...urbanCarsWorlds(preset),
    {
      name: "biased-mnist",
      title: "Biased MNIST",
      cues: ["textureColor", "digitColor"],
      chance: 1 / 10,
      data: {
        name: "biased-mnist",
        settings: {
          scale: isWhole ? 96 : 48,
          count: { train: isWhole ? 50_000 : 18_000, val: 5000, test: 10_000 },
        },
      },
      ...size,
      model: { name: "biased-mnist-cnn", options: { width: isWhole ? 32 : 16 } },
      optimiser: { name: "adam", rate: 1e-3, weightDecay: 1e-5 },
      steps: isWhole ? 11_700 : 3000,
    },
    {
      name: "hard-spurious",
      title: "Hard-Spurious with a watermark",
      cues: ["background", "watermark"],
      chance: 1 / 15,
      data: {
        name: "hard-spurious",
        settings: { size: isWhole ? 224 : 64, watermarkClass: "sedan", count: { test: 100 } },
      },
      ...size,
    },
  ];
}
