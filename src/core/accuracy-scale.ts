/** The scale on which accuracies are compared: probit, logit, or as they are; clipped first, so that 0 and 1 have a place. */

import { CuelabError } from "./errors.ts";
import { normalCdf, normalQuantile } from "./statistics/index.ts";

export const transforms = ["probit", "logit", "linear"] as const;
export type Transform = (typeof transforms)[number];

export interface Scale {
  transform: Transform;
  /** Accuracies below the first count as the first, above the second as the second. */
  clip: readonly [low: number, high: number];
}

/** What reproduces the paper's tables. */
export const paperScale: Scale = { transform: "probit", clip: [0.01, 0.99] };

/** The paper's limits, unless accuracies are taken as they are: then 0 and 1 need none. */
export function defaultClip(transform: Transform): readonly [number, number] {
  return transform === "linear" ? [0, 1] : paperScale.clip;
}

/** One accuracy on the scale; 0 and 1 give ∓∞ where nothing is clipped. */
export function toScale(accuracy: number, { transform, clip: [low, high] }: Scale): number {
  const share = Math.min(high, Math.max(low, accuracy));
  switch (transform) {
    case "probit":
      return normalQuantile(share);
    case "logit":
      return Math.log(share / (1 - share));
    case "linear":
      return share;
    default:
      return transform satisfies never;
  }
}

/** The accuracy at a place on the scale. */
export function fromScale(value: number, transform: Transform): number {
  switch (transform) {
    case "probit":
      return normalCdf(value);
    case "logit":
      return 1 / (1 + Math.exp(-value));
    case "linear":
      return value;
    default:
      return transform satisfies never;
  }
}

/** A column on the scale; `name` is for the error. */
export function transformed(accuracies: Float64Array, scale: Scale, name = "accuracy"): Float64Array {
  const { transform, clip } = scale;
  if (!(clip[0] >= 0 && clip[0] < clip[1] && clip[1] <= 1)) {
    throw new CuelabError({
      kind: "usage",
      what: "no such limits for accuracies",
      expected: "two shares from 0 to 1, the smaller first, such as 0.01,0.99",
      got: clip.join(),
    });
  }
  // Most clipped values are equal, and the tails of the probit are its slow part.
  const ends = [toScale(clip[0], scale), toScale(clip[1], scale)] as const;
  return accuracies.map((accuracy, i) => {
    if (!(accuracy >= 0 && accuracy <= 1)) throw noShare(accuracy, i, name);
    const value = accuracy <= clip[0] ? ends[0] : accuracy >= clip[1] ? ends[1] : toScale(accuracy, scale);
    if (!Number.isFinite(value)) throw unbounded(accuracy, i, name, transform);
    return value;
  });
}

function noShare(accuracy: number, index: number, name: string): CuelabError {
  return new CuelabError({
    kind: "input",
    what: "a value is no accuracy",
    where: `${name}, value ${index + 1}`,
    expected: "a share from 0 to 1",
    got: String(accuracy),
  });
}

function unbounded(accuracy: number, index: number, name: string, transform: Transform): CuelabError {
  return new CuelabError({
    kind: "input",
    what: `an accuracy of ${accuracy} has no ${transform}`,
    where: `${name}, value ${index + 1}`,
    todo: "clip accuracies, as with --clip 0.01,0.99, or take --transform linear",
  });
}
