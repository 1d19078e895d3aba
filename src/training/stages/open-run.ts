/** What all stages of a run share, made ready: one way for images and for features. */

import { Executable } from "../../engine/executable.ts";
import { input } from "../../engine/expressions.ts";
import { type Method, methods } from "../../methods/index.ts";
import type { Weights } from "../../methods/method.ts";
import type { PixelStatistics } from "../../models/pixels.ts";
import { Chain } from "../../views/chain.ts";
import type { ImageBatches } from "../batch-feed.ts";
import { FeatureEvaluator, ImageEvaluator } from "../evaluator.ts";
import { ComputedFeatures, type FeatureSource, mostFeatureBytes } from "./feature-source.ts";
import { MethodData } from "./method-data.ts";
import { type Prediction, predictionOf, RunNetwork } from "./run-network.ts";
import type { RunParts } from "./run-parts.ts";

export interface RunGiven extends Pick<RunParts, "spec" | "resources" | "folder" | "hooks" | "dataset"> {
  /** Instead of the one that the spec names, such as one that is in no registry. */
  method?: Method | undefined;
  /** Values that the network begins with, where they are not random. */
  first: Weights | undefined;
  inputs:
    | { kind: "images"; feed: ImageBatches; pixels: PixelStatistics | undefined; batchSize: number }
    | { kind: "features"; source: FeatureSource };
}

export interface OpenedRun {
  run: RunParts;
  /** What the run's model says, as an expression. */
  prediction: Prediction;
  readonly close: () => Promise<void>;
}

/** Close it again; features that were given are closed by who gave them. */
export async function openRun({ method, first, inputs, ...given }: RunGiven): Promise<OpenedRun> {
  const { spec, dataset, resources, folder } = given;
  const isImages = inputs.kind === "images";
  const pixels = isImages ? inputs.pixels : undefined;
  const classes = dataset.classNames.length;
  const data = new MethodData(method ?? methods.get(spec.method.name), spec, dataset);
  const network = new RunNetwork(spec, classes, pixels);
  const prediction = predictionOf(network, data, inputsOf(inputs, dataset), inputs.kind);
  const { logits, weights } = prediction;
  const executable = await Executable.compile(
    { outputs: { logits } },
    { device: spec.device, threads: spec.threads },
  );
  const features = isImages
    ? new ComputedFeatures({
        spec,
        dataset,
        network,
        feed: inputs.feed,
        batchSize: inputs.batchSize,
        folder: folder.path,
        most: resources.featureBytes ?? mostFeatureBytes,
      })
    : inputs.source;
  const run: RunParts = {
    ...given,
    data,
    network,
    pixels,
    first,
    mixes: new Chain(spec.augment).mixing !== undefined,
    feed: isImages ? inputs.feed : undefined,
    evaluator: isImages
      ? new ImageEvaluator({ ...inputs, executable, output: "logits", width: classes, weights })
      : new FeatureEvaluator(executable, { source: features, before: new Map(), weights, classes }),
    features,
    kernels: executable.kernels,
  };
  const close = async () => {
    if (isImages) await features.close();
    await executable.close();
  };
  return { run, prediction, close };
}

function inputsOf(inputs: RunGiven["inputs"], { images }: RunParts["dataset"]) {
  if (inputs.kind === "features") return FeatureEvaluator.input(inputs.source.width);
  const { height, width, channels } = images.shape!;
  return input("images", [inputs.batchSize, height, width, channels], "byte");
}
