/** What an entry of a registry must keep, as functions that tests and `cuelab plugin check` call alike. */

import { CuelabError } from "../core/errors.ts";

export interface Check {
  /** What is kept, as a sentence without a full stop. */
  name: string;
  /** Throws where it is not. */
  readonly run: () => void | Promise<void>;
}

export interface CheckResult {
  name: string;
  /** Undefined where it is kept. */
  problem?: string;
}

export async function outcomeOf({ name, run }: Check): Promise<CheckResult> {
  try {
    await run();
    return { name };
  } catch (cause) {
    if (cause instanceof CuelabError) return { name, problem: cause.message };
    return { name, problem: (cause as Error).stack ?? String(cause) };
  }
}

/** Throws unless it holds. */
export function must(
  holds: boolean,
  what: string,
  parts: { where?: string; expected?: string; got?: string; todo?: string } = {},
): asserts holds {
  if (!holds) throw new CuelabError({ kind: "input", what, ...parts });
}

/** Throws unless numbers differ by rounding alone, in relation to the largest of them or 1. */
export function mustBeClose(
  actual: ArrayLike<number>,
  expected: ArrayLike<number>,
  tolerance: number,
  what: string,
): void {
  must(actual.length === expected.length, what, {
    expected: `${expected.length} numbers`,
    got: String(actual.length),
  });
  let size = 1;
  for (let i = 0; i < expected.length; i++) size = Math.max(size, Math.abs(expected[i]!));
  for (let i = 0; i < expected.length; i++) {
    const [a, e] = [actual[i]!, expected[i]!];
    must(Math.abs(a - e) / size < tolerance, what, { expected: `about ${e}`, got: String(a) });
  }
}
