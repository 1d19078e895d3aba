/** The demo: a small Biased MNIST, and three ways to train on it that differ in what they are told of its cues. */

import { resolveSweep, type Sweep } from "../../sweeps/sweep-file.ts";

export interface DemoChoice {
  /** Training images. */
  images: number;
  epochs: number;
  /** The one cue that the middle method is told. */
  explicit: string;
}

export const demoDefaults: DemoChoice = { images: 24_000, epochs: 2, explicit: "distractorShape" };

const testImages = { least: 100, most: 5000 };

/** Validation decides nothing here and is kept small; the test set is what intervals depend on. */
export function demoData(images: number) {
  const test = Math.max(testImages.least, Math.min(testImages.most, images));
  return {
    name: "biased-mnist",
    settings: { scale: 48, pBias: 0.5, count: { train: images, val: 200, test } },
    seed: 0,
  };
}

export interface DemoMethod {
  /** As tables and charts call it. */
  label: string;
  /** In a sentence, what it does. */
  does: string;
  /** Cues whose labels it is given. */
  told: readonly string[];
  run: Readonly<Record<string, unknown>>;
}

/** The first is what the others are compared with. */
export function demoMethods(explicit: string): DemoMethod[] {
  return [
    {
      label: "Standard model",
      does: "minimises the average loss and is told no cue",
      told: [],
      run: { method: { name: "erm" } },
    },
    {
      label: "Group DRO",
      does: "is told one cue on training images, and makes each pair of class and cue value count, the worst ones most",
      told: [explicit],
      run: { method: { name: "group-dro", explicit: [explicit], settings: { stepSize: 0.001 } } },
    },
    {
      label: "LfF",
      does: "is told no cue: a second network learns what is easy, and what that one fails at counts more",
      told: [],
      run: { method: { name: "lff", settings: { amplification: 0.5 } } },
    },
  ];
}

/** What all the runs share. */
export function demoBase({ images, epochs }: DemoChoice) {
  return {
    data: demoData(images),
    // Batch normalisation gets it past the cues sooner than the network of the paper, which has none.
    model: { name: "resnet18", options: { width: 16, blocks: "1,1,1,1" } },
    epochs,
    batchSize: 32,
    optimiser: { name: "adam", rate: 0.003, weightDecay: 1e-5 },
  };
}

export const demoSeed = 0;

/** The longest run comes first, so that two at a time end together. */
export function demoSweep(choice: DemoChoice): Sweep {
  return resolveSweep({
    name: "demo",
    base: demoBase(choice),
    runs: demoMethods(choice.explicit)
      .map(({ label, run }) => ({ label, ...run }))
      .reverse(),
    seeds: [demoSeed],
  });
}
