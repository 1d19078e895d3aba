/** The paper's findings, looked for in our runs by the rules of `claims.ts`. */

import type { Finding } from "../../core/section.ts";
import { factors, type PublishedFactor } from "../../published/eulig-2021.ts";
import { untold } from "../judge.ts";
import type { RegisteredPlan } from "../study.ts";
import { type AskedComparison, askedFinding } from "./asked.ts";
import { ofMethods, onTheLine, predictedWinners, withOnePicture } from "./beyond-findings.ts";
import { type ClaimName, claims, wideMargin } from "./claims.ts";
import type { PairLine } from "./lines-section.ts";
import { factorVaeRow, frozenRow, lensRow, scratchRow, vaeRow } from "./networks.ts";
import {
  chance,
  combined,
  type DiagvibNumbers,
  differences,
  meanOfLists,
  type SampleValue,
  shifted,
} from "./numbers.ts";
import { unorderedPairs } from "./pairs.ts";
import type { RivalNumbers } from "./rivals.ts";
import { baseline } from "./rows.ts";

export interface FindingNumbers {
  /** Of the networks, the first of which is asked wherever no row is named. */
  networks: DiagvibNumbers;
  methods: DiagvibNumbers;
  rivals: readonly RivalNumbers[];
  lines: readonly PairLine[];
  /** Texture with one picture a kind. */
  pictures: DiagvibNumbers;
}

/** `meaningless` says why the accuracies tell nothing, where they do not. */
export function diagvibFindings(
  { networks, methods, rivals, lines, pictures }: FindingNumbers,
  { margin }: RegisteredPlan,
  meaningless?: string,
): Finding[] {
  const [main] = networks.rows;
  const finders: Record<ClaimName, (row: string) => Finding> = {
    learned: (row) => askedFinding("learned", learned(networks, row), margin),
    sum: (row) => askedFinding("sum", sums(networks, row), wideMargin),
    superposition: (row) => askedFinding("superposition", superposition(networks, row), margin),
    position: (row) => askedFinding("position", asCue(networks, row, "position", "below"), margin),
    texture: (row) => askedFinding("texture", asCue(networks, row, "texture", "above"), margin),
    order: (row) => askedFinding("order", order(networks, row), margin),
    frozen: () =>
      askedFinding("frozen", between(networks, frozenRow, scratchRow, "ZGO", ["position"]), margin),
    instead: () => askedFinding("instead", hueInstead(networks), margin),
    coarse: () => askedFinding("coarse", coarse(networks), margin),
    more: (row) => askedFinding("more", overPairs(networks, row, "CGO-3", "ZGO"), margin),
    stay: (row) => askedFinding("stay", remaining(networks, row), margin),
    minimum: (row) => askedFinding("minimum", minima(networks, row), margin),
    hybrid: (row) => askedFinding("hybrid", hybrid(networks, row), wideMargin),
    rare: (row) => askedFinding("rare", overPairs(networks, row, "FGO-5", "ZGO"), margin),
    often: (row) => askedFinding("often", often(networks, row), wideMargin),
    frequency: (row) => askedFinding("frequency", overPairs(networks, row, "FGO-5", "CGO-3"), margin),
    lens: () =>
      askedFinding("lens", between(networks, lensRow, "RN18", "FGO-5", ["hue", "lightness"]), margin),
    winner: () =>
      askedFinding(
        "winner",
        predictedWinners(rivals, ({ against }) => against),
        margin,
      ),
    stronger: () =>
      askedFinding(
        "stronger",
        predictedWinners(rivals, ({ over }) => over),
        margin,
      ),
    line: () => onTheLine(lines),
    pictures: (row) => askedFinding("pictures", withOnePicture(networks, pictures, row), margin),
    methods: () => askedFinding("methods", ofMethods(methods), margin),
  };
  return (Object.keys(claims) as ClaimName[]).map((name) => {
    if (meaningless !== undefined) return untold(claims[name], meaningless);
    if (name === "methods" ? methods.rows.length === 0 : main === undefined)
      return untold(claims[name], "nothing was measured of it");
    return finders[name](main ?? baseline.label);
  });
}

const equivalent = { expected: "above", holds: ["equivalent"] } as const;

/** Whether every one of the factors is learned where nothing goes with it. */
function all(numbers: DiagvibNumbers, row: string, ...asked: readonly PublishedFactor[]): boolean {
  return asked.every((factor) => numbers.unlearned(row, factor) === undefined);
}

function learned(numbers: DiagvibNumbers, row: string): AskedComparison[] {
  const texture = numbers.accuracies(row, "ZSO", "texture");
  return factors
    .filter((factor) => factor !== "texture")
    .map((factor) => ({
      name: `${factor} less texture`,
      values: differences(numbers.accuracies(row, "ZSO", factor), texture),
      expected: "above",
    }));
}

function sumOf(
  numbers: DiagvibNumbers,
  row: string,
  one: PublishedFactor,
  other: PublishedFactor,
): SampleValue[] {
  if (!all(numbers, row, one, other)) return [];
  const [there, back] = [
    numbers.accuracies(row, "ZGO", one, other),
    numbers.accuracies(row, "ZGO", other, one),
  ];
  return combined(there, back, (a, b) => a + b - 1);
}

const isSuperposed = (one: PublishedFactor, other: PublishedFactor) =>
  [one, other].sort().join() === "lightness,position";

function sums(numbers: DiagvibNumbers, row: string): AskedComparison[] {
  return unorderedPairs
    .filter(([one, other]) => !isSuperposed(one, other))
    .map(([one, other]) => ({
      name: `${one} and ${other}`,
      values: sumOf(numbers, row, one, other),
      ...equivalent,
    }));
}

function superposition(numbers: DiagvibNumbers, row: string): AskedComparison[] {
  return [
    {
      name: "position and lightness",
      values: sumOf(numbers, row, "position", "lightness"),
      expected: "above",
    },
  ];
}

function asCue(
  numbers: DiagvibNumbers,
  row: string,
  cue: PublishedFactor,
  expected: AskedComparison["expected"],
): AskedComparison[] {
  return factors
    .filter((factor) => factor !== cue && all(numbers, row, factor, cue))
    .map((factor) => ({
      name: `${factor} with ${cue} less chance`,
      values: shifted(numbers.accuracies(row, "ZGO", factor, cue), -chance),
      expected,
    }));
}

function averages(
  numbers: DiagvibNumbers,
  row: string,
  study: string,
  factor: PublishedFactor,
): SampleValue[] {
  return numbers.fullAggregates(row, study, factor).map(({ sample, average }) => [sample, average]);
}

function order(numbers: DiagvibNumbers, row: string): AskedComparison[] | string {
  if (!all(numbers, row, ...factors)) return "not every factor is learned without a shortcut";
  const of = (factor: PublishedFactor) => averages(numbers, row, "ZGO", factor);
  const less = (one: PublishedFactor, other: PublishedFactor): AskedComparison => ({
    name: `${one} less ${other}`,
    values: differences(of(one), of(other)),
    expected: "above",
  });
  const asked = [
    ...factors.filter((factor) => factor !== "position").map((factor) => less("position", factor)),
    ...factors
      .filter((factor) => factor !== "position" && factor !== "texture")
      .map((factor) => less(factor, "texture")),
  ];
  return asked.some(({ values }) => values.length === 0) ? "not every pair of factors was measured" : asked;
}

function between(
  numbers: DiagvibNumbers,
  one: string,
  other: string,
  study: string,
  asked: readonly PublishedFactor[],
): AskedComparison[] | string {
  const missing = [one, other].find((row) => !numbers.rows.includes(row));
  if (missing !== undefined) return `there is no row ${missing}`;
  return asked.map((factor) => ({
    name: `${factor}, ${one} less ${other}`,
    values: differences(averages(numbers, one, study, factor), averages(numbers, other, study, factor)),
    expected: "below",
  }));
}

function hueInstead(numbers: DiagvibNumbers): AskedComparison[] | string {
  if (!numbers.rows.includes(frozenRow)) return `there is no row ${frozenRow}`;
  const values = shifted(numbers.accuracies(frozenRow, "ZGO", "position", "hue"), -chance);
  return [{ name: "position with hue less chance", values, expected: "below" }];
}

function coarse(numbers: DiagvibNumbers): AskedComparison[] | string {
  const usual = "RN18";
  const there = [lensRow, factorVaeRow, vaeRow].filter((row) => numbers.rows.includes(row));
  if (there.length === 0 || !numbers.rows.includes(usual))
    return `there is no row ${there.length === 0 ? "of the lens or an autoencoder" : usual}`;
  const texture = (row: string) => numbers.accuracies(row, "ZSO", "texture");
  return there.map((row) => ({
    name: `${row} less ${usual}`,
    values: differences(texture(row), texture(usual)),
    expected: "below",
  }));
}

/** Pairs whose factors are both learned, and that both studies have. */
function pairDifferences(
  numbers: DiagvibNumbers,
  row: string,
  study: string,
  before: string,
): SampleValue[][] {
  return factors.flatMap((predict) =>
    numbers
      .cues(row, study, predict)
      .filter((cue) => all(numbers, row, predict, cue))
      .map((cue) =>
        differences(
          numbers.accuracies(row, study, predict, cue),
          numbers.accuracies(row, before, predict, cue),
        ),
      )
      .filter((values) => values.length > 0),
  );
}

function overPairs(numbers: DiagvibNumbers, row: string, study: string, before: string): AskedComparison[] {
  const pairs = pairDifferences(numbers, row, study, before);
  return [
    {
      name: `${study} less ${before}, mean over ${pairs.length} pairs`,
      values: meanOfLists(pairs),
      expected: "above",
    },
  ];
}

function remaining(numbers: DiagvibNumbers, row: string): AskedComparison[] {
  return (
    [
      ["texture", "hue"],
      ["shape", "position"],
    ] as const
  )
    .filter((pair) => all(numbers, row, ...pair))
    .map(([predict, cue]) => ({
      name: `${predict} with ${cue}`,
      values: differences(
        numbers.accuracies(row, "CGO-3", predict, cue),
        numbers.accuracies(row, "ZSO", predict),
      ),
      expected: "below",
    }));
}

function minima(numbers: DiagvibNumbers, row: string): AskedComparison[] {
  return (["texture", "shape", "scale"] as const)
    .filter((factor) => all(numbers, row, factor))
    .map((factor) => ({
      name: `${factor} less chance`,
      values: numbers
        .fullAggregates(row, "CGO-2", factor)
        .map(({ sample, minimum }): SampleValue => [sample, minimum - chance]),
      expected: "below",
    }));
}

function hybrid(numbers: DiagvibNumbers, row: string): AskedComparison[] {
  return factors
    .filter((factor) => all(numbers, row, factor))
    .map((factor) => {
      const gains = numbers.gains(row, factor);
      const cues = [...new Set(gains.map(({ cue }) => cue))];
      const values = meanOfLists(
        cues.map((cue) =>
          gains
            .filter((gain) => gain.cue === cue)
            .map(({ sample, accuracy }): SampleValue => [sample, accuracy]),
        ),
      );
      return {
        name: factor,
        values,
        ...(factor === "lightness" ? { expected: "above" as const } : equivalent),
      };
    });
}

function often(numbers: DiagvibNumbers, row: string): AskedComparison[] {
  return factors.flatMap((factor) => {
    if (!all(numbers, row, factor)) return [];
    return ["FGO-10", "FGO-20"].map((study) => {
      const cues = numbers.cues(row, study, factor).filter((cue) => all(numbers, row, cue));
      const own = meanOfLists(cues.map((cue) => numbers.accuracies(row, study, factor, cue)));
      return {
        name: `${factor}, ${study} less ZSO`,
        values: differences(own, numbers.accuracies(row, "ZSO", factor)),
        ...(factor === "texture" ? { expected: "below" as const } : equivalent),
      };
    });
  });
}
