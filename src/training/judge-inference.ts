/**
 * What a method has inferred of its training images, judged by labels that it was not told: which cue's minority, the images that
 * lack the value going with their class, does its score find?
 */

import { cuesOf, majorityOf } from "../core/cue-statistics.ts";
import type { Attribute, Dataset } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import { rocArea } from "../core/statistics/index.ts";
import type { Part } from "../methods/method.ts";
import type { Inferred } from "../methods/stage.ts";
import type { JudgedCue, JudgedInference } from "../runs/judged-inference.ts";
import { indicesOf } from "./splits.ts";

export interface StageInference {
  stage: string;
  part: Part;
  inferred: Readonly<Record<string, Inferred>>;
}

export function judgeInferences(dataset: Dataset, stages: readonly StageInference[]): JudgedInference[] {
  return stages.flatMap(({ stage, part, inferred }) => {
    const rows = indicesOf(dataset, part);
    return Object.entries(inferred).map(([name, one]) => {
      checkScores(stage, name, one, rows.length);
      const { scores, threshold } = one;
      const scored = [...rows.keys()].filter((place) => !Number.isNaN(scores[place]));
      return {
        stage,
        name,
        threshold,
        images: scored.length,
        taken: scored.filter((place) => scores[place]! > threshold).length,
        cues: cuesOf(dataset).map(([cue, attribute]) => ({
          cue,
          ...judged(dataset, attribute, rows, scored, one),
        })),
      };
    });
  });
}

function judged(
  dataset: Dataset,
  attribute: Attribute,
  rows: Uint32Array,
  scored: readonly number[],
  { scores, threshold }: Inferred,
): Omit<JudgedCue, "cue"> {
  const common = majorityOf(dataset, attribute);
  const commonOf = (place: number) => common[dataset.labels[rows[place]!]!]!.value;
  const known = scored.filter((place) => commonOf(place) !== undefined);
  const isMinority = known.map((place) => attribute.values[rows[place]!] !== commonOf(place));
  const isTaken = known.map((place) => scores[place]! > threshold);
  const count = (is: readonly boolean[]) => is.reduce((sum, each) => sum + Number(each), 0);
  const [images, minority, taken] = [known.length, count(isMinority), count(isTaken)];
  const both = count(isMinority.map((is, i) => is && isTaken[i]!));
  const share = (part: number, whole: number) => (whole === 0 ? null : part / whole);
  const found = rocArea(
    known.map((place) => scores[place]!),
    isMinority,
  );
  return {
    images,
    minority,
    area: found?.area ?? null,
    low: found?.low ?? null,
    high: found?.high ?? null,
    precision: share(both, taken),
    recall: share(both, minority),
    chancePrecision: share(minority, images),
    chanceRecall: share(taken, images),
  };
}

/** A plugin may give anything. */
function checkScores(stage: string, name: string, { scores, threshold }: Inferred, images: number): void {
  const isNumber = scores.every((score) => Number.isNaN(score) || Number.isFinite(score));
  if (scores.length === images && isNumber && Number.isFinite(threshold)) return;
  throw new CuelabError({
    kind: "failure",
    what: `stage "${stage}" infers "${name}", which cannot be judged`,
    expected: `a finite threshold and ${images.toLocaleString("en")} scores, each finite or NaN`,
    got: `a threshold of ${threshold} and ${scores.length.toLocaleString("en")} scores${isNumber ? "" : ", some infinite"}`,
  });
}
