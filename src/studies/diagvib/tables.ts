/** Tables A2 to A9 and 2 with the published rows, every pair's accuracy, sums of pairs, and methods. */

import { type Cell, type Column, type Row, seedsCell, type Table } from "../../core/section.ts";
import { standardDeviation } from "../../core/statistics/index.ts";
import { meanOverSamples, type SampleMean } from "../../metrics/factor-aggregates.ts";
import {
  aggregates,
  factors,
  type PrintedMean,
  type PublishedFactor,
  type PublishedNetwork,
  type PublishedStudy,
  table2,
  tableA2,
} from "../../published/eulig-2021.ts";
import { points } from "../summaries.ts";
import type { DiagvibNetwork } from "./networks.ts";
import { combined, type DiagvibNumbers, valuesOf } from "./numbers.ts";
import { unorderedPairs } from "./pairs.ts";

const printedForm =
  "with the standard error in the paper's form, the deviation over n by √n, which is smaller than Student's interval by far";

/** 87 ± 12, in whole per cent. */
function printedCell({ mean, error }: PrintedMean): Cell {
  return { value: mean / 100, text: `${mean} ± ${error}`.replace("-", "−") };
}

function asPrinted(told: SampleMean | undefined): Cell {
  if (told === undefined) return null;
  return printedCell({ mean: Math.round(100 * told.mean), error: Math.round(100 * told.populationError) });
}

/** Each row as Student's interval, as the paper would print it, and as it printed it; rows without a run say why. */
function threeForms(
  networks: readonly DiagvibNetwork[],
  valuesFor: (row: string) => readonly (readonly number[])[],
  published: (network: PublishedNetwork) => readonly PrintedMean[],
  missing = "no finished run",
): Row[] {
  return networks.flatMap(({ label, published: network, absent }): Row[] => {
    const theirs: Row = {
      source: "published",
      cells: [network, "published", ...published(network).map(printedCell)],
    };
    const own = valuesFor(label);
    if (own.every((values) => values.length === 0))
      return [{ cells: [label, absent ?? missing, ...own.map(() => null)] }, theirs];
    return [
      { cells: [label, "ours", ...own.map((values) => seedsCell(values))] },
      { cells: [label, "ours, paper's error", ...own.map((values) => asPrinted(meanOverSamples(values)))] },
      theirs,
    ];
  });
}

const head: readonly Column[] = [{ title: "Network" }, { title: "Source" }];

export function zsoTable(numbers: DiagvibNumbers, networks: readonly DiagvibNetwork[]): Table {
  return {
    name: "table-a2",
    caption: `ZSO: accuracy without a shortcut, in per cent, mean over dataset samples with Student's interval, and ${printedForm}`,
    columns: [...head, ...factors.map((title) => ({ title }))],
    rows: threeForms(
      networks,
      (row) => factors.map((factor) => valuesOf(numbers.accuracies(row, "ZSO", factor))),
      (network) => factors.map((factor) => tableA2[network][factor]),
    ),
  };
}

/** Which table of the paper has which study. */
const tableNames: Readonly<Record<PublishedStudy, string>> = {
  ZGO: "table-a3",
  "CGO-1": "table-a4",
  "CGO-2": "table-a5",
  "CGO-3": "table-a6",
  "FGO-5": "table-a7",
  "FGO-10": "table-a8",
  "FGO-20": "table-a9",
};

export function aggregateTable(
  numbers: DiagvibNumbers,
  networks: readonly DiagvibNetwork[],
  study: PublishedStudy,
): Table {
  const kinds = [
    ["average", "FAAvg"],
    ["minimum", "FAMin"],
  ] as const;
  return {
    name: tableNames[study],
    caption: `${study}: FAAvg and FAMin over all five cues, in per cent, mean over dataset samples with Student's interval, and ${printedForm}. A factor of which a cue was not measured has none`,
    columns: [...head, ...factors.flatMap((group) => kinds.map(([, title]) => ({ title, group })))],
    rows: threeForms(
      networks,
      (row) =>
        factors.flatMap((factor) => {
          const samples = numbers.fullAggregates(row, study, factor);
          return kinds.map(([kind]) => samples.map((each) => each[kind]));
        }),
      (network) =>
        factors.flatMap((factor) => kinds.map(([kind]) => aggregates[study][network][factor][kind])),
      "of no factor all five cues were measured",
    ),
  };
}

/** P_ij of every pair: rows are predicted factors, columns cues. */
export function pairTable(numbers: DiagvibNumbers, row: string, study: string): Table {
  return {
    name: `pairs-${row.replaceAll(/\W+/g, "-").toLowerCase()}-${study.toLowerCase()}`,
    caption: `${row}, ${study}: mean per-class accuracy on combinations that break the pattern, in per cent; FAAvg and FAMin over the cues that were measured`,
    columns: [
      { title: "Predicted" },
      ...factors.map((title) => ({ title, group: "cue" })),
      { title: "FAAvg" },
      { title: "FAMin" },
    ],
    rows: factors
      .filter((factor) => numbers.cues(row, study, factor).length > 0)
      .map((predict): Row => {
        const samples = numbers.aggregates(row, study, predict);
        return {
          cells: [
            predict,
            ...factors.map((cue) => seedsCell(valuesOf(numbers.accuracies(row, study, predict, cue)))),
            seedsCell(samples.map(({ average }) => average)),
            seedsCell(samples.map(({ minimum }) => minimum)),
          ],
        };
      }),
  };
}

/** Of every two factors that were each predicted with the other as cue. */
export function sumsTable(numbers: DiagvibNumbers): Table {
  return {
    name: "sums",
    caption:
      "ZGO: P_ij + P_ji less 1, in points, which is 0 where one of two factors is all that is learned; mean over dataset samples with Student's interval",
    columns: [
      { title: "Network" },
      { title: "Factors" },
      { title: "P_ij + P_ji − 1" },
      { title: "Factors learned" },
    ],
    rows: numbers.rows.flatMap((row) =>
      unorderedPairs.flatMap(([one, other]): Row[] => {
        const sums = combined(
          numbers.accuracies(row, "ZGO", one, other),
          numbers.accuracies(row, "ZGO", other, one),
          (a, b) => a + b - 1,
        );
        if (sums.length === 0) return [];
        const why = numbers.unlearned(row, one) ?? numbers.unlearned(row, other);
        return [{ cells: [row, `${one}, ${other}`, seedsCell(valuesOf(sums)), why ?? "both"] }];
      }),
    ),
  };
}

/** Table 2. Whether its deviation is of five means or of all pairs is not said: both stand here. */
export function hybridTable(numbers: DiagvibNumbers, networks: readonly DiagvibNetwork[]): Table {
  const deviation = (values: readonly number[]) =>
    values.length === 0 ? "–" : points(standardDeviation(values, { population: true }));
  const gainCell = (row: string, factor: PublishedFactor): Cell => {
    const gains = numbers.gains(row, factor);
    if (gains.length === 0) return null;
    const cues = new Set(gains.map(({ cue }) => cue)).size;
    const samples = [...new Set(gains.map(({ sample }) => sample))].flatMap((sample) => {
      const own = gains.filter((gain) => gain.sample === sample).map(({ accuracy }) => accuracy);
      return own.length < cues ? [] : [own.reduce((sum, each) => sum + each, 0) / cues];
    });
    const all = gains.map(({ accuracy }) => accuracy);
    const mean = all.reduce((sum, each) => sum + each, 0) / all.length;
    return { value: mean, text: `${points(mean)} ± ${deviation(samples)} (${deviation(all)})` };
  };
  return {
    name: "table-2",
    caption:
      "CHGO: accuracy of the coupled class less that of the same pair and sample in ZGO, in points, ± the standard deviation over samples, and in brackets over pairs and samples; " +
      "of the cues that were measured. Published: Table 2, whose deviation is one of the two",
    columns: [...head, ...factors.map((title) => ({ title }))],
    rows: networks.flatMap(({ label, published }): Row[] => {
      const cells = factors.map((factor) => gainCell(label, factor));
      const theirs: Row = {
        source: "published",
        cells: [published, "published", ...factors.map((factor) => printedCell(table2[published][factor]))],
      };
      return cells.every((cell) => cell === null) ? [theirs] : [{ cells: [label, "ours", ...cells] }, theirs];
    }),
  };
}
