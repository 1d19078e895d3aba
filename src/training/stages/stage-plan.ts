/** The numbers of a stage: which images, how many a step, how many steps. */

import { CuelabError } from "../../core/errors.ts";
import type { Part } from "../../methods/method.ts";
import type { From, Stage } from "../../methods/stage.ts";
import { lengthOf, type RunSpec } from "../run-spec.ts";
import type { MethodData } from "./method-data.ts";

export interface StagePlan {
  /** Of the method's stages, from 0. */
  index: number;
  name: string;
  part: Part;
  /** Places in the part that the stage's images have; undefined for all of them in order. */
  places: Uint32Array | undefined;
  /** How often each image of the part is drawn, where that differs. */
  weights: Float32Array | undefined;
  /** How many images it has, each as often as it is named. */
  count: number;
  batchSize: number;
  /** All images in every step, in their order. */
  isFull: boolean;
  stepsPerEpoch: number;
  length: { steps: number; epochs: number };
  /** Put before purposes of random numbers: the first stage has those of a method with one stage. */
  scope: string;
  /** As long as the run is asked for, and not a length of its own; what is solved has none. */
  isMain: boolean;
  /** Chosen by the run's rule. */
  isSelected: boolean;
  /** Chosen by a number of its own. */
  chosenBy: string | undefined;
}

export interface PlanOptions {
  index: number;
  /** Whether the stage's images are features, whose order in a full batch decides nothing. */
  features: boolean;
}

export function planStage(
  stage: Stage,
  spec: RunSpec,
  data: MethodData,
  { index, features }: PlanOptions,
): StagePlan {
  const { part, places, weights } = imagesOf(stage, data);
  const count = places?.length ?? data.rows(part).length;
  const wanted = stage.batch ?? (features && spec.batchSize >= count ? "full" : spec.batchSize);
  const batchSize = wanted === "full" ? count : Math.min(wanted, count);
  // The last, incomplete batch of an epoch is dropped; shuffling makes it other images every time.
  const inEpoch = epochImages(stage, spec, { count, of: data.rows(part).length });
  const stepsPerEpoch = Math.max(1, Math.floor(inEpoch / batchSize));
  return {
    index,
    name: stage.name,
    part,
    places,
    weights,
    count,
    batchSize,
    isFull: wanted === "full",
    stepsPerEpoch,
    length: lengthOf(lengthGiven(stage, spec), stepsPerEpoch),
    scope: index === 0 ? "" : `${stage.name}/`,
    isMain: stage.length === undefined && stage.solve === undefined,
    isSelected: stage.solve === undefined && (stage.selected ?? true) === true,
    chosenBy: typeof stage.selected === "object" ? stage.selected.by : undefined,
  };
}

/**
 * Images that are named again make an epoch longer, up to longer than a run that is so many steps long: validation is looked at
 * then as often as if each came once.
 */
function epochImages(
  { length, batch }: Stage,
  { steps }: Pick<RunSpec, "steps">,
  { count, of }: { count: number; of: number },
): number {
  return steps !== undefined && (length ?? "run") === "run" && batch === undefined
    ? Math.min(count, of)
    : count;
}

/** Several stages' epochs are never more than one stage's. */
function lengthGiven({ length }: Stage, spec: RunSpec): Pick<RunSpec, "epochs" | "steps"> {
  if (length === undefined || length === "run") return spec;
  return "epochs" in length
    ? { epochs: length.epochs, steps: undefined }
    : { epochs: length.steps, steps: length.steps };
}

function imagesOf(
  { name, from = "train" }: Pick<Stage, "name" | "from">,
  data: MethodData,
): Pick<StagePlan, "part" | "places" | "weights"> {
  const named = typeof from === "string" ? { part: from } : from;
  const { part } = named;
  const size = data.rows(part).length;
  const fail = (expected: string, got: string) =>
    new CuelabError({
      kind: "failure",
      what: `stage "${name}" of method "${data.method.name}" names images that are not there`,
      expected,
      got,
    });
  const [places, weights] = [
    "places" in named ? named.places : undefined,
    "weights" in named ? named.weights : undefined,
  ];
  if (places?.length === 0) throw fail("one image or more", "none");
  const outside = places?.find((place) => place >= size);
  if (outside !== undefined) throw fail(`places below ${size}`, `${outside}`);
  if (weights !== undefined && weights.length !== size)
    throw fail(`a weight for each of ${size} images`, `${weights.length} weights`);
  return { part, places, weights };
}

/** Rows of the dataset that a stage, or an output that is wanted, is about. */
export function rowsFrom(from: From, name: string, data: MethodData): Uint32Array {
  const { part, places } = imagesOf({ name, from }, data);
  const rows = data.rows(part);
  return places === undefined ? rows : places.map((place) => rows[place]!);
}
