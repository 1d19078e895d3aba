/** Options about data and weights that several commands share, and what they mean for a run's spec. */

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { type Command, Option } from "commander";
import { CuelabError } from "../core/errors.ts";
import { parseAssignments } from "../core/settings.ts";
import { findDataset, isDatasetName } from "../datasets/index.ts";
import type { Model } from "../models/model.ts";
import type { RunSpec, RunSpecInput } from "../protocol/run-spec.ts";
import { describeHeldOut, describeTrainingData } from "../protocol/training-data.ts";
import { chosenPixels, describeWeights, pixelChoices } from "../protocol/weights.ts";
import { collect, list, wholeNumber } from "./options.ts";

export interface DataOptions {
  set: string[];
  dataSeed?: number;
}

export function addDataOptions(command: Command, { required = true } = {}): Command {
  const about = "a dataset by name (made on the fly) or by path";
  const named = required
    ? command.requiredOption("--data <name or path>", about)
    : command.option("--data <name or path>", `${about} (default: the run's)`);
  return named
    .addOption(collect("--set <key=value>", "a setting of the dataset; may be given again"))
    .option(
      "--data-seed <n>",
      "seed of a dataset by name (default: 0)",
      wholeNumber(0, Number.MAX_SAFE_INTEGER),
    );
}

/** A name wins over a folder of the same name. */
export async function dataOf(
  data: string,
  { set, dataSeed }: DataOptions,
  signal: AbortSignal,
): Promise<RunSpec["data"]> {
  const byPath = !isDatasetName(data) && (existsSync(data) || data.includes("/"));
  if (byPath && (set.length > 0 || dataSeed !== undefined)) {
    throw new CuelabError({
      kind: "usage",
      what: `${set.length > 0 ? "--set" : "--data-seed"} is for datasets by name; this one is made already`,
      where: data,
    });
  }
  if (byPath) return describeTrainingData({ path: resolve(data), settings: {}, seed: 0 }, signal);
  const { definition, assignments } = findDataset(data);
  return describeTrainingData({
    name: definition.name,
    settings: parseAssignments(definition.settings, [...assignments, ...set]),
    seed: dataSeed ?? 0,
  });
}

export interface HeldOutOptions {
  holdOut?: string;
  trainOn?: string[];
  environment?: string;
}

export function addHeldOutOptions(command: Command): Command {
  return command
    .option("--hold-out <environment>", "train on all environments but this one, and test on it")
    .option("--train-on <environments>", "instead: train on these, by commas, and test on all others", list)
    .option(
      "--environment <attribute>",
      "what tells environments apart (default: environment or domain; else splits that are shifted)",
    );
}

/** The data with environments held out, where that is asked for. */
export async function withEnvironments(
  data: RunSpec["data"],
  { holdOut, trainOn, environment }: HeldOutOptions,
): Promise<RunSpec["data"]> {
  if (holdOut !== undefined && trainOn !== undefined) {
    throw new CuelabError({ kind: "usage", what: "--hold-out and --train-on cannot be told both" });
  }
  if (holdOut === undefined && trainOn === undefined) {
    if (environment === undefined) return data;
    throw new CuelabError({
      kind: "usage",
      what: "--environment has no effect without --hold-out or --train-on",
      todo: "say which of its values to hold out",
    });
  }
  const choice = { holdOut, trainOn, by: environment, seed: data.seed };
  return { ...data, environments: await describeHeldOut(data, choice) };
}

export interface WeightOptions {
  weights?: string;
  pixels?: (typeof pixelChoices)[number];
}

export function pixelsOption(): Option {
  return new Option(
    "--pixels <whose>",
    "mean and deviation that pixels are standardised by (default: data; with --weights those of the file, or imagenet)",
  ).choices(pixelChoices);
}

/** The file of weights, and how the network sees pixels. */
export async function weightsOf(
  { weights, pixels }: WeightOptions,
  { pixels: kind, name }: Model,
): Promise<Pick<RunSpecInput, "weights" | "pixels">> {
  if (pixels !== undefined && kind !== "standard")
    throw new CuelabError({
      kind: "usage",
      what: `--pixels has no effect on model "${name}", which does not standardise its pixels`,
    });
  const described = weights === undefined ? undefined : await describeWeights(resolve(weights));
  const statistics = pixels === undefined ? described?.pixels : chosenPixels(pixels);
  return {
    ...(described && { weights: { path: described.path, digest: described.digest } }),
    ...(kind === "standard" && statistics && { pixels: mutable(statistics) }),
  };
}

function mutable({ mean, deviation }: NonNullable<ReturnType<typeof chosenPixels>>) {
  return { mean: [...mean], deviation: [...deviation] };
}

/** Without the options that were not given, so that the spec's own defaults apply. */
export function given<Options extends object>(
  options: Options,
): { [Key in keyof Options]?: NonNullable<Options[Key]> } {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as never;
}
