/** How people's own images are made ready on reading: brought to one size, and divided into splits. */

import { z } from "zod";
import { CuelabError } from "../core/errors.ts";
import { fits } from "../images/fit.ts";

/** As words of a spec, each to be left out. */
export const preparationShape = {
  /** All images are brought to squares of so many pixels. */
  size: z.number().int().min(1).max(8192).optional(),
  /** What becomes of images that are no squares. */
  fit: z.enum(fits).optional(),
  /** Shares of train, val and test. */
  split: z.array(z.number().min(0).max(1)).min(1).max(3).optional(),
  /** Every class has these shares exactly. */
  stratify: z.literal(true).optional(),
  /** The column whose values stay together. */
  splitBy: z.string().min(1).optional(),
};

const preparationSchema = z.strictObject(preparationShape);

export type Preparation = z.input<typeof preparationSchema>;

/** What of an object says how images are made ready, without what was not said; checked. */
export function preparationOf(given: Preparation): Preparation {
  const { size, fit, split, stratify, splitBy } = given;
  if (fit !== undefined && size === undefined) throw idle("--fit", "--size");
  if (stratify && split === undefined) throw idle("--stratify", "--split");
  if (splitBy !== undefined && split === undefined) throw idle("--split-by", "--split");
  if (stratify && splitBy !== undefined)
    throw new CuelabError({
      kind: "usage",
      what: "--stratify and --split-by cannot be told both",
      todo: "whole groups cannot be cut into exact shares of every class: leave one away",
    });
  if (split !== undefined) checkShares(split);
  return {
    ...(size !== undefined && { size, fit: fit ?? "crop" }),
    ...(split !== undefined && { split: [...split] }),
    ...(stratify && { stratify }),
    ...(splitBy !== undefined && { splitBy }),
  };
}

function checkShares(shares: readonly number[]): void {
  const sum = shares.reduce((all, share) => all + share, 0);
  if (Math.abs(sum - 1) < 1e-9 && shares[0]! > 0 && shares.every((share) => share >= 0)) return;
  throw new CuelabError({
    kind: "usage",
    what: "these are no shares of train, val and test",
    expected: "numbers that sum to 1, such as 0.8,0.1,0.1; two are train and test, and 1 is train alone",
    got: shares.join(","),
  });
}

function idle(option: string, without: string): CuelabError {
  return new CuelabError({
    kind: "usage",
    what: `${option} has no effect without ${without}`,
    todo: `add ${without}, or leave ${option} away`,
  });
}
