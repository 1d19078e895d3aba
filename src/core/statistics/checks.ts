/** What every statistic asks of its input: enough finite numbers, in columns of one length. */

import { CuelabError } from "../errors.ts";

export interface ConfidenceOption {
  /** The interval's probability of holding the truth, between 0 and 1; 0.95 unless told. */
  confidence?: number;
}

/** An interval's two ends. */
export interface Interval {
  low: number;
  high: number;
}

/** Throws unless there are at least `needed` values and all are finite. */
export function checkValues(name: string, values: ArrayLike<number>, needed: number): void {
  if (values.length < needed) {
    throw inputError(`too few ${name}`, `at least ${needed}`, String(values.length));
  }
  for (let i = 0; i < values.length; i++) {
    if (!Number.isFinite(values[i])) {
      throw inputError(`${name}[${i}] is not finite`, "finite numbers", String(values[i]));
    }
  }
}

/** Throws unless both columns have one length, hold at least `needed` finite values, and vary. */
export function checkPairs(x: ArrayLike<number>, y: ArrayLike<number>, needed: number): void {
  if (x.length !== y.length) {
    throw inputError("x and y differ in length", "two columns of one length", `${x.length} and ${y.length}`);
  }
  checkValues("x", x, needed);
  checkValues("y", y, needed);
  checkVaries("x", x);
  checkVaries("y", y);
}

export function checkConfidence(confidence: number): void {
  if (confidence > 0 && confidence < 1) return;
  throw usageError("no such confidence", "a number between 0 and 1, such as 0.95", String(confidence));
}

/** Throws where a result left the range of doubles, as the square of 1e200 does. */
export function checkResult(name: string, result: number): number {
  if (Number.isFinite(result)) return result;
  throw inputError(
    `the ${name} is too large for a double`,
    "values whose sums and squares stay below 1.8e308",
    String(result),
  );
}

export function isConstant(values: ArrayLike<number>): boolean {
  for (let i = 1; i < values.length; i++) if (values[i] !== values[0]) return false;
  return true;
}

export function inputError(what: string, expected: string, got: string, todo?: string): CuelabError {
  return new CuelabError({ kind: "input", what, expected, got, ...(todo === undefined ? {} : { todo }) });
}

export function usageError(what: string, expected: string, got: string): CuelabError {
  return new CuelabError({ kind: "usage", what, expected, got });
}

function checkVaries(name: string, values: ArrayLike<number>): void {
  if (!isConstant(values)) return;
  const what = `${name} is constant, so nothing can go along with it`;
  throw inputError(what, "at least two different values", `${values.length} times ${values[0]}`);
}
