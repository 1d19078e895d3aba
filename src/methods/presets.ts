/**
 * What the papers trained with: Shrestha et al. 2022, Table A6 and Appendix A.2; Li et al. 2023 for UrbanCars; the paper of
 * Hard-Spurious-ImageNet for that; Eulig et al. 2021 for DiagViB-6.
 */

import type { Preset } from "./method.ts";
import { plainAdam } from "./stage.ts";

/** Searched for every method before its own settings (Shrestha et al. 2022, Appendix A.2). */
export const optimiserSearch = {
  rate: [1e-3, 1e-4, 1e-5],
  weightDecay: [0, 0.1, 1e-3, 1e-5],
} as const;

/** All methods on Biased MNIST differ in their own settings only. */
export function biasedMnist<Settings>(settings: Settings): Preset<Settings> {
  return {
    source: "Shrestha et al. 2022, Table A6",
    settings,
    optimiser: { name: "adam", rate: 1e-3, weightDecay: 1e-5 },
    epochs: 30,
    batchSize: 128,
  };
}

/** SGD unless the table says otherwise. Its momentum is printed nowhere: 0.9, the usual one, is an assumption. */
export function celebA<Settings>(
  settings: Settings,
  optimiser: { name?: "adam"; rate: number; weightDecay: number },
): Preset<Settings> {
  const sgd = optimiser.name === undefined;
  return {
    source: `Shrestha et al. 2022, Table A6${sgd ? "; momentum 0.9 is assumed, the table says SGD alone" : ""}`,
    settings,
    optimiser: { name: "sgd", ...optimiser },
    epochs: 50,
    batchSize: 128,
  };
}

/** The paper's whole recipe, but for the ImageNet weights that it begins with. */
export function urbanCars<Settings>(settings: Settings, { weightDecay = 1e-4 } = {}): Preset<Settings> {
  return {
    source: "Li et al. 2023, Appendix B.3",
    settings,
    optimiser: { name: "sgd", rate: 1e-3, weightDecay },
    epochs: 300,
    batchSize: 128,
    augment: [{ view: "flip" }],
    select: { by: "val-worst-group", groups: ["background", "coObject"] },
  };
}

/** The paper gives a crop's aspect alone; its share of the area is torchvision's usual one. It begins with ImageNet weights. */
export function hardSpurious<Settings>(settings: Settings): Preset<Settings> {
  return {
    source: "Corner Cases (anonymous), section 5.6",
    settings,
    optimiser: { name: "sgd", rate: 1e-3, weightDecay: 1e-3 },
    epochs: 20,
    batchSize: 256,
    augment: [{ view: "crop", with: { scale: [0.08, 1], aspect: [0.75, 1.33] } }, { view: "flip" }],
  };
}

/** Batch size is printed for autoencoders alone, epochs for none: both are those of this project's ResNet-18. */
export function diagvib<Settings>(settings: Settings, rate: number, source: string): Preset<Settings> {
  return {
    source: `Eulig et al. 2021, Appendix A.2; ${source}`,
    settings,
    optimiser: plainAdam(rate),
    epochs: 30,
    batchSize: 64,
    select: { by: "val-loss" },
  };
}

/**
 * The last layer alone, begun with the network's own (`--freeze backbone --weights …`, or `features train`). The rate was searched
 * among 1e-2, 1e-3 and 1e-4 for each method; how many epochs it took is not printed, and ten are ours.
 */
export function lastLayerOfImageNet<Settings>(settings: Settings): Preset<Settings> {
  return {
    source: "Li et al. 2023, Appendix B.3 and B.4",
    settings,
    optimiser: { name: "sgd", rate: 1e-3, weightDecay: 1e-4 },
    epochs: 10,
    batchSize: 1024,
  };
}
