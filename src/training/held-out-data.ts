/** A dataset as a run sees it that trains on some of its environments: other splits, the same images. */

import { z } from "zod";
import { type DataColumns, type Dataset, standardSplits } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import { type EnvironmentPlan, type Fold, foldsOf, foldTrainedOn, planEnvironments } from "./environments.ts";
import type { SliceKey } from "./results.ts";
import { unusedSplit } from "./splits.ts";

export const heldOutSchema = z.strictObject({
  /** The attribute that tells environments apart, where it is not found by its name. */
  by: z.string().nullable().default(null),
  /** Splits that are held out, where they are not those that are shifted. */
  oodSplits: z.array(z.string()).min(1).optional(),
  /** Names of environments; all others are held out. Where the shift lies in splits: `train`. */
  trainOn: z.array(z.string()).min(1),
  /** Images of each part at most. */
  trainImages: z.number().int().min(1).optional(),
  testImages: z.number().int().min(1).optional(),
  /** Of the images to train on, within that limit, of each environment. */
  trainShare: z.number().gt(0).lt(1).optional(),
  /** Of what is drawn: parts, where the data has none, and images within these limits. */
  seed: z.number().int().min(0).default(0),
});

export type HeldOut = z.output<typeof heldOutSchema>;

/** What people say: the environments to train on, or the one to hold out. Names such as 0.9 are numbers in YAML. */
export const heldOutChoiceSchema = heldOutSchema.partial().extend({
  trainOn: z
    .array(z.union([z.string(), z.number()]))
    .min(1)
    .optional(),
  holdOut: z.union([z.string(), z.number()]).optional(),
});

export type HeldOutChoice = z.input<typeof heldOutChoiceSchema>;

function environmentPlan(
  dataset: DataColumns,
  { by, oodSplits, trainImages, testImages, trainShare, seed }: HeldOutChoice,
): EnvironmentPlan {
  return planEnvironments(dataset, {
    by: by ?? undefined,
    oodSplits,
    trainImages: trainImages ?? Number.POSITIVE_INFINITY,
    testImages: testImages ?? Number.POSITIVE_INFINITY,
    trainShare,
    seed: seed ?? 0,
  });
}

/** The same by the names of environments to train on; unknown names are refused. */
export function namedHeldOut(dataset: DataColumns, choice: HeldOutChoice): HeldOut {
  const { holdOut: _, trainOn: __, ...options } = choice;
  const [holdOut, trainOn] = [choice.holdOut?.toString(), choice.trainOn?.map(String)];
  if ((holdOut === undefined) === (trainOn === undefined)) {
    throw new CuelabError({
      kind: "usage",
      what: "environments are told either by those to train on or by the one to hold out",
      expected: "trainOn, a list of names, or holdOut, a name",
      got: holdOut === undefined ? "neither" : "both",
    });
  }
  const plan = environmentPlan(dataset, options);
  const folds = holdOut === undefined ? [foldNamed(plan, trainOn!)] : foldsOf(plan, holdOut);
  if (folds.length > 1) {
    throw new CuelabError({
      kind: "usage",
      what: "a run holds out one environment; 'cuelab pool run' and 'cuelab sweep run' take all in turn",
      expected: `one of: ${plan.environments.map(({ name }) => name).join(", ")}`,
      got: holdOut!,
    });
  }
  return heldOutSchema.parse({ ...options, trainOn: namesOf(plan, folds[0]!.training) });
}

function foldNamed(plan: EnvironmentPlan, trainOn: readonly string[]): Fold {
  // There is nothing else to train on, and so runs of these data say it.
  if (plan.kind === "splits" && trainOn.join() === plan.environments[0]!.name)
    return foldsOf(plan, "all")[0]!;
  return foldTrainedOn(plan, trainOn);
}

function namesOf({ environments }: EnvironmentPlan, positions: readonly number[]): string[] {
  return positions.map((i) => environments[i]!.name);
}

/**
 * Training: in parts of the environments trained on. Validation: their out parts, so that what is chosen by it is
 * chosen without the others, DomainBed's training-domain validation. Test: out parts of all others.
 */
export function withHeldOut(dataset: Dataset, heldOut: HeldOut): Dataset {
  return { ...dataset, ...heldOutColumns(dataset, heldOut) };
}

/** The same of a dataset's columns, for those who need no images. */
export function heldOutColumns(
  dataset: DataColumns,
  heldOut: HeldOut,
): Pick<Dataset, "splits" | "provenance"> {
  const plan = environmentPlan(dataset, heldOut);
  const { training, shifted } = foldNamed(plan, heldOut.trainOn);
  const { environments, attribute } = plan;
  const shiftedNames = [...new Set(shifted.map((i) => splitOf(plan, i)))];
  const names = [...standardSplits.slice(0, 2), ...shiftedNames, unusedSplit];
  const values = new Uint8Array(dataset.labels.length).fill(names.length - 1);
  const put = (indices: Uint32Array, split: string) => {
    for (const index of indices) values[index] = names.indexOf(split);
  };
  for (const i of training) {
    put(environments[i]!.inPart, "train");
    put(environments[i]!.outPart, "val");
  }
  for (const i of shifted) put(environments[i]!.outPart, splitOf(plan, i));
  return {
    splits: { names, values },
    provenance: {
      ...dataset.provenance,
      shiftedSplits: shiftedNames,
      ...(attribute !== undefined && { statisticsBy: attribute }),
    },
  };
}

/** The split of an environment that is held out. A validation split that is shifted itself cannot be the run's. */
function splitOf({ environments, kind }: EnvironmentPlan, i: number): string {
  if (kind === "attribute") return "test";
  const { name } = environments[i]!;
  return name === "val" ? "shifted val" : name;
}

/** Which slice of a run's results is the out part of an environment, trained on or held out. */
export function outSliceOf(plan: EnvironmentPlan, { training }: Fold, i: number): SliceKey {
  const split = training.includes(i) ? "val" : splitOf(plan, i);
  return plan.attribute === undefined ? { split } : { split, value: plan.environments[i]!.name };
}
