/** Trains the classifiers of a chunk and measures them at every checkpoint, on every set of images. */

import { type RandomStream, randomStream } from "../core/random.ts";
import { rowsAt, rowsInto, spreadOf } from "../training/feature-rows.ts";
import { BatchedClassifiers, type BatchedOptions, type MeasuredImages } from "./batched-classifiers.ts";
import { ChunkFeed, poolScope } from "./chunk-feed.ts";
import type { ChunkPlan } from "./draw-classifiers.ts";
import { mostHidden } from "./draw-classifiers.ts";
import type { Features } from "./feature-kinds.ts";
import type { MeasuredSet } from "./measured-sets.ts";
import type { PoolImages, TrainingRows } from "./pool-images.ts";

export interface ChunkOptions {
  seed: number;
  classes: number;
  steps: number;
  checkpoints: number;
  /** Of the first checkpoint. */
  firstStep: number;
  signal?: AbortSignal | undefined;
}

export interface ChunkPoint {
  /** Position in the chunk. */
  member: number;
  step: number;
  /** By set, in their order. */
  accuracies: number[];
}

export async function trainChunk(
  plan: ChunkPlan,
  images: PoolImages,
  rows: TrainingRows,
  sets: readonly MeasuredSet[],
  given: Features,
  options: ChunkOptions,
): Promise<ChunkPoint[]> {
  const features = scaled(given, rows.positions);
  const { seed } = options;
  const streams = (purpose: string) => randomStream(seed, poolScope + purpose);
  const batchSize = Math.min(plan.batchSize, rows.positions.length);
  const batched: BatchedOptions = {
    family: plan.family,
    members: plan.members,
    width: features.width,
    classes: options.classes,
    batchSize,
    hidden: mostHidden,
    visible: visibleFeatures(plan, features, streams("visible")),
    threads: 1,
  };
  const classifiers = await BatchedClassifiers.create(
    batched,
    initialValues(plan, batched, streams("initial")),
  );
  try {
    const { targets, weights } = lessons(plan, images, rows, options.classes, streams);
    const measured = measuredImages(images, sets, features);
    const stops = checkpointSteps(options);
    const feed = new ChunkFeed({ plan, images, rows, features, batchSize, seed });
    const points: ChunkPoint[] = [];
    const count = plan.members.length;
    const [stepTargets, stepWeights] = [
      new Int32Array(batchSize * count),
      new Float32Array(batchSize * count),
    ];
    for (let step = 1; step <= options.steps; step++) {
      // A moment for Ctrl-C: steps themselves never let go of the thread.
      if (step % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
      options.signal?.throwIfAborted();
      const { chosen, values } = feed.batch(step - 1);
      rowsInto(targets, count, chosen, stepTargets);
      rowsInto(weights, count, chosen, stepWeights);
      await classifiers.step(values, stepTargets, stepWeights);
      if (!stops.includes(step)) continue;
      const correct = await classifiers.countCorrect(measured);
      for (let member = 0; member < count; member++) {
        points.push({
          member,
          step,
          accuracies: sets.map(({ indices }, i) => correct[i * count + member]! / indices.length),
        });
      }
    }
    return points.sort((a, b) => a.member - b.member || a.step - b.step);
  } finally {
    await classifiers.close();
  }
}

/** Evenly on a logarithmic scale, from the first to the last step. */
export function checkpointSteps({
  steps,
  checkpoints,
  firstStep,
}: Pick<ChunkOptions, "steps" | "checkpoints" | "firstStep">): number[] {
  const first = Math.min(firstStep, steps);
  const spaced = Array.from({ length: checkpoints }, (_, i) =>
    Math.round(first * (steps / first) ** (checkpoints === 1 ? 1 : i / (checkpoints - 1))),
  );
  return [...new Set(spaced)];
}

/**
 * Centred on the training images and divided by one number, so that their mean variance is 1; features that are the
 * same for all training images are left out. Last layers divide each feature by its own deviation instead: here those
 * that vary more weigh more, and components keep their order.
 */
function scaled({ values, width, channels }: Features, positions: Uint32Array): Features {
  const { mean, variance } = spreadOf(values, width, positions);
  const varied = [...variance.keys()].filter((k) => variance[k]! > 1e-12);
  // Of images that are all the same nothing can be learned; one feature is kept for form's sake.
  const kept = varied.length === 0 ? [0] : varied;
  const deviation = Math.sqrt(kept.reduce((sum, k) => sum + variance[k]!, 0) / kept.length) || 1;
  const count = values.length / width;
  const result = new Float32Array(count * kept.length);
  for (let image = 0; image < count; image++) {
    for (const [to, k] of kept.entries())
      result[image * kept.length + to] = (values[image * width + k]! - mean[k]!) / deviation;
  }
  return {
    values: result,
    width: kept.length,
    channels: channels && Uint8Array.from(kept, (k) => channels[k]!),
  };
}

function visibleFeatures(
  { members }: ChunkPlan,
  { width, channels }: Features,
  stream: RandomStream,
): Float32Array {
  const visible = new Float32Array(width * members.length);
  for (const [i, { number, channel, visible: share }] of members.entries()) {
    const random = stream.at(number);
    for (let k = 0; k < width; k++) {
      const seen = random.uniform() < share && (channel === undefined || channels?.[k] === channel);
      visible[k * members.length + i] = Number(seen);
    }
  }
  return visible;
}

/** Normal numbers: the first layer of a perceptron by He's rule, what leads to the classes by the classifier's scale. */
function initialValues(
  { members }: ChunkPlan,
  { family, width, classes, hidden = 1, visible }: BatchedOptions,
  stream: RandomStream,
): Record<string, Float32Array> {
  const count = members.length;
  const inputs = family === "logistic" ? classes : hidden;
  const first = new Float32Array(width * count * inputs);
  const second = new Float32Array(count * hidden * classes);
  for (const [i, { number, initialScale, hidden: units }] of members.entries()) {
    const random = stream.at(number);
    const scale = family === "logistic" ? initialScale / Math.sqrt(width) : Math.sqrt(2 / width);
    for (let k = 0; k < width; k++) {
      for (let unit = 0; unit < inputs; unit++) {
        const value = random.normal() * scale * visible[k * count + i]!;
        // A unit beyond a perceptron's own gets nothing in; without bias or slope it stays at zero.
        first[(k * count + i) * inputs + unit] = family === "mlp" && unit >= units ? 0 : value;
      }
    }
    if (family === "logistic") continue;
    for (let unit = 0; unit < units; unit++) {
      for (let c = 0; c < classes; c++)
        second[(i * hidden + unit) * classes + c] = (random.normal() * initialScale) / Math.sqrt(units);
    }
  }
  if (family === "logistic") return { weight: first, bias: new Float32Array(count * classes) };
  return {
    inner: first,
    innerBias: new Float32Array(count * hidden),
    outer: second,
    outerBias: new Float32Array(count * classes),
  };
}

/** What each classifier is told of each training image, and how much it counts: both [rows, members]. */
function lessons(
  { members }: ChunkPlan,
  { labels }: PoolImages,
  { positions, environment }: TrainingRows,
  classes: number,
  streams: (purpose: string) => RandomStream,
): { targets: Int32Array; weights: Float32Array } {
  const [rows, count] = [positions.length, members.length];
  const [targets, weights] = [new Int32Array(rows * count), new Float32Array(rows * count)];
  const environments = environment.reduce((most, e) => Math.max(most, e + 1), 1);
  for (const [i, member] of members.entries()) {
    const { number, labelNoise, subset, emphasis } = member;
    const [noise, choice] = [streams("noise").at(number), streams("subset").at(number)];
    const emphasised = member.emphasised % environments;
    for (let row = 0; row < rows; row++) {
      const label = labels[positions[row]!]!;
      const told =
        labelNoise > 0 && noise.boolean(labelNoise)
          ? (label + 1 + noise.integer(classes - 1)) % classes
          : label;
      const seen = subset === 1 || choice.boolean(subset);
      targets[row * count + i] = told;
      weights[row * count + i] = seen ? (environment[row] === emphasised ? emphasis : 1) : 0;
    }
  }
  return { targets, weights };
}

/** The images of whole parts, once each, and which of them every set has. */
function measuredImages(
  { labels, indices }: PoolImages,
  sets: readonly MeasuredSet[],
  { values, width }: Features,
): MeasuredImages {
  const positionOf = new Map(Array.from(indices, (index, position) => [index, position]));
  const rows = sets.filter(({ group }) => group === undefined).flatMap((set) => [...set.indices]);
  const rowOf = new Map(rows.map((index, row) => [index, row]));
  const positions = rows.map((index) => positionOf.get(index)!);
  const belongs = new Float32Array(sets.length * rows.length);
  for (const [i, set] of sets.entries())
    for (const index of set.indices) belongs[i * rows.length + rowOf.get(index)!] = 1;
  return {
    features: rowsAt(values, width, positions),
    labels: Int32Array.from(positions, (position) => labels[position]!),
    parts: belongs,
  };
}
