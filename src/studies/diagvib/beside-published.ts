/** What the paper prints of factors and pairs beside ours at a glance: FAAvg and FAMin as matrices, and the pairs that its text names. */

import { type Figure, type Row, seedsCell, type Table } from "../../core/section.ts";
import { meanOverSamples } from "../../metrics/factor-aggregates.ts";
import {
  aggregates,
  factors,
  type PublishedNetwork,
  type PublishedStudy,
  pairs,
  tableA2,
} from "../../published/eulig-2021.ts";
import { matricesFigure } from "../figures.ts";
import type { DiagvibNetwork } from "./networks.ts";
import { chance, type DiagvibNumbers, valuesOf } from "./numbers.ts";

const columns = ["ZGO", "CGO-1", "CGO-2", "CGO-3", "FGO-5", "FGO-10", "FGO-20", "ZSO"] as const;
type AggregatedStudy = (typeof columns)[number];
type AggregateKind = "average" | "minimum";
const words: Readonly<Record<AggregateKind, string>> = { average: "FAAvg", minimum: "FAMin" };

/** A figure a row that has its own numbers in more than ZSO; columns without ours are empty there. */
export function aggregateMatrices(numbers: DiagvibNumbers, networks: readonly DiagvibNetwork[]): Figure[] {
  return networks.flatMap(({ label, published }, i) => {
    const ours = (kind: AggregateKind) =>
      cells((study, factor) => ownAggregate(numbers, label, study, factor, kind));
    const studies = new Set(ours("average").map(({ column }) => column));
    if (studies.size < 2) return [];
    const panels = (["average", "minimum"] as const).flatMap((kind) => [
      { title: `${words[kind]}, ours`, columns, cells: ours(kind) },
      {
        title: `${words[kind]}, published (${published})`,
        columns,
        cells: cells((study, factor) => publishedAggregate(published, study, factor, kind)),
      },
    ]);
    return [
      matricesFigure(
        {
          name: `aggregates-${i + 1}`,
          caption:
            `${label} beside ${published} as published (Tables A2 to A9): mean and minimum over cues, in per cent, mean over dataset samples; rows are what is predicted, columns the studies. ` +
            "Ours are over the cues that were measured, which may be fewer than the paper's five",
        },
        { rows: factors, panels, rowTitle: "predicted", columnTitle: "study", chance, across: 2 },
      ),
    ];
  });
}

function cells(of: (study: AggregatedStudy, factor: (typeof factors)[number]) => number | undefined) {
  return factors.flatMap((row) =>
    columns.flatMap((column) => {
      const value = of(column, row);
      return value === undefined ? [] : [{ row, column, value }];
    }),
  );
}

function ownAggregate(
  numbers: DiagvibNumbers,
  row: string,
  study: AggregatedStudy,
  factor: (typeof factors)[number],
  kind: AggregateKind,
): number | undefined {
  const values =
    study === "ZSO"
      ? valuesOf(numbers.accuracies(row, study, factor))
      : numbers.aggregates(row, study, factor).map((each) => each[kind]);
  return meanOverSamples(values)?.mean;
}

export function publishedAggregate(
  network: PublishedNetwork,
  study: PublishedStudy | "ZSO",
  factor: (typeof factors)[number],
  kind: AggregateKind,
): number {
  const { mean } = study === "ZSO" ? tableA2[network][factor] : aggregates[study][network][factor][kind];
  return mean / 100;
}

/** Section 5 names some of RN18's pairs; figures alone show the others. */
export function printedPairsTable(numbers: DiagvibNumbers, networks: readonly DiagvibNetwork[]): Table[] {
  const row = networks.find(
    ({ label, published }) => published === "RN18" && numbers.rows.includes(label),
  )?.label;
  if (row === undefined) return [];
  const there = pairs.filter(
    ({ predict, cue, study }) => numbers.accuracies(row, study, predict, cue).length > 0,
  );
  if (there.length === 0) return [];
  return [
    {
      name: "printed-pairs",
      caption: `Pairs whose accuracy the paper's text gives (section 5, RN18), and those of ${row}, in per cent, mean over dataset samples with Student's interval`,
      columns: ["Predicted", "Cue", "Study", "ours", "published"].map((title) => ({ title })),
      rows: there.map(
        ({ predict, cue, study, mean }): Row => ({
          cells: [
            predict,
            cue,
            study,
            seedsCell(valuesOf(numbers.accuracies(row, study, predict, cue))),
            { value: mean / 100, text: String(mean) },
          ],
        }),
      ),
    },
  ];
}
