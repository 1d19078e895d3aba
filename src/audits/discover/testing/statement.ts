/** What is said of a class: that its images have a property's value, or one in a range, more often than others. */

import type { PropertyAbout } from "../properties/property.ts";
import type { CutProperty, PropertyPart } from "./parts.ts";

/** Parts from `first` to `last`; where the last comes before the first, across the end of the circle. */
export interface Statement {
  first: number;
  last: number;
}

export function holds({ first, last }: Statement, code: number): boolean {
  return first <= last ? code >= first && code <= last : code >= first || code <= last;
}

/** Whether a unit has what a finding says. */
export function unitHolds({ codes, parts, order }: CutProperty, statement: Statement, unit: number): boolean {
  const none = order !== "none" && codes[unit] === parts.length - 1;
  return none ? statement.first === parts.length - 1 : holds(statement, codes[unit]!);
}

/** Counts of units by class and part: [classes, parts]. */
export function countParts(
  { codes, parts }: CutProperty,
  labels: ArrayLike<number>,
  classes: number,
  within: (unit: number) => boolean,
): Float64Array {
  const counts = new Float64Array(classes * parts.length);
  for (let unit = 0; unit < codes.length; unit++)
    if (within(unit)) counts[labels[unit]! * parts.length + codes[unit]!]!++;
  return counts;
}

/**
 * The value or range whose share of the class lies furthest above its share of all others: over ranges this is Kuiper's statistic,
 * without regard to how many parts it spans. Undefined where no share does.
 */
export function strongestStatement(
  { parts, order }: CutProperty,
  counts: Float64Array,
  totals: Float64Array,
  label: number,
): Statement | undefined {
  const width = parts.length;
  const own = counts.subarray(label * width, (label + 1) * width);
  const ownAll = own.reduce((sum, count) => sum + count, 0);
  const all = totals.reduce((sum, count) => sum + count, 0);
  if (ownAll === 0 || ownAll === all) return undefined;
  const above = Array.from(own, (count, part) => count / ownAll - (totals[part]! - count) / (all - ownAll));
  const singles = parts.flatMap(({ kind }, part) =>
    kind === "none" || kind === "value" ? [{ first: part, last: part, above: above[part]! }] : [],
  );
  const ranges = order === "none" ? [] : bestRanges(above.slice(0, -1), order === "circle");
  const best = [...singles, ...ranges].reduce<(Statement & { above: number }) | undefined>(
    // A difference in the last digit is rounding: the first then stays.
    (most, each) => (each.above > (most?.above ?? 0) + 1e-12 ? each : most),
    undefined,
  );
  return best && { first: best.first, last: best.last };
}

/** The run with the largest sum, by Kadane's way; in a circle also what is outside the run with the smallest. */
function bestRanges(values: readonly number[], circle: boolean): (Statement & { above: number })[] {
  const best = largestRun(values);
  if (!circle || values.length < 3) return [best];
  const hole = largestRun(values.map((value) => -value));
  // A hole at either end leaves a run that the first search has seen.
  if (hole.first === 0 || hole.last === values.length - 1) return [best];
  const sum = values.reduce((total, value) => total + value, 0);
  return [best, { first: hole.last + 1, last: hole.first - 1, above: sum + hole.above }];
}

function largestRun(values: readonly number[]): Statement & { above: number } {
  let best = { first: 0, last: 0, above: Number.NEGATIVE_INFINITY };
  let [start, sum] = [0, 0];
  for (const [i, value] of values.entries()) {
    if (sum <= 0) [start, sum] = [i, 0];
    sum += value;
    if (sum > best.above) best = { first: start, last: i, above: sum };
  }
  return best;
}

/** `brightness above 0.62`, `format is png`, `no camera`. */
export function statementWords(
  { property, parts }: Pick<CutProperty, "property" | "parts">,
  statement: Statement,
): string {
  const [first, last] = [parts[statement.first]!, parts[statement.last]!];
  switch (first.kind) {
    case "none":
      return `no ${property.name}`;
    case "value":
      return `${property.name} is ${first.value}`;
    case "others":
      return `${property.name} is a rare one`;
    default:
      return rangeWords(property, first, last as Extract<PropertyPart, { kind: "range" }>);
  }
}

function rangeWords(
  { name, circle, share }: PropertyAbout,
  { low }: Extract<PropertyPart, { kind: "range" }>,
  { high }: Extract<PropertyPart, { kind: "range" }>,
): string {
  if (low === undefined && high === undefined) return `has ${name}`;
  const said = share === true ? shareText : shortNumber;
  if (circle !== undefined) return `${name} ${shortNumber(low ?? 0)} to ${shortNumber(high ?? circle)}`;
  if (low === undefined) return `${name} below ${said(high!)}`;
  if (high === undefined) return `${name} at least ${said(low)}`;
  return `${name} ${said(low)} to ${said(high)}`;
}

/** Two digits that matter of small shares: 12.3%, 0.043%. */
function shareText(share: number): string {
  const percent = 100 * share;
  return `${Number(Math.abs(percent) < 1 ? percent.toPrecision(2) : percent.toFixed(1))}%`;
}

/** Three digits that matter, without an exponent; whole numbers whole. */
function shortNumber(value: number): string {
  if (Number.isInteger(value)) return value.toLocaleString("en", { useGrouping: Math.abs(value) >= 1e4 });
  const size = Math.abs(value);
  if (size >= 1000) return Math.round(value).toLocaleString("en", { useGrouping: size >= 1e4 });
  return String(Number(value.toPrecision(3)));
}
