/**
 * The order of values that nobody declared an order of, as of tables that people bring. It comes from the values alone,
 * never from the order of rows: numbers by size, then all other texts by their UTF-16 code units, which no language and
 * no version of a library changes. Numbers of one size (`1`, `01`, `1.0`) are different values, by code units as well.
 */

import { decimalOf } from "./decimal-of.ts";

/** A total order: 9, 10, 1a in this order whatever is compared first. */
export function compareValues(a: string, b: string): number {
  return compareKeyed(a, decimalOf(a), b, decimalOf(b));
}

export interface OrderedValues {
  names: string[];
  /** The place in `names` of each value that was given. */
  rank: Uint32Array;
}

/** Different values, put in order: in the declared one, where a dataset has one for them, and before all others. */
export function inValueOrder(values: readonly string[], declared: readonly string[] = []): OrderedValues {
  const numbers = Float64Array.from(values, decimalOf);
  const places = new Map(declared.map((value, place) => [value, place]));
  const placed = Uint32Array.from(values, (value) => places.get(value) ?? declared.length);
  const order = Uint32Array.from(values.keys()).sort(
    (a, b) => placed[a]! - placed[b]! || compareKeyed(values[a]!, numbers[a]!, values[b]!, numbers[b]!),
  );
  const rank = new Uint32Array(values.length);
  for (const [place, value] of order.entries()) rank[value] = place;
  return { names: Array.from(order, (value) => values[value]!), rank };
}

function compareKeyed(a: string, aNumber: number, b: string, bNumber: number): number {
  const [aIsText, bIsText] = [Number.isNaN(aNumber), Number.isNaN(bNumber)];
  if (aIsText !== bIsText) return aIsText ? 1 : -1;
  // Not by subtraction: beyond the largest double there are numbers, too.
  if (!aIsText && aNumber !== bNumber) return aNumber < bNumber ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}
