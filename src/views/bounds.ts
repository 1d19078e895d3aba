/** Settings that are two bounds, and how a number between them is drawn. */

import { z } from "zod";
import type { Random } from "../core/random.ts";

/** `0.08,1`: the lower bound first. */
export function bounds(value: z.ZodNumber, [least, most]: readonly [number, number]) {
  return z
    .array(value)
    .length(2, "two numbers are wanted, the lower bound first")
    .refine(([from, to]) => from! <= to!, "the lower bound comes first")
    .default([least, most]);
}

/** Uniformly. */
export function between(random: Random, [from, to]: readonly number[]): number {
  // 1 − 0.7 is meant to be 0.3, and not what is left when both are rounded.
  return from! + Number((to! - from!).toPrecision(15)) * random.uniform();
}

/** Uniformly in logarithms, so that wide and tall are equally likely. */
export function betweenLogs(random: Random, [from, to]: readonly number[]): number {
  // Both are the same but for the last bit; runs that were made with the first find their bits again.
  const span = from! * to! === 1 ? 2 * Math.log(to!) : Math.log(to! / from!);
  return Math.exp(Math.log(from!) + random.uniform() * span);
}
