/** The paper's nine rows: which network stands for each, and why a row may be missing. */

import type { PublishedNetwork } from "../../published/eulig-2021.ts";

export interface DiagvibNetwork {
  /** As tables call it. */
  label: string;
  /** The paper's row that stands beside it. */
  published: PublishedNetwork;
  /** What a run is told of it; undefined where it cannot be made. */
  run?: Readonly<Record<string, unknown>>;
  /** Why it cannot be made, or not yet. */
  absent?: string;
}

export const scratchRow = "RN50";
export const frozenRow = "RN50-IN";
export const lensRow = "ASR (RN18)";

const scratch = (name: string) => ({ model: { name } });

/** What `--set weights=…` gives. */
export const weightsOffer = "a file of torchvision's ResNet-50 weights (safetensors), for the row RN50-IN";

const laterRow = "this method is not built yet";

export function paperNetworks(weights: string | undefined): DiagvibNetwork[] {
  return [
    { label: "RN18", published: "RN18", run: scratch("resnet18") },
    { label: scratchRow, published: scratchRow, run: scratch("resnet50") },
    frozenResnet(weights),
    { label: "AlexNet", published: "AlexNet", run: scratch("alexnet") },
    { label: "DenseNet", published: "DenseNet", run: scratch("densenet161") },
    { label: "WRN", published: "WRN", run: scratch("wide-resnet50-2") },
    { label: lensRow, published: lensRow, absent: laterRow },
    { label: "Factor-VAE", published: "Factor-VAE", absent: laterRow },
    { label: "VAE", published: "VAE", absent: laterRow },
  ];
}

/** Convolutions as ImageNet has left them, and a new last layer. */
function frozenResnet(weights: string | undefined): DiagvibNetwork {
  const row = { label: frozenRow, published: frozenRow } as const;
  if (weights === undefined) return { ...row, absent: `it needs --set weights=…, ${weightsOffer}` };
  return {
    ...row,
    run: {
      ...scratch("resnet50"),
      weights: { path: weights, freshHead: true },
      freeze: ["backbone"],
      pixels: "imagenet",
    },
  };
}

/** For presets that fit two cores; the paper's ResNet-18 stands beside it. */
export const narrowResnet: DiagvibNetwork = {
  label: "RN18, narrow",
  published: "RN18",
  run: { model: { name: "resnet18", options: { width: 8, blocks: "1,1,1,1" } } },
};

/** For tests. */
export const tinyNetwork: DiagvibNetwork = {
  label: "small CNN",
  published: "RN18",
  run: { model: { name: "small-cnn", options: { width: 4 } } },
};
