/** Groups of the training images by class and explicit cues: only combinations that occur are numbered. */

import { cuesOf } from "../core/cue-statistics.ts";
import type { Dataset } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import { didYouMean } from "../core/nearest.ts";
import type { Method } from "../methods/method.ts";

/** Combinations of columns, numbered from 0 in the order in which they first occur. */
export interface Combinations {
  /** Number of each row's combination. */
  codes: Int32Array;
  /** How many rows each combination has. */
  sizes: Int32Array;
}

export interface ExplicitGroups {
  /** Class × explicit cues. */
  groups: Combinations;
  /** The explicit cues alone. */
  bias: Combinations;
}

export function explicitGroups(
  { labels, attributes }: Pick<Dataset, "labels" | "attributes">,
  explicit: readonly string[],
  rows: Uint32Array,
): ExplicitGroups {
  const columns = explicit.map((name) => attributes[name]!.values);
  const bias = columns.reduce((sofar, values) => combined(sofar, values, rows), together(rows.length));
  return { bias, groups: combined(bias, labels, rows) };
}

/** All rows in one combination. */
function together(count: number): Combinations {
  return { codes: new Int32Array(count), sizes: Int32Array.of(count) };
}

/** Refines combinations by one more column. A number stays below rows × 2¹⁶, whatever the nominal count is. */
function combined({ codes }: Combinations, values: Uint16Array, rows: Uint32Array): Combinations {
  const numbers = new Map<number, number>();
  const sizes: number[] = [];
  const refined = codes.map((code, i) => {
    const key = code * 2 ** 16 + values[rows[i]!]!;
    let number = numbers.get(key);
    if (number === undefined) {
      number = sizes.length;
      numbers.set(key, number);
      sizes.push(0);
    }
    sizes[number]!++;
    return number;
  });
  return { codes: refined, sizes: Int32Array.from(sizes) };
}

/**
 * The cues that a method is told, in the dataset's order, so that equal choices are one run; undefined for a method
 * that may be told none. A dataset's only cue needs no naming.
 */
export function chooseExplicit(
  { name, supervision }: Pick<Method, "name" | "supervision">,
  given: readonly string[] | undefined,
  dataset: Pick<Dataset, "attributes">,
): string[] | undefined {
  const known = Object.keys(dataset.attributes);
  const cues = cuesOf(dataset).map(([cue]) => cue);
  const fail = (what: string, todo: string) =>
    new CuelabError({ kind: "usage", what, expected: listed(cues, known), todo });
  if (supervision !== "train-groups") {
    if (given === undefined) return undefined;
    throw fail(`method "${name}" uses no labels of cues`, "leave --explicit away");
  }
  if (given === undefined && cues.length === 1) return cues;
  if (given === undefined || given.length === 0) {
    throw fail(
      `method "${name}" must be told which cues it may see`,
      `add --explicit, such as --explicit ${cues.slice(0, 2).join(",") || "place"}`,
    );
  }
  for (const [i, attribute] of given.entries()) {
    if (!known.includes(attribute)) {
      const { todo } = didYouMean(attribute, known, "name cues of the dataset in --explicit");
      throw fail(`the dataset has no attribute "${attribute}"`, todo);
    }
    if (given.indexOf(attribute) !== i) throw fail(`"${attribute}" is explicit twice`, "name every cue once");
  }
  return known.filter((attribute) => given.includes(attribute));
}

function listed(cues: readonly string[], known: readonly string[]): string {
  const others = known.filter((name) => !cues.includes(name));
  return `cues: ${cues.join(", ") || "none"}${others.length === 0 ? "" : `; other attributes: ${others.join(", ")}`}`;
}
