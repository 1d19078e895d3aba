/** Random classifiers: what those of a chunk share, and what each has to itself. The seed and the chunk decide. */

import { type Random, randomStream } from "../core/random.ts";
import { type BatchedFamily, batchedFamilies, type Member } from "./batched-classifiers.ts";
import type { FeatureKind } from "./feature-kinds.ts";

/** Classifiers that are trained at once; a part of the pool that is there whole or not at all. */
export const chunkSize = 8;

/** Hidden units of a perceptron at most. */
export const mostHidden = 16;

/**
 * `training`: what Salaudeen et al. vary, Table 2, beside the network: rate, decay, batch size, augmentation, dropout.
 * `wide`: more of those, and what a classifier is told and sees.
 */
export const varieties = ["wide", "training"] as const;
export type Variety = (typeof varieties)[number];

/** What classifiers of a chunk share, because they see the same batches. */
export interface ChunkPlan {
  chunk: number;
  family: BatchedFamily;
  kind: FeatureKind;
  batchSize: number;
  /** Half of the images are replaced by copies that were cropped, mirrored, jittered in colour and sometimes greyed. */
  augmented: boolean;
  /** Share of the features of an image that are set to zero at each step. */
  dropout: number;
  members: ClassifierPlan[];
}

interface ClassifierPlan extends Member {
  /** Position in the pool. */
  number: number;
  /** Deviation of the first output weights, times 1/√inputs. */
  initialScale: number;
  /** Share of training labels that are replaced by another class. */
  labelNoise: number;
  /** Share of the training images that it sees. */
  subset: number;
  /** The only channel that it sees, where it does not see all. */
  channel: number | undefined;
  /** Share of the features that it sees. */
  visible: number;
  /** Which of the training environments counts more, and how many times. */
  emphasised: number;
  emphasis: number;
  /** Units of a perceptron. */
  hidden: number;
}

export interface DrawClassifiersOptions {
  seed: number;
  vary: Variety;
  families: readonly BatchedFamily[];
  kinds: readonly FeatureKind[];
  /** Of the images. */
  channels: number;
}

export function drawChunk(
  chunk: number,
  { seed, vary, families, kinds, channels }: DrawClassifiersOptions,
): ChunkPlan {
  const { family, kind } = turnOf(chunk, { seed, families, kinds });
  const random = randomStream(seed, "pool/classifiers").at(chunk);
  return {
    chunk,
    family,
    kind,
    batchSize: Math.round(2 ** between(random, 3, vary === "wide" ? 7 : 5.5)),
    augmented: random.boolean(0.5),
    dropout: one(random, [0, 0.1, 0.5]),
    members: Array.from({ length: chunkSize }, (_, i) =>
      vary === "wide"
        ? drawWide(chunk * chunkSize + i, random, family, isBlended(kind) ? 1 : channels)
        : drawTraining(chunk * chunkSize + i, random, family),
    ),
  };
}

/**
 * Families take turns. Of each, every group of kinds comes once before any comes again, and so do the kinds of a group:
 * a small pool already has something of everything.
 */
function turnOf(
  chunk: number,
  { seed, families, kinds }: Pick<DrawClassifiersOptions, "seed" | "families" | "kinds">,
): Pick<ChunkPlan, "family" | "kind"> {
  const family = families[chunk % families.length]!;
  const turn = Math.floor(chunk / families.length);
  const groups = [...new Set(kinds.map(groupOf))];
  // An order of its own for each family and round.
  const ordered = <Value>(purpose: string, round: number, values: readonly Value[]) => {
    const stream = randomStream(seed, `pool/${purpose}`);
    const at = round * batchedFamilies.length + batchedFamilies.indexOf(family);
    return Array.from(stream.at(at).permutation(values.length), (i) => values[i]!);
  };
  const round = Math.floor(turn / groups.length);
  const group = ordered("groups", round, groups)[turn % groups.length]!;
  const own = kinds.filter((kind) => groupOf(kind) === group);
  const kind = ordered(`kinds/${group}`, Math.floor(round / own.length), own)[round % own.length]!;
  return { family, kind };
}

/** How its name begins: pixels, grey, components, filters, random or network. */
function groupOf({ name }: FeatureKind): string {
  return name.split("-")[0]!;
}

/** Families with groups of kinds that none of the first chunks has, such as `mlp on grey`. */
export function neverDrawn(
  chunks: number,
  options: Pick<DrawClassifiersOptions, "seed" | "families" | "kinds">,
): string[] {
  const named = (family: BatchedFamily, kind: FeatureKind) => `${family} on ${groupOf(kind)}`;
  const drawn = new Set(
    Array.from({ length: chunks }, (_, chunk) => {
      const { family, kind } = turnOf(chunk, options);
      return named(family, kind);
    }),
  );
  const all = options.families.flatMap((family) => options.kinds.map((kind) => named(family, kind)));
  return [...new Set(all)].filter((each) => !drawn.has(each));
}

/** Whether its features come from several channels at once. */
function isBlended({ grey, components, filters, network }: FeatureKind): boolean {
  return grey === true || components !== undefined || filters !== undefined || network !== undefined;
}

/** Rates above the 10^-5 to 10^-3.5 of Table 2: nothing here is pretrained, and there are fewer steps. */
function drawTraining(number: number, random: Random, family: BatchedFamily): ClassifierPlan {
  return {
    number,
    rate: 10 ** between(random, -4, -2),
    weightDecay: 10 ** between(random, -6, -2),
    l1: 0,
    initialScale: 0.01,
    labelNoise: 0,
    subset: 1,
    channel: undefined,
    visible: 1,
    emphasised: 0,
    emphasis: 1,
    hidden: hiddenUnits(random, family),
  };
}

function drawWide(number: number, random: Random, family: BatchedFamily, channels: number): ClassifierPlan {
  return {
    number,
    rate: 10 ** between(random, -5, -1),
    weightDecay: 10 ** between(random, -6, -0.5),
    l1: random.boolean(0.25) ? 10 ** between(random, -5, -2) : 0,
    initialScale: 10 ** between(random, -4, -1),
    labelNoise: random.boolean(0.3) ? between(random, 0, 0.4) : 0,
    subset: random.boolean(0.5) ? 10 ** between(random, -1.3, 0) : 1,
    channel: random.boolean(0.2) && channels > 1 ? random.integer(channels) : undefined,
    visible: random.boolean(0.4) ? 10 ** between(random, -1.5, 0) : 1,
    emphasised: random.integer(2 ** 16),
    emphasis: random.boolean(0.3) ? 10 ** between(random, 0, 1) : 1,
    hidden: hiddenUnits(random, family),
  };
}

function hiddenUnits(random: Random, family: BatchedFamily): number {
  return family === "mlp" ? one(random, [4, 8, mostHidden]) : 0;
}

export function between(random: Random, low: number, high: number): number {
  return low + (high - low) * random.uniform();
}

export function one<Value>(random: Random, values: readonly Value[]): Value {
  return values[random.integer(values.length)]!;
}
