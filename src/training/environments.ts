/** What can be trained on and measured on: environments with an in and an out part, and which are left out. */

import type { Attribute, DataColumns, Dataset } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import { didYouMean, nearest } from "../core/nearest.ts";
import { type RandomStream, randomStream } from "../core/random.ts";
import { shiftedSplits } from "../core/shifted-splits.ts";
import { indicesOf } from "./splits.ts";

export interface Environment {
  name: string;
  /** Images to train on, where the environment is trained on. */
  inPart: Uint32Array;
  /** Images that are measured on and never trained on. */
  outPart: Uint32Array;
}

export interface EnvironmentPlan {
  environments: Environment[];
  /** Where the shift lies in splits only the first environment, the training split, can be trained on. */
  kind: "attribute" | "splits";
  /** The attribute by which environments are told apart. */
  attribute?: string;
}

/** Positions of environments: trained on, and out of distribution. */
export interface Fold {
  training: number[];
  shifted: number[];
}

export interface EnvironmentOptions {
  /** The attribute; by default one called environment or domain. */
  by?: string | undefined;
  /** Splits that are out of distribution; by default those that are shifted. */
  oodSplits?: readonly string[] | undefined;
  /** Images of each part at most, drawn at random. */
  trainImages: number;
  testImages: number;
  /** Of the images to train on that are left of each environment; by default all. */
  trainShare?: number | undefined;
  seed: number;
}

const usualNames = ["environment", "domain"];
/** Of an environment without parts of its own, and of a training split without a validation split. */
const outShare = 0.2;
/** However small a share is. */
const leastTrained = 2;

export function planEnvironments(dataset: DataColumns, options: EnvironmentOptions): EnvironmentPlan {
  const { by = usualNames.find((name) => Object.hasOwn(dataset.attributes, name)), oodSplits } = options;
  if (options.by !== undefined && oodSplits !== undefined) {
    throw new CuelabError({ kind: "usage", what: "--environment and --ood-splits cannot be told both" });
  }
  if (by !== undefined && oodSplits === undefined) {
    const attribute = attributeNamed(dataset, by);
    return { kind: "attribute", attribute: by, environments: byAttribute(dataset, by, attribute, options) };
  }
  return { kind: "splits", environments: bySplit(dataset, options) };
}

/** Leave one out: by name, or `all` in turn. Shifted splits are all left out at once. */
export function foldsOf({ environments, kind }: EnvironmentPlan, holdOut: string): Fold[] {
  const others = (left: number) => [...environments.keys()].filter((i) => i !== left);
  if (kind === "splits") {
    if (holdOut !== "all") environmentNamed(environments.slice(1), holdOut);
    const shifted = others(0).filter((i) => holdOut === "all" || environments[i]!.name === holdOut);
    return [{ training: [0], shifted }];
  }
  const left = holdOut === "all" ? [...environments.keys()] : [environmentNamed(environments, holdOut)];
  return left.map((i) => ({ training: others(i), shifted: [i] }));
}

/** Train on these, in whatever order they are named, and all others are out of distribution. */
export function foldTrainedOn({ environments, kind }: EnvironmentPlan, names: readonly string[]): Fold {
  if (kind === "splits") {
    throw new CuelabError({
      kind: "usage",
      what: "--train-on is for datasets with environments; here the training split is trained on",
      todo: "leave --train-on away",
    });
  }
  const named = new Set(names.map((name) => environmentNamed(environments, name)));
  const [training, shifted] = [true, false].map((wanted) =>
    [...environments.keys()].filter((i) => named.has(i) === wanted),
  ) as [number[], number[]];
  if (shifted.length > 0) return { training, shifted };
  throw new CuelabError({
    kind: "usage",
    what: "--train-on names every environment, and none is left to be out of distribution",
    got: names.join(", "),
  });
}

/** Of each environment: the accuracy, in its out part, of always answering that part's most frequent class. */
export function guessingIn({ labels, classNames }: Dataset, { environments }: EnvironmentPlan): number[] {
  return environments.map(({ outPart }) => {
    const counts = new Uint32Array(classNames.length);
    for (const i of outPart) counts[labels[i]!]!++;
    return Math.max(...counts) / outPart.length;
  });
}

function environmentNamed(environments: readonly Environment[], name: string): number {
  const names = environments.map((environment) => environment.name);
  const found = names.indexOf(name);
  if (found >= 0) return found;
  // A number is another number, not a slip of the keys.
  const close = Number.isNaN(Number(name)) ? nearest(name, names) : undefined;
  throw new CuelabError({
    kind: "usage",
    what: `no environment is called "${name}"`,
    expected: `one of: ${names.join(", ")}`,
    ...(close === undefined ? {} : { todo: `did you mean "${close}"?` }),
  });
}

function attributeNamed({ attributes, name }: Pick<Dataset, "attributes" | "name">, by: string): Attribute {
  if (Object.hasOwn(attributes, by)) return attributes[by]!;
  throw new CuelabError({
    kind: "usage",
    what: `the images have no attribute "${by}"`,
    where: name,
    expected: `one of: ${Object.keys(attributes).join(", ")}`,
    ...didYouMean(by, Object.keys(attributes)),
  });
}

/** The dataset's own parts `in` and `out`, else a fifth of each environment is kept out. */
function byAttribute(
  dataset: DataColumns,
  by: string,
  { values, valueNames }: Attribute,
  options: EnvironmentOptions,
): Environment[] {
  const { part } = dataset.attributes;
  const inCode = part?.valueNames.indexOf("in") ?? -1;
  const outCode = part?.valueNames.indexOf("out") ?? -1;
  const all = Uint32Array.from(values.keys());
  const streams = streamsOf(options);
  const environments = valueNames.flatMap((name, code): Environment[] => {
    const members = all.filter((i) => values[i] === code);
    if (members.length === 0) return [];
    const parts =
      part !== undefined && inCode >= 0 && outCode >= 0
        ? {
            inPart: members.filter((i) => part.values[i] === inCode),
            outPart: members.filter((i) => part.values[i] === outCode),
          }
        : halves(members, streams, code);
    return [limited({ name, ...parts }, options, streams, code)];
  });
  const empty = environments.find(({ inPart, outPart }) => inPart.length === 0 || outPart.length === 0);
  if (empty !== undefined) {
    throw new CuelabError({
      kind: "input",
      what: `environment "${empty.name}" has no images to ${empty.inPart.length === 0 ? "train on" : "measure on"}`,
      where: dataset.name,
      expected: "images in and out of training in each environment",
      got: `${empty.inPart.length} in, ${empty.outPart.length} out`,
    });
  }
  if (environments.length < 2) {
    throw new CuelabError({
      kind: "input",
      what: `attribute "${by}" tells fewer than two environments apart`,
      where: dataset.name,
      got: environments.map(({ name }) => name).join(", ") || "no images",
    });
  }
  return environments;
}

/** The training split, with validation as its out part where that is not shifted itself, then the shifted splits. */
function bySplit(dataset: DataColumns, options: EnvironmentOptions): Environment[] {
  const known = shiftedSplits(dataset);
  const shifted =
    options.oodSplits === undefined
      ? known.filter((name) => indicesOf(dataset, name).length > 0)
      : splitsNamed(dataset, options.oodSplits);
  if (shifted.length === 0) {
    throw new CuelabError({
      kind: "input",
      what: "nothing here is out of distribution",
      where: dataset.name,
      expected: "an attribute environment or domain, or a split in which a cue goes with the class otherwise",
      todo: "name the attribute that tells environments apart: --environment <attribute>, or the splits: --ood-splits",
    });
  }
  const streams = streamsOf(options);
  const training = indicesOf(dataset, "train");
  const isShifted = [...known, ...shifted].includes("val");
  const validation = isShifted ? new Uint32Array(0) : indicesOf(dataset, "val");
  const home =
    validation.length > 0 ? { inPart: training, outPart: validation } : halves(training, streams, 0);
  return [
    limited({ name: "train", ...home }, options, streams, 0),
    ...shifted.map((name, i) =>
      limited(
        { name, inPart: new Uint32Array(0), outPart: indicesOf(dataset, name) },
        options,
        streams,
        i + 1,
      ),
    ),
  ];
}

/** As they were asked for, whether shifted or not: a split that is not serves as a control. */
function splitsNamed(dataset: DataColumns, names: readonly string[]): readonly string[] {
  const others = dataset.splits.names.filter(
    (name) => name !== "train" && indicesOf(dataset, name).length > 0,
  );
  const wrong = names.find((name, i) => !others.includes(name) || names.indexOf(name) !== i);
  if (wrong === undefined) return names;
  const close = nearest(wrong, others);
  throw new CuelabError({
    kind: "usage",
    what:
      names.filter((name) => name === wrong).length > 1
        ? `split "${wrong}" is named twice`
        : `no split to be out of distribution is called "${wrong}"`,
    where: dataset.name,
    expected: `some of: ${others.join(", ")}`,
    ...(close === undefined || close === wrong ? {} : { todo: `did you mean "${close}"?` }),
  });
}

interface EnvironmentStreams {
  parts: RandomStream;
  limits: RandomStream;
}

function streamsOf({ seed }: EnvironmentOptions): EnvironmentStreams {
  return { parts: randomStream(seed, "pool/parts"), limits: randomStream(seed, "pool/limits") };
}

function halves(
  members: Uint32Array,
  { parts }: EnvironmentStreams,
  code: number,
): Omit<Environment, "name"> {
  const shuffled = parts.at(code).shuffle(members.slice());
  const out = Math.max(1, Math.floor(members.length * outShare));
  return { inPart: shuffled.subarray(out).sort(), outPart: shuffled.subarray(0, out).sort() };
}

function limited(
  { name, inPart, outPart }: Environment,
  { trainImages, testImages, trainShare = 1 }: EnvironmentOptions,
  { limits }: EnvironmentStreams,
  code: number,
): Environment {
  const within = Math.min(inPart.length, trainImages);
  const trained = trainShare === 1 ? within : Math.max(leastTrained, Math.round(trainShare * within));
  const some = (members: Uint32Array, most: number, draw: number) =>
    members.length <= most
      ? members
      : limits
          .at(2 * code + draw)
          .shuffle(members.slice())
          .subarray(0, most)
          .sort();
  return { name, inPart: some(inPart, trained, 0), outPart: some(outPart, testImages, 1) };
}
