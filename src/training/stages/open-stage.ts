/** A stage made ready: its numbers, graphs and inputs, and what its weights have to go through before they are kept. */

import { Executable } from "../../engine/executable.ts";
import type { Weights } from "../../methods/method.ts";
import type { Stage } from "../../methods/stage.ts";
import { type Evaluator, FeatureEvaluator } from "../evaluator.ts";
import type { Chains } from "../make-batch.ts";
import { checkSolvable, solvedToTheEnd } from "./convex-stage.ts";
import { layersOverFeatures } from "./feature-layers.ts";
import type { ReadFeatures } from "./feature-source.ts";
import { OwnChoice, type ValidationInputs } from "./own-choice.ts";
import { predictionOf } from "./run-network.ts";
import type { RunParts } from "./run-parts.ts";
import { chainsOf } from "./stage-chains.ts";
import { FeatureFeed, ImageFeed, NoFeed, type StageFeed } from "./stage-feed.ts";
import { planStage, rowsFrom, type StagePlan } from "./stage-plan.ts";
import { buildStage, type StagePrograms } from "./stage-programs.ts";
import { stageId } from "./stage-store.ts";
import { type FeatureScale, featureScale, scaled, scaledLayers, unscaledLayers } from "./standardise.ts";
import { ViewedFeatures } from "./viewed-features.ts";

export interface OpenedStage {
  stage: Stage;
  plan: StagePlan;
  programs: StagePrograms;
  feed: StageFeed;
  /** Weights that are there when the stage begins. */
  before: Weights;
  begins: "go-on" | "fresh";
  /** Equal for stages that end with equal bytes; or what it would be, were the stage no longer than this. */
  readonly id: (length?: StagePlan["length"]) => string;
  /** Gets ready what takes time: features. False where it was asked to stop. */
  readonly load: () => Promise<boolean>;
  /** What the run's model says with the stage's weights; undefined where these make no model yet. */
  readonly evaluator: () => Promise<Evaluator | undefined>;
  /** Where the stage is chosen by a number of its own. */
  choice: OwnChoice | undefined;
  /** What that number is of. */
  readonly validation: ValidationInputs;
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
  asked: Stage,
  run: RunParts,
  { index, before, begun: earlier }: StageBeginning,
): OpenedStage {
  const { spec, data, network, first } = run;
  const takes = asked.inputs ?? "images";
  // A run on features has no images: what takes images then takes these.
  const features = takes === "features" || (takes === "images" && run.feed === undefined);
  const stage = features && spec.lastLayer?.solve ? solvedToTheEnd(asked, spec.lastLayer) : asked;
  const plan = planStage(stage, spec, data, { index, features });
  const begins = index === 0 || stage.begin === "fresh" ? "fresh" : "go-on";
  const given = stage.begin instanceof Map ? (stage.begin as Weights) : undefined;
  const begun: Weights = new Map([...(begins === "fresh" ? (first ?? []) : before), ...(given ?? [])]);
  const isOverNetwork = features && run.feed !== undefined;
  const there = isOverNetwork ? network.completed(begun, spec.seed, run.dataset.images.shape!) : begun;
  // What takes features by name takes those of images as they are, as it does over a network.
  const chains =
    features && run.feed === undefined && takes === "images" ? chainsOf(stage, spec, data) : undefined;
  const feed = feedOf(stage, plan, run, { features, chains });
  const programs = buildStage(stage, plan, {
    spec,
    data,
    network,
    inputs: feed,
    features,
    // Of features that were brought, the changed ones were extracted.
    mixes: takes === "images" && run.mixes,
    weights: there,
    first,
  });
  if (stage !== asked) checkSolvable(stage, programs, data);
  const choice = OwnChoice.of(stage, plan, run, features);
  const standardise = features && (stage.standardise ?? spec.lastLayer?.standardise ?? false);
  let scale: FeatureScale | undefined;
  let id: string | undefined;
  let opened: ReturnType<typeof openEvaluator> | undefined;
  let known: string[] | undefined;
  const layers = () => {
    known ??= layersOverFeatures(programs.losses, programs.parameters);
    return known;
  };
  return {
    stage,
    plan,
    programs,
    feed,
    before: there,
    begins,
    id: (length) => {
      const begunWith = begins === "fresh" ? "the run's first weights" : earlier;
      const { kernels } = run;
      const identified = { spec, stage, programs, choice, data, begun: begunWith, given, kernels };
      if (length !== undefined) return stageId({ ...identified, plan: { ...plan, length } });
      id ??= stageId({ ...identified, plan });
      return id;
    },
    load: async () => {
      if (feed instanceof ImageFeed) await feed.load();
      if (feed instanceof FeatureFeed) {
        const { features: source, hooks } = run;
        const rows = data.rows(plan.part);
        const indices = feed.places.map((place) => rows[place]!);
        const read = await source.of(indices, there, hooks);
        if (read === undefined) return false;
        if (standardise !== false) {
          const over = standardise === true ? indices : rowsFrom(standardise, stage.name, data);
          const readOver = standardise === true ? read : await source.of(over, there, hooks);
          if (readOver === undefined) return false;
          scale = await featureScale(() => inBlocks(over, readOver, source.width), over.length, source.width);
          const begunWith = new Map(
            programs.parameters.map(({ name }) => [name, programs.state.get(name)] as const),
          );
          for (const [name, values] of scaledLayers(begunWith, layers(), scale))
            programs.state.set(name, values);
        }
        await feed.load(rows, read, scale, await viewedIn(run, plan, chains));
      }
      return true;
    },
    evaluator: async () => {
      opened ??= openEvaluator(run, isOverNetwork, there, programs);
      return (await opened)?.evaluator;
    },
    choice,
    validation: (indices, size) =>
      features ? featureBlocks(run, there, scale, indices, size) : imageBlocks(run, indices, size),
    finished: (weights) => (scale === undefined ? weights : unscaledLayers(weights, layers(), scale)),
    close: async () => {
      await choice?.close();
      await (await opened)?.executable?.close();
    },
  };
}

/** The last block is filled up with its last image. */
function blocksOf(indices: Uint32Array, size: number): Uint32Array[] {
  return Array.from({ length: Math.ceil(indices.length / size) }, (_, block) =>
    Uint32Array.from({ length: size }, (_, i) => indices[Math.min(block * size + i, indices.length - 1)]!),
  );
}

async function* imageBlocks({ feed, hooks }: RunParts, indices: Uint32Array, size: number) {
  const requests = blocksOf(indices, size).map((each) => ({ indices: each }));
  for await (const { views } of feed!.batches(requests)) {
    if (hooks.shouldStop()) yield undefined;
    yield views.images;
  }
}

async function* featureBlocks(
  { features, hooks }: RunParts,
  weights: Weights,
  scale: FeatureScale | undefined,
  indices: Uint32Array,
  size: number,
) {
  const read = await features.of(indices, weights, hooks);
  if (read === undefined) {
    yield undefined;
    return;
  }
  for (const block of blocksOf(indices, size)) {
    if (hooks.shouldStop()) yield undefined;
    const seen = await read(block);
    yield scale === undefined ? seen : scaled(seen, features.width, scale);
  }
}

/** Rows at a time, for sums over all of them. */
const summed = 1024;

/** Each is good until the next is asked for. */
async function* inBlocks(indices: Uint32Array, read: ReadFeatures, width: number) {
  const memory = new Float32Array(Math.min(summed, indices.length) * width);
  for (let at = 0; at < indices.length; at += summed) {
    const some = indices.subarray(at, at + summed);
    yield await read(some, memory.subarray(0, some.length * width));
  }
}

function feedOf(
  stage: Stage,
  plan: StagePlan,
  run: RunParts,
  { features, chains }: { features: boolean; chains: Chains | undefined },
): StageFeed {
  if (stage.inputs === "none") return new NoFeed();
  if (features) return new FeatureFeed(run.features, stage, plan, chains);
  return new ImageFeed(run, stage, plan);
}

/** Features of views, where the stage has any and they were brought. */
async function viewedIn(
  { features, dataset, spec }: RunParts,
  { scope }: StagePlan,
  chains: Chains | undefined,
): Promise<ViewedFeatures | undefined> {
  if (chains === undefined || Object.values(chains).every((chain) => chain.length === 0)) return undefined;
  const { labels } = dataset;
  return ViewedFeatures.open(chains, features.view!, { labels, seed: spec.seed, scope });
}

/** The run's own, or one over features that are there already: they need not be computed at every validation. */
async function openEvaluator(
  run: RunParts,
  isOverNetwork: boolean,
  before: Weights,
  programs: StagePrograms,
): Promise<{ evaluator: Evaluator; executable?: Executable } | undefined> {
  const { spec, data, dataset, network, evaluator } = run;
  const known = new Set([...before.keys(), ...programs.parameters.map(({ name }) => name)]);
  const isModel = evaluator.weights.every((name) => known.has(name));
  if (!isModel) return undefined;
  if (!isOverNetwork) return { evaluator };
  const { features: source } = run;
  const { logits, weights } = predictionOf(network, data, FeatureEvaluator.input(source.width), "features");
  const executable = await Executable.compile(
    { outputs: { logits } },
    { device: spec.device, threads: spec.threads },
  );
  const classes = dataset.classNames.length;
  return { evaluator: new FeatureEvaluator(executable, { source, before, weights, classes }), executable };
}
