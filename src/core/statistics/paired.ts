/** Differences between two methods by seed: both saw the same draw of data, so that what it adds to both falls out. */

import { type ConfidenceOption, inputError } from "./checks.ts";
import { type StudentTest, studentTest } from "./student-t.ts";

export interface PairedResult<Key extends string | number = string | number> extends StudentTest {
  /** First less second, in the first's order. */
  differences: { key: Key; difference: number }[];
  /** Keys that one side alone has: they are in no difference. */
  unmatched: { first: Key[]; second: Key[] };
}

/** The mean of first less second over what both have, by Student's t. SciPy's `ttest_rel`. */
export function pairedDifference<Key extends string | number>(
  first: readonly { key: Key; value: number }[],
  second: readonly { key: Key; value: number }[],
  options: ConfidenceOption = {},
): PairedResult<Key> {
  const others = byKey("second", second);
  const ones = byKey("first", first);
  const differences = first.flatMap(({ key, value }) => {
    const other = others.get(key);
    return other === undefined ? [] : [{ key, difference: value - other }];
  });
  const unmatched = {
    first: first.map(({ key }) => key).filter((key) => !others.has(key)),
    second: second.map(({ key }) => key).filter((key) => !ones.has(key)),
  };
  if (differences.length === 0) {
    const named = (keys: readonly Key[]) => keys.slice(0, 5).join(", ") || "none";
    const got = `${named(unmatched.first)} against ${named(unmatched.second)}`;
    throw inputError("nothing to pair", "at least one key, such as a seed, that both sides have", got);
  }
  const test = studentTest(
    differences.map(({ difference }) => difference),
    options,
  );
  return { ...test, differences, unmatched };
}

function byKey<Key extends string | number>(
  side: string,
  values: readonly { key: Key; value: number }[],
): Map<Key, number> {
  const known = new Map<Key, number>();
  for (const { key, value } of values) {
    if (known.has(key))
      throw inputError(`the ${side} has two values of ${key}`, "one value a key", String(key));
    if (!Number.isFinite(value))
      throw inputError(`the ${side}'s value of ${key} is not finite`, "finite numbers", String(value));
    known.set(key, value);
  }
  return known;
}
