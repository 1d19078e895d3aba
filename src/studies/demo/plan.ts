/** The demo: a small UrbanCars, and three ways to train on it that differ in what they are told of its two shortcuts. */

import { resolveSweep, type Sweep } from "../../sweeps/sweep-file.ts";
import { drawnCars, trainedAs } from "../drawn-cars.ts";

/** The two shortcuts; attributes of the dataset. */
export const demoCues = ["background", "coObject"] as const;
export type DemoCue = (typeof demoCues)[number];

/** As they stand in a sentence. */
export const cueWords: Readonly<Record<DemoCue, string>> = {
  background: "the background",
  coObject: "the object beside the car",
};

export interface DemoChoice {
  /** Training images. */
  images: number;
  epochs: number;
  /** What Group DRO is told. */
  explicit: readonly DemoCue[];
  /** Of the draw of images and of the first weights. */
  seed: number;
}

export const demoDefaults: DemoChoice = { images: 8000, epochs: 8, explicit: ["background"], seed: 0 };

const mostTestImages = 4000;

/** The world of the studies. Validation only says whether a network has come to rest; the test set is what intervals depend on. */
export function demoData({ images, seed }: Pick<DemoChoice, "images" | "seed">) {
  const [val, test] = [drawnCars.count.val, mostTestImages].map((most) => Math.min(most, images));
  return {
    name: "urban-cars",
    settings: { size: drawnCars.size, count: { train: images, val, test } },
    seed,
  };
}

export interface DemoMethod {
  /** As tables and charts call it. */
  label: string;
  /** Cues whose labels it is given. */
  told: readonly DemoCue[];
  /** In a sentence, what it does and what it is told. */
  does: string;
  run: Readonly<Record<string, unknown>>;
}

/** Views of an image, one for each kind of shortcut. */
export const demoViews = ["background-swap", "co-object-swap"] as const;

/** The first is what the others are compared with. */
export function demoMethods(explicit: readonly DemoCue[]): [DemoMethod, ...DemoMethod[]] {
  return [
    {
      label: "Standard model",
      told: [],
      does: "minimises the average loss and is told nothing of the shortcuts",
      run: { method: { name: "erm" } },
    },
    {
      label: "Group DRO",
      told: explicit,
      does: `is told ${explicit.join(" and ")} of every training image; every group of car and ${explicit.join(" and ")} is shown as often, and the worst count most`,
      run: { method: { name: "group-dro", explicit: [...explicit] } },
    },
    {
      label: "Last Layer Ensemble",
      told: [],
      does: "is told of no image where a shortcut misleads, but which kinds of shortcut there are: it also sees every image on another background and beside another object, with a head for each",
      run: { method: { name: "last-layer-ensemble", settings: { views: [...demoViews] } } },
    },
  ];
}

/** What all the runs share: the recipe of the studies. */
export function demoBase(choice: DemoChoice) {
  const { steps: _, ...recipe } = trainedAs;
  return { data: demoData(choice), ...recipe, epochs: choice.epochs };
}

/** The longest run comes first, so that two at a time end together. */
export function demoSweep(choice: DemoChoice): Sweep {
  return resolveSweep({
    name: "demo",
    base: demoBase(choice),
    runs: demoMethods(choice.explicit)
      .map(({ label, run }) => ({ label, ...run }))
      .reverse(),
    seeds: [choice.seed],
  });
}
