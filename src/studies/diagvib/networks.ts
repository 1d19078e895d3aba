/** The paper's nine rows: which network stands for each, and why a row may be missing. */

import { methods } from "../../methods/index.ts";
import type { PublishedNetwork } from "../../published/eulig-2021.ts";

export interface DiagvibNetwork {
  /** As tables call it. */
  label: string;
  /** The paper's row that stands beside it. */
  published: PublishedNetwork;
  /** What a run is told of it; undefined where it cannot be made. */
  run?: Readonly<Record<string, unknown>>;
  /** Why it cannot be made. */
  absent?: string;
  /** Whether it is tried, where that is not everywhere. */
  only?: (asked: { study: string; predict: string; sample: number }) => boolean;
}

export const scratchRow = "RN50";
export const frozenRow = "RN50-IN";
export const lensRow = "ASR (RN18)";
export const factorVaeRow = "Factor-VAE";
export const vaeRow = "VAE";

/** What the rows' short names stand for, those of methods as methods are called. */
export const networksSpelled: Readonly<Record<string, string>> = {
  RN18: "ResNet-18",
  [scratchRow]: "ResNet-50",
  [frozenRow]: "ResNet-50 that begins with ImageNet's weights, only its last layer trained",
  DenseNet: "DenseNet-161",
  WRN: "Wide ResNet-50-2",
  ASR: methods.get("lens").title,
  [vaeRow]: methods.get("vae").title,
};

const scratch = (name: string) => ({ model: { name } });

/** What `--set weights=…` gives. */
export const weightsOffer = "a file of torchvision's ResNet-50 weights (safetensors), for the row RN50-IN";

export function paperNetworks(weights: string | undefined): DiagvibNetwork[] {
  return [
    { label: "RN18", published: "RN18", run: scratch("resnet18") },
    { label: scratchRow, published: scratchRow, run: scratch("resnet50") },
    frozenResnet(weights),
    { label: "AlexNet", published: "AlexNet", run: scratch("alexnet") },
    { label: "DenseNet", published: "DenseNet", run: scratch("densenet161") },
    { label: "WRN", published: "WRN", run: scratch("wide-resnet50-2") },
    paperLens,
    {
      label: factorVaeRow,
      published: factorVaeRow,
      run: { ...scratch("vae-encoder"), method: publishedForm("factor-vae"), optimiser: autoencoderRate },
    },
    {
      label: vaeRow,
      published: vaeRow,
      run: { ...scratch("vae-encoder"), method: publishedForm("vae"), optimiser: autoencoderRate },
    },
  ];
}

/** With what the paper prints of it, and what is decided where it prints nothing. */
const publishedForm = (name: string) => ({ name, preset: "diagvib-study" });

export const paperLens: DiagvibNetwork = {
  label: lensRow,
  published: lensRow,
  run: { ...scratch("resnet18"), method: publishedForm("lens") },
};

/** Appendix A.2. */
export const autoencoderRate = { name: "adam", rate: 1e-4 };

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

/** It learns ten times as fast as the network: calibration showed that it is outrun else. */
export const narrowLens: DiagvibNetwork = {
  label: lensRow,
  published: lensRow,
  run: {
    ...narrowResnet.run,
    method: { name: "lens", settings: { lensRate: 1e-2, lensWidth: 8, lensDepth: 2 } },
    optimiser: { name: "adam", rate: 1e-3 },
  },
};

const smallCnn = { model: { name: "small-cnn", options: { width: 4 } } };

export const tinyLens: DiagvibNetwork = {
  label: lensRow,
  published: lensRow,
  run: { ...smallCnn, method: { name: "lens", settings: { lensWidth: 4, lensDepth: 2 } } },
};

/** For tests: a row of a usual network, and once those that are methods of their own. */
export function tinyNetworks(): DiagvibNetwork[] {
  const encoder = { model: { name: "vae-encoder", options: { width: 4, dense: 16 } } };
  const autoencoder = { latent: 4, decoderWidth: 4, headWidth: 8 };
  const only: DiagvibNetwork["only"] = ({ study, predict, sample }) =>
    study === "ZSO" && predict === "shape" && sample === 0;
  return [
    { label: "small CNN", published: "RN18", run: smallCnn },
    { ...tinyLens, only },
    {
      label: factorVaeRow,
      published: factorVaeRow,
      only,
      run: {
        ...encoder,
        method: { name: "factor-vae", settings: { ...autoencoder, discriminatorWidth: 16 } },
      },
    },
    {
      label: vaeRow,
      published: vaeRow,
      only,
      run: { ...encoder, method: { name: "vae", settings: autoencoder } },
    },
  ];
}
