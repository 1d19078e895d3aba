/** Shares or per cent: an accuracy of 0.9 and one of 90 are told apart, and never silently taken for each other. */

import { CuelabError } from "../../core/errors.ts";

export const units = ["share", "percent"] as const;
export type Unit = (typeof units)[number];

/** Rounding may carry a share past 1 by this. */
const slack = 1e-9;
/** No share comes near it, and hardly any column of per cent stays below it. */
const surelyPercent = 2;

/** The accuracies as shares, all columns in one unit; a remark where that was concluded from the values. */
export function inShares(
  columns: ReadonlyMap<string, Float64Array>,
  given: Unit | undefined,
): { columns: Map<string, Float64Array>; unit: Unit; remarks: string[] } {
  const largest = new Map([...columns].map(([name, values]) => [name, largestOf(values)]));
  const percentColumns = [...largest].filter(([, most]) => most > surelyPercent).map(([name]) => name);
  const unit = given ?? (percentColumns.length > 0 ? "percent" : "share");
  const most = unit === "percent" ? 100 : 1;
  if (given === undefined && unit === "percent") {
    const small = [...largest].find(([, most]) => most <= 1 + slack && most >= 0);
    if (small !== undefined) throw mixedUnits(percentColumns[0]!, small[0]);
  }
  const scaled = new Map(
    [...columns].map(([name, values]) => [
      name,
      values.map((value, row) => {
        if (value < 0 || value > most * (1 + slack)) throw outside(name, row, value, unit, given);
        return Math.min(1, unit === "percent" ? value / 100 : value);
      }),
    ]),
  );
  const concluded = given === undefined && unit === "percent";
  const remark = "accuracies above 1: read as per cent; say --unit to be sure";
  return { columns: scaled, unit, remarks: concluded ? [remark] : [] };
}

function largestOf(values: Float64Array): number {
  let most = Number.NEGATIVE_INFINITY;
  for (const value of values) if (value > most) most = value;
  return most;
}

function outside(name: string, row: number, value: number, unit: Unit, given: Unit | undefined): CuelabError {
  return new CuelabError({
    kind: "input",
    what: "a value is no accuracy",
    where: `row ${row + 1}, column ${name}`,
    expected: unit === "percent" ? "per cent, from 0 to 100" : "a share from 0 to 1",
    got: String(value),
    ...(given === "share" || (given === undefined && value > 1 && value <= 100)
      ? { todo: "--unit percent if accuracies are per cent" }
      : {}),
  });
}

function mixedUnits(percent: string, share: string): CuelabError {
  return new CuelabError({
    kind: "input",
    what: "some columns look like per cent, others like shares",
    got: `${percent} has values above ${surelyPercent}, ${share} none above 1`,
    todo: "bring them to one unit, or say --unit percent if they are in one already",
  });
}
