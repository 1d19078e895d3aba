/** How large the study of DiagViB-6 is made, from a check within a test to the paper's own size. */

import { factors, type PublishedFactor } from "../../published/eulig-2021.ts";
import type { PoolSize } from "../cheap-pool.ts";
import type { PresetCard, PresetName } from "../study.ts";
import {
  autoencoderRate,
  type DiagvibNetwork,
  narrowLens,
  narrowResnet,
  paperLens,
  paperNetworks,
  tinyLens,
  tinyNetworks,
} from "./networks.ts";
import { allPairs, allRivals, bothWays, type FactorPair, type RivalCues } from "./pairs.ts";
import type { AutoencoderPicture, PicturesPart } from "./pictures-part.ts";
import { baseline, comparedMethods, type DiagvibMethod, methodNamed } from "./rows.ts";

/** What lies between ZGO, in which the pattern is never broken, and ZSO, in which there is none. */
const opportunityStudies = ["CGO-1", "CGO-2", "CGO-3", "CHGO", "FGO-5", "FGO-10", "FGO-20"] as const;
type OpportunityStudy = (typeof opportunityStudies)[number];

export interface DiagvibPreset extends PresetCard {
  /** Why nothing is found in its accuracies. */
  meaningless?: string;
  networks: (weights: string | undefined) => readonly DiagvibNetwork[];
  /** Of ZGO; their factors are those of ZSO. */
  pairs: readonly FactorPair[];
  /** Factors that are tried without a shortcut although no pair asks about them. */
  checked?: readonly PublishedFactor[];
  /** Numbers of dataset samples, of ZSO and ZGO. */
  samples: readonly number[];
  opportunities: SampledPairs & { studies: readonly OpportunityStudy[] };
  data: Readonly<Record<string, unknown>>;
  rate: number;
  /** How it goes on; constant unless said. */
  schedule?: Readonly<Record<string, unknown>>;
  batchSize: number;
  epochs: number;
  /** Epochs without a lower validation loss, after which a run ends. */
  patience: number;
  methods: SampledPairs & { methods: readonly DiagvibMethod[] };
  rivals: RivalsPart;
  textures: SampledPairs & { data: Readonly<Record<string, unknown>> };
  lines: LinesPart;
  pictures: PicturesPart;
  /** Values that are tried in ZSO; nothing is tuned unless said. */
  tuning?: { rates: readonly number[]; batchSizes: readonly number[] };
}

interface SampledPairs {
  pairs: readonly FactorPair[];
  samples: readonly number[];
}

/** Two cues at once. */
interface RivalsPart {
  rivals: readonly RivalCues[];
  /** Whose pairs of one cue predict which of two wins. */
  from: readonly number[];
  /** None of these is among them. */
  samples: readonly number[];
}

/** Pools of small classifiers of each pair in ZGO. */
interface LinesPart extends SampledPairs {
  size: PoolSize;
  data: Readonly<Record<string, unknown>>;
}

/** Hue, position and lightness are learned easily and in this order, at these sizes: what they do to each other differs. */
const quickFactors = ["position", "hue", "lightness", "shape"] as const;
const quickPairs = [
  ...quickFactors.flatMap((one, i) => quickFactors.slice(i + 1).flatMap((other) => bothWays(one, other))),
  ...bothWays("hue", "scale"),
];
/** The paper's text prints scale with hue by itself, in all of CGO. */
const quickOpportunities: readonly FactorPair[] = [
  ["shape", "hue"],
  ["shape", "position"],
  ["scale", "hue"],
];
const methodPairs: readonly FactorPair[] = [
  ["shape", "hue"],
  ["shape", "position"],
  ["hue", "position"],
];
/** Figures A4 and A9. */
const lensShown = {
  sample: 0,
  alone: ["texture"],
  pairs: [...bothWays("shape", "hue"), ...bothWays("scale", "lightness")],
} as const;

/** Figures A2 and A3, whose values of β are not printed. */
function autoencoders(
  model: Readonly<Record<string, unknown>>,
  settings: Readonly<Record<string, unknown>>,
  betas: readonly number[],
  training: Readonly<Record<string, unknown>>,
): AutoencoderPicture[] {
  const run = (name: string, more: object) => ({
    model,
    method: { name, settings: { ...settings, ...more } },
    ...training,
  });
  return [
    { label: "Factor-VAE", run: run("factor-vae", {}), positions: "three" },
    ...betas.flatMap((beta) =>
      (["three", "one"] as const).map((positions) => ({
        label: `β-VAE, β = ${beta}`,
        run: run("beta-vae", { beta }),
        positions,
      })),
    ),
  ];
}

const texturePairs = bothWays("texture", "shape");
const published = { rate: 2e-4, batchSize: 64, epochs: 30, patience: 5 };
const falling = { name: "cosine" };
/**
 * At 64 pixels: an image has a quarter of the paper's pixels, and so much less to say against the divergence. They stand for 1 and 8.
 */
const smallBetas = [0.25, 2];
const three = [0, 1, 2];
const five = [0, 1, 2, 3, 4];
/** Three that predict, and others that none of them was. */
const heldOut = [3, 4, 5, 6, 7];

export const presets: Readonly<Record<PresetName, DiagvibPreset>> = {
  smoke: {
    reduces:
      "everything: two pairs, two opportunities, two dataset samples, a few hundred images of 32 pixels, one epoch",
    shows: "that every part runs; its accuracies are chance and mean nothing",
    cost: "about a minute on two cores",
    meaningless: "one epoch of a few hundred images teaches nothing that could be judged",
    networks: tinyNetworks,
    pairs: bothWays("shape", "hue"),
    samples: [0, 1],
    opportunities: { studies: ["CGO-1", "CHGO"], pairs: [["shape", "hue"]], samples: [0, 1] },
    data: { size: 32, count: { train: 180, val: 60, test: 120, testId: 0 } },
    rate: 1e-3,
    batchSize: 32,
    epochs: 1,
    patience: 1,
    methods: { methods: [baseline, methodNamed("GDRO")], pairs: [["shape", "hue"]], samples: [0] },
    rivals: { rivals: [{ predict: "shape", one: "hue", other: "position" }], from: [0], samples: [1] },
    textures: { pairs: [["texture", "shape"]], samples: [0], data: {} },
    pictures: {
      ...lensShown,
      pairs: [],
      lens: tinyLens,
      codes: autoencoders(
        { name: "vae-encoder", options: { width: 4, dense: 16 } },
        { latent: 4, decoderWidth: 4, headWidth: 8 },
        [1],
        { optimiser: { name: "adam", rate: 1e-3 }, batchSize: 32, epochs: 1 },
      ),
      codesData: { size: 32, count: { train: 60, val: 32, test: 32 } },
    },
    lines: {
      pairs: [["shape", "hue"]],
      samples: [0],
      data: { size: 32, count: { train: 180, val: 60, test: 120, testId: 0 } },
      size: {
        classifiers: 16,
        networks: { count: 0, names: [] },
        steps: 30,
        checkpoints: 2,
        firstStep: 10,
        trainImages: 180,
        testImages: 120,
      },
    },
  },
  quick: {
    reduces:
      "one network, a ResNet of eight filters and four blocks, instead of nine; images of 40 pixels instead of 128, 2,400 instead of 43,740 for " +
      "training; all pairs of position, hue, lightness and shape in ZSO and ZGO, and hue with scale; three of them (shape with hue, shape with position, scale with hue) in the " +
      "seven studies between, none with texture; three dataset samples; a search among four pairs of rate and batch size",
    shows:
      "which factor of a pair serves as a shortcut, whether opportunities are taken, which of two cues wins, and whether small classifiers would tell; three samples, preliminary. " +
      "Averages over all five cues of a factor it cannot show. Texture is tried without a shortcut alone: it stays at chance at such sizes, so that pairs with it would tell nothing",
    cost: "22 minutes of processor time were measured before it grew, and 16 of its six methods by themselves. Not measured as a whole",
    networks: () => [narrowResnet],
    pairs: quickPairs,
    checked: ["texture"],
    samples: three,
    opportunities: { studies: opportunityStudies, pairs: quickOpportunities, samples: three },
    data: { size: 40, count: { train: 2400, val: 400, test: 3000, testId: 0 } },
    rate: 8e-3,
    schedule: falling,
    batchSize: 64,
    epochs: 6,
    patience: 6,
    methods: { methods: comparedMethods, pairs: methodPairs, samples: three },
    tuning: { rates: [8e-3, 2e-3], batchSizes: [64, 32] },
    rivals: {
      rivals: [
        { predict: "shape", one: "position", other: "hue" },
        { predict: "shape", one: "hue", other: "lightness" },
        { predict: "shape", one: "position", other: "lightness" },
      ],
      from: three,
      samples: [3, 4, 5],
    },
    textures: { pairs: [], samples: three, data: {} },
    pictures: {
      ...lensShown,
      lens: narrowLens,
      codes: autoencoders({ name: "vae-encoder", options: { width: 16 } }, { decoderWidth: 16 }, smallBetas, {
        optimiser: { name: "adam", rate: 2e-3 },
        schedule: falling,
        batchSize: 16,
        epochs: 20,
      }),
      codesData: {
        size: 64,
        count: { train: 1200, val: 120, test: 600 },
        classes: { scale: ["large"], lightness: ["dark"], shape: ["0", "1", "7"] },
      },
    },
    lines: {
      pairs: quickPairs,
      samples: [0],
      data: { size: 40, count: { train: 3000, val: 1000, test: 1000, testId: 0 } },
      size: {
        classifiers: 96,
        networks: { count: 0, names: [] },
        steps: 400,
        checkpoints: 6,
        firstStep: 40,
        trainImages: 3000,
        testImages: 1000,
      },
    },
  },
  day: {
    reduces:
      "one network, a ResNet of eight filters and four blocks, instead of nine; images of 64 pixels instead of 128, 8,000 instead of 43,740 for " +
      "training; three dataset samples instead of five",
    shows:
      "every pair in every study, so that averages and minima over all cues stand beside the paper's, preliminary: three samples; six methods " +
      "on three pairs, twenty sets of two cues, and a pool for every pair",
    cost: "not measured; by the engine's rates a day on two cores",
    networks: () => [narrowResnet],
    pairs: allPairs,
    samples: three,
    opportunities: { studies: opportunityStudies, pairs: allPairs, samples: three },
    data: { size: 64, count: { train: 8000, val: 1200, test: 3000, testId: 0 } },
    rate: 3e-3,
    schedule: falling,
    batchSize: 32,
    epochs: 10,
    patience: 10,
    methods: { methods: comparedMethods, pairs: methodPairs, samples: three },
    rivals: {
      rivals: allRivals.filter(({ predict }) => predict === "shape" || predict === "texture"),
      from: three,
      samples: heldOut,
    },
    textures: { pairs: texturePairs, samples: three, data: {} },
    pictures: {
      ...lensShown,
      lens: narrowLens,
      codes: autoencoders({ name: "vae-encoder" }, {}, smallBetas, {
        optimiser: { name: "adam", rate: 1e-3 },
        schedule: falling,
        batchSize: 32,
        epochs: 30,
      }),
      codesData: { size: 64, count: { train: 8000, val: 1200, test: 3000 } },
    },
    lines: {
      pairs: allPairs,
      samples: [0],
      data: { size: 64, count: { train: 5000, val: 2000, test: 2000, testId: 0 } },
      size: {
        classifiers: 192,
        networks: { count: 6, names: ["small-cnn:width=8", "small-cnn:width=16"] },
        steps: 1000,
        checkpoints: 8,
        firstStep: 50,
        trainImages: 5000,
        testImages: 2000,
      },
    },
  },
  paper: {
    reduces:
      "nothing but what the paper does not print: RN50-IN needs weights that you bring; batch size and rate of ResNet-18 serve all networks but the autoencoders, since what " +
      "the paper's tuning chose is not printed, and what ours chooses is told beside; how the lens is built and how classes are read from codes are decisions of this project",
    shows: "every pair, study and dataset sample at the paper's size: 1,230 runs a network",
    cost: "years of two cores",
    networks: paperNetworks,
    pairs: allPairs,
    samples: five,
    opportunities: { studies: opportunityStudies, pairs: allPairs, samples: five },
    data: { count: { testId: 0 } },
    ...published,
    tuning: { rates: [1e-3, 2e-4, 5e-5], batchSizes: [32, 64, 128] },
    methods: { methods: comparedMethods, pairs: methodPairs, samples: five },
    rivals: { rivals: allRivals, from: three, samples: heldOut },
    textures: { pairs: allPairs.filter((pair) => pair.includes("texture")), samples: five, data: {} },
    pictures: {
      ...lensShown,
      lens: paperLens,
      codes: autoencoders({ name: "vae-encoder" }, {}, [1, 4, 16], {
        optimiser: autoencoderRate,
        batchSize: 64,
        epochs: 30,
      }),
      codesData: { count: { train: 43_740, val: 8748, test: 10_000 } },
    },
    lines: {
      pairs: allPairs,
      samples: five,
      data: { count: { testId: 0 } },
      size: {
        classifiers: 1280,
        networks: { count: 128, names: [] },
        steps: 5000,
        checkpoints: 8,
        firstStep: 300,
        trainImages: 50_000,
        testImages: 10_000,
      },
    },
  },
};

/** Those that are tried without a shortcut, in the paper's order: each is to be told so before a pair with it says anything. */
export function factorsOf({
  pairs,
  checked = [],
}: Pick<DiagvibPreset, "pairs" | "checked">): PublishedFactor[] {
  const asked = [...pairs.flat(), ...checked];
  return factors.filter((factor) => asked.includes(factor));
}
