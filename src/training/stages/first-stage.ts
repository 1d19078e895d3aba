/** A method's first stage over some images, without a run around it: for looking at what a method does. */

import type { Dataset } from "../../core/dataset.ts";
import { input } from "../../engine/expressions.ts";
import type { Program } from "../../engine/program.ts";
import { methods } from "../../methods/index.ts";
import type { Method, Weights } from "../../methods/method.ts";
import type { Stage } from "../../methods/stage.ts";
import type { PixelStatistics } from "../../models/pixels.ts";
import type { RunSpec } from "../run-spec.ts";
import { MethodData } from "./method-data.ts";
import { predictionOf, RunNetwork } from "./run-network.ts";
import { imageTensors } from "./stage-feed.ts";
import { planStage, type StagePlan } from "./stage-plan.ts";
import { buildStage, type StagePrograms } from "./stage-programs.ts";

export interface FirstStage extends StagePrograms {
  stage: Stage;
  plan: StagePlan;
  /** What the run's model says, and the names of the weights that it takes. */
  evaluate: Program;
  weights: string[];
}

export interface FirstStageOptions {
  pixels: PixelStatistics | undefined;
  /** First values of parameters; the others begin at random. */
  weights?: Weights;
  /** Instead of the one that the spec names, such as one that is in no registry. */
  method?: Method;
  /** Whether images are mixed with partners. */
  mixes?: boolean;
}

export function buildFirstStage(
  spec: RunSpec,
  dataset: Dataset,
  { pixels, weights, method = methods.get(spec.method.name), mixes = false }: FirstStageOptions,
): FirstStage {
  const data = new MethodData(method, spec, dataset);
  const stage = data.method.stages(data.known(spec.epochs)).next().value as Stage;
  const plan = planStage(stage, spec, data, { index: 0, features: false });
  const network = new RunNetwork(spec, dataset.classNames.length, pixels);
  const { height, width, channels } = dataset.images.shape!;
  const shape = [plan.batchSize, height, width, channels];
  const programs = buildStage(stage, plan, {
    spec,
    data,
    network,
    inputs: imageTensors(shape),
    features: false,
    mixes,
    weights: weights ?? new Map(),
    first: weights,
  });
  const prediction = predictionOf(network, data, input("images", shape, "byte"), "images");
  return {
    ...programs,
    stage,
    plan,
    evaluate: { outputs: { logits: prediction.logits } },
    weights: prediction.weights,
  };
}
