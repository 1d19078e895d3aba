/** A stage made ready: its numbers, graphs and inputs, and what its weights have to go through before they are kept. */

import { CuelabError } from "../../core/errors.ts";
import { Executable } from "../../engine/executable.ts";
import type { Weights } from "../../methods/method.ts";
import type { Stage } from "../../methods/stage.ts";
import { isWithin } from "../../models/weights/match-weights.ts";
import { type Evaluator, FeatureEvaluator } from "../evaluator.ts";
import { indicesOf } from "../splits.ts";
import { isOwn } from "./own-parts.ts";
import { predictionOf } from "./run-network.ts";
import type { RunParts } from "./run-parts.ts";
import { FeatureFeed, ImageFeed, NoFeed, type StageFeed } from "./stage-feed.ts";
import { planStage, type StagePlan } from "./stage-plan.ts";
import { buildStage, type StagePrograms } from "./stage-programs.ts";
import { stageId } from "./stage-store.ts";
import { type Scale, scaled, scaledLayers, scaleOf, unscaledLayers } from "./standardise.ts";

export interface OpenedStage {
  stage: Stage;
  plan: StagePlan;
  programs: StagePrograms;
  feed: StageFeed;
  /** Weights that are there when the stage begins. */
  before: Weights;
  begins: "go-on" | "fresh";
  /** Equal for stages that end with equal bytes. */
  readonly id: () => string;
  /** Gets ready what takes time: features, and what validates them. False where it was asked to stop. */
  readonly load: () => Promise<boolean>;
  /** Of validation images; undefined where the weights make no model yet. To be asked for when it is loaded. */
  readonly evaluator: () => Evaluator | undefined;
  /** From the weights that are trained to those that the stage leaves. */
  readonly finished: (weights: Weights) => Weights;
  readonly close: () => Promise<void>;
}

export interface StageBeginning {
  index: number;
  /** Weights as earlier stages have left them; none before the first. */
  before: Weights;
  /** The id of what left them. */
  begun: string;
}

export function openStage(
  stage: Stage,
  run: RunParts,
  { index, before, begun }: StageBeginning,
): OpenedStage {
  const { spec, data, network, first } = run;
  const takes = stage.inputs ?? "images";
  // A run on features has no images: what takes images then takes these.
  const features = takes === "features" || (takes === "images" && run.feed === undefined);
  const plan = planStage(stage, spec, data, { index, features });
  const begins = index === 0 || stage.begin === "fresh" ? "fresh" : "go-on";
  const given = stage.begin instanceof Map ? (stage.begin as Weights) : undefined;
  const there: Weights = new Map([...(begins === "fresh" ? (first ?? []) : before), ...(given ?? [])]);
  const feed = feedOf(stage, plan, run, features);
  const programs = buildStage(stage, plan, {
    spec,
    data,
    network,
    inputs: feed,
    features,
    mixes: takes === "images" && !features && run.mixes,
    weights: there,
    first,
  });
  checkLearnt(stage, plan, run);
  const standardise = features && (stage.standardise ?? spec.lastLayer?.standardise ?? false);
  let scale: Scale | undefined;
  let id: string | undefined;
  let opened: { evaluator: Evaluator; executable?: Executable } | undefined;
  const layers = () =>
    programs.parameters.filter(({ name }) => programs.moved.includes(name) && !name.startsWith("method/"));
  return {
    stage,
    plan,
    programs,
    feed,
    before: there,
    begins,
    id: () => {
      const begunWith = begins === "fresh" ? "the run's first weights" : begun;
      id ??= stageId({ spec, stage, plan, programs, begun: begunWith, kernels: run.kernels });
      return id;
    },
    load: async () => {
      if (feed instanceof ImageFeed) await feed.load();
      if (feed instanceof FeatureFeed) {
        const rows = data.rows(plan.part);
        const seen = await run.features.rows(
          feed.places.map((place) => rows[place]!),
          there,
          run.hooks,
        );
        if (seen === undefined) return false;
        let { matrix } = seen;
        if (standardise) {
          scale = scaleOf(matrix, seen.width);
          matrix = scaled(matrix, seen.width, scale);
          const begunWith = new Map(layers().map(({ name }) => [name, programs.state.get(name)]));
          for (const [name, values] of scaledLayers(begunWith, layers(), scale))
            programs.state.set(name, values);
        }
        feed.load(matrix);
      }
      opened = await openEvaluator(run, features, there, programs);
      return true;
    },
    evaluator: () => opened?.evaluator,
    finished: (weights) => (scale === undefined ? weights : unscaledLayers(weights, layers(), scale)),
    close: async () => {
      await opened?.executable?.close();
    },
  };
}

function feedOf(stage: Stage, plan: StagePlan, run: RunParts, features: boolean): StageFeed {
  if (stage.inputs === "none") return new NoFeed();
  if (features) return new FeatureFeed(run.features.width, plan);
  return new ImageFeed(run, stage, plan);
}

/** The run's own, or one over features that are there already: they need not be computed at every validation. */
async function openEvaluator(
  run: RunParts,
  features: boolean,
  before: Weights,
  programs: StagePrograms,
): Promise<{ evaluator: Evaluator; executable?: Executable } | undefined> {
  const { spec, data, dataset, network, evaluator } = run;
  const known = new Set([...before.keys(), ...programs.parameters.map(({ name }) => name)]);
  const isModel = evaluator.weights.every((name) => known.has(name));
  if (!isModel) return undefined;
  if (!features || run.feed === undefined || indicesOf(dataset, "val").length === 0) return { evaluator };
  const { width } = run.features;
  const { logits, weights } = predictionOf(network, data, FeatureEvaluator.input(width), "features");
  const executable = await Executable.compile(
    { outputs: { logits } },
    { device: spec.device, threads: spec.threads },
  );
  const rowsOf = async (indices: Uint32Array) => (await run.features.rows(indices, before))!.matrix;
  const widths = { features: width, logits: dataset.classNames.length };
  return { evaluator: new FeatureEvaluator(executable, rowsOf, weights, widths), executable };
}

/** Whether a tensor comes after the features: of the last layer, or of the method's own. */
export function isAfterFeatures(name: string, { network }: Pick<RunParts, "network">): boolean {
  return isOwn(name) || isWithin(name, network.model.head);
}

/** On features, only what comes after them can move. */
function checkLearnt({ name }: Stage, { part }: StagePlan, { spec, data }: RunParts): void {
  if (part !== "val" || spec.select.by === "last") return;
  throw new CuelabError({
    kind: "usage",
    what: `method "${data.method.name}" trains on validation images (stage "${name}"), and an epoch is to be chosen by them`,
    expected: "validation images that are either learnt from or chosen by",
    todo: "leave --select away, or choose a method that does not train on them",
  });
}
