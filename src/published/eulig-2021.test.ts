/** The paper's tables against each other, against its text, and against the equations that they are said to come from. */

import { expect, test } from "vitest";
import { standardError } from "../core/statistics/index.ts";
import { factorAggregates, meanOverSamples, type PairAccuracy } from "../metrics/factor-aggregates.ts";
import { aggregates, factors, networks, type PrintedMean, pairs, table2, tableA2 } from "./eulig-2021.ts";

const cues = ["a", "b", "c", "d", "e"];
const percent = (value: number) => Math.round(100 * value);

/** A pair learned at 1 but where a run has collapsed to one class of three. */
function collapsed(places: readonly (readonly [cue: string, sample: number])[]): PairAccuracy[] {
  return cues.flatMap((cue) =>
    [0, 1, 2, 3, 4].map((sample) => ({
      cue,
      sample,
      accuracy: places.some(([c, s]) => c === cue && s === sample) ? 1 / 3 : 1,
    })),
  );
}

function printedForms(accuracies: readonly PairAccuracy[]): { average: PrintedMean; minimum: PrintedMean } {
  const samples = factorAggregates(accuracies, cues);
  const form = (of: "average" | "minimum"): PrintedMean => {
    const told = meanOverSamples(samples.map((each) => each[of]))!;
    return { mean: percent(told.mean), error: percent(told.populationError) };
  };
  return { average: form("average"), minimum: form("minimum") };
}

test("every table has nine networks and six factors, in whole per cent", () => {
  const cells: PrintedMean[] = [];
  for (const table of [table2, tableA2]) {
    expect(Object.keys(table)).toEqual([...networks]);
    for (const row of Object.values(table)) {
      expect(Object.keys(row)).toEqual([...factors]);
      cells.push(...Object.values(row));
    }
  }
  expect(Object.keys(aggregates)).toEqual(["ZGO", "CGO-1", "CGO-2", "CGO-3", "FGO-5", "FGO-10", "FGO-20"]);
  for (const table of Object.values(aggregates)) {
    expect(Object.keys(table)).toEqual([...networks]);
    for (const row of Object.values(table)) {
      expect(Object.keys(row)).toEqual([...factors]);
      cells.push(...Object.values(row).flatMap(({ average, minimum }) => [average, minimum]));
    }
  }
  expect(cells).toHaveLength(54 + 7 * 108 + 54);
  for (const { mean, error } of cells) {
    expect(Number.isInteger(mean) && Number.isInteger(error)).toBe(true);
    expect(mean).toBeLessThanOrEqual(100);
    expect(error).toBeGreaterThanOrEqual(0);
  }
});

test("no minimum is above its average", () => {
  for (const [study, table] of Object.entries(aggregates))
    for (const [network, row] of Object.entries(table))
      for (const [factor, { average, minimum }] of Object.entries(row))
        expect(minimum.mean, `${study}, ${network}, ${factor}`).toBeLessThanOrEqual(average.mean);
});

test("collapsed runs give the tables' averages, minima and errors, with the deviation over n alone", () => {
  // One run of 25 at chance: position of AlexNet in four studies, and of RN50 at FGO-5.
  const one = printedForms(collapsed([["b", 2]]));
  expect(one).toEqual(aggregates["CGO-1"].AlexNet.position);
  expect(one).toEqual(aggregates["FGO-20"].AlexNet.position);
  expect(one).toEqual(aggregates["FGO-5"].RN50.position);
  expect(one).toEqual(aggregates["FGO-5"].AlexNet.hue);
  // Two runs in two samples: hue of AlexNet at FGO-10. Both are of one cue or of two, which equations 1 and 2 do not tell apart.
  const two = printedForms(
    collapsed([
      ["b", 2],
      ["d", 4],
    ]),
  );
  expect(two).toEqual(aggregates["FGO-10"].AlexNet.hue);
  // The minimum of means over samples would be 87 in the second case, were they runs of two cues.
  expect(two.minimum.mean).toBe(73);
  // Over n - 1 the errors would be 13 and 16, where 12 and 15 are printed.
  const minima = (accuracies: readonly PairAccuracy[]) =>
    factorAggregates(accuracies, cues).map(({ minimum }) => minimum);
  expect(percent(standardError(minima(collapsed([["b", 2]]))))).toBe(13);
});

test("where P_ij + P_ji is 1, the averages of ZGO have the mean one half", () => {
  const averages = factors.map((factor) => aggregates.ZGO.RN18[factor].average.mean);
  expect(averages.reduce((sum, each) => sum + each, 0) / factors.length).toBeCloseTo(51.2, 1);
});

test("the text's numbers are the tables'", () => {
  expect(factors.map((factor) => tableA2.RN18[factor].mean >= 99)).toEqual([
    true,
    true,
    true,
    true,
    true,
    false,
  ]);
  expect(tableA2.RN18.texture).toEqual({ mean: 62, error: 6 });
  expect(
    (["VAE", "Factor-VAE", "ASR (RN18)"] as const).map((network) => tableA2[network].texture.mean),
  ).toEqual([34, 34, 45]);
  expect(aggregates.ZGO["RN50-IN"].position.average.mean).toBe(68);
  const asr = aggregates["FGO-5"]["ASR (RN18)"];
  expect([asr.hue.average.mean, asr.lightness.average.mean]).toEqual([34, 53]);
  expect(table2.RN18.lightness).toEqual({ mean: 27, error: 21 });
  for (const network of networks)
    for (const study of ["ZGO", "CGO-1", "CGO-2"] as const)
      for (const factor of ["texture", "shape", "scale"] as const)
        expect(aggregates[study][network][factor].minimum.mean).toBeLessThan(33);
  // A pair's mean over samples is never below the mean of minima.
  for (const { predict, study, mean } of pairs)
    expect(aggregates[study].RN18[predict].minimum.mean).toBeLessThanOrEqual(mean);
});

test("what the text says of FGO-5 the tables do not: RN18's texture is above chance there", () => {
  expect(aggregates["FGO-5"].RN18.texture.average.mean).toBe(39);
});
