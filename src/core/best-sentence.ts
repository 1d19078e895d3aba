/** Which of several rows is best, in a sentence that says no more than the seeds do. */

import { mean, notWorseThanBest, type SeedValue } from "./statistics/index.ts";
import { listText, percentText } from "./words.ts";

/** What a mark in a table of rows by column says. */
export const markMeaning =
  "not worse than the best of its column, where anything is: paired t over seeds, adjusted by Holm, at 5%";

export interface RankedRow {
  label: string;
  values: readonly SeedValue[];
}

/** More names than these are a list and no sentence. */
const mostNames = 4;

/** `what` is a share that is better the higher it is, such as "test accuracy". */
export function bestSentence(rows: readonly RankedRow[], what: string): string {
  const measured = rows.filter(({ values }) => values.length > 0);
  if (measured.length === 0) return `No run is done, so that there is no ${what} to tell of.`;
  const [only] = measured;
  if (measured.length === 1)
    return `The ${what} of ${only!.label} is ${meanText(only!)}${only!.values.length > 1 ? ` over ${only!.values.length} seeds` : ""}.`;
  const { best, rows: judged } = notWorseThanBest(
    measured.map(({ values }) => values),
    "higher",
  );
  if (best === undefined) {
    const all = listText(
      measured.map((row) => `${row.label} ${meanText(row)}`),
      mostNames,
    );
    return `The ${what}: ${all}. One seed says nothing of another, so that no order is told.`;
  }
  const level = measured.filter((row) => meanText(row) === meanText(measured[best]!));
  if (level.length === measured.length) {
    const names = listText(
      level.map(({ label }) => label),
      mostNames,
    );
    return `The ${what} is ${meanText(measured[best]!)} for all of ${names}: none is best.`;
  }
  const others = measured.map((row, i) => ({ row, judged: judged[i]!, i })).filter(({ i }) => i !== best);
  const lower = others.filter(({ judged: one }) => one.adjusted !== undefined && !one.notWorse);
  const open = others.filter(({ judged: one }) => one.adjusted !== undefined && one.notWorse);
  const untested = others.filter(({ judged: one }) => one.adjusted === undefined);
  const names = (some: typeof others) =>
    listText(
      some.map(({ row }) => `${row.label} (${meanText(row)})`),
      mostNames,
    );
  const winner = measured[best]!;
  return [
    `${winner.label} has the highest ${what}${untested.length === 0 ? "" : " of those with several seeds"}, ${meanText(winner)} over ${winner.values.length} seeds.`,
    ...(lower.length === 0
      ? []
      : [`Lower by a paired t over seeds, adjusted by Holm, at 5%: ${names(lower)}.`]),
    ...(open.length === 0 ? [] : [`That it is better than ${names(open)} cannot be told.`]),
    ...(untested.length === 0 ? [] : [`Too few seeds in common to compare with: ${names(untested)}.`]),
  ].join(" ");
}

function meanText({ values }: RankedRow): string {
  return percentText(mean(values.map(({ value }) => value)));
}
