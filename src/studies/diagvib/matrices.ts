/** Figures 4, 5 and A5 to A8: heat maps of pairs, and lines over the studies. */

import type { Figure } from "../../core/section.ts";
import { meanOverSeeds } from "../../core/statistics/index.ts";
import { meanOverSamples } from "../../metrics/factor-aggregates.ts";
import { factors, type PublishedFactor, type PublishedNetwork } from "../../published/eulig-2021.ts";
import { linesFigure, matricesFigure } from "../figures.ts";
import { publishedAggregate } from "./beside-published.ts";
import { chance, type DiagvibNumbers, valuesOf } from "./numbers.ts";

/** Opportunities of one kind, from none to a pattern that is no more: by how many cells, or how many images, break it. */
const families = [
  {
    name: "combinations",
    title: "combinations added to the three of ZGO",
    studies: { ZGO: 0, "CGO-1": 1, "CGO-2": 2, "CGO-3": 3, ZSO: 6 },
  },
  {
    name: "violations",
    title: "per cent of training images that break the pattern",
    studies: { ZGO: 0, "FGO-5": 5, "FGO-10": 10, "FGO-20": 20, ZSO: 67 },
  },
] as const;
type OpportunityFamily = (typeof families)[number];

/** Per row of the paper two figures of five panels, as Figures 4a and 5a are; panels without a run are left out. */
export function matrixFigures(numbers: DiagvibNumbers): Figure[] {
  return numbers.rows.flatMap((row, i) =>
    families.flatMap((family) => {
      const studies = Object.keys(family.studies).reverse();
      const cells = studies.map((study) => cellsOf(numbers, row, study));
      // Factors that nothing was asked about would be empty rows and columns.
      const told = (key: "row" | "column") =>
        factors.filter((factor) => cells.flat().some((cell) => cell[key] === factor));
      const panels = studies.flatMap((study, k) =>
        cells[k]!.length === 0
          ? []
          : [{ title: study, columns: study === "ZSO" ? [""] : told("column"), cells: cells[k]! }],
      );
      if (panels.length < 2) return [];
      return [
        matricesFigure(
          {
            name: `${family.name}-${i + 1}`,
            caption:
              `${row}: mean per-class accuracy on combinations that break the pattern, in per cent, mean over dataset samples; rows are what is predicted, ` +
              "columns what goes with it. Orange: below chance, the cue is followed; blue: above",
          },
          { rows: told("row"), panels, rowTitle: "predicted", columnTitle: "cue", chance, across: 3 },
        ),
      ];
    }),
  );
}

function cellsOf(numbers: DiagvibNumbers, row: string, study: string) {
  return factors.flatMap((predict) =>
    (study === "ZSO" ? [undefined] : numbers.cues(row, study, predict)).flatMap((cue) => {
      const values = valuesOf(numbers.accuracies(row, study, predict, cue));
      if (values.length === 0) return [];
      return [{ row: predict, column: cue ?? "", value: meanOverSeeds(values).mean }];
    }),
  );
}

/** A line a pair, where averages over all cues do not exist. */
export function pairLines(numbers: DiagvibNumbers): Figure[] {
  const [row] = numbers.rows;
  if (row === undefined) return [];
  return families.flatMap((family) => {
    const points = factors.flatMap((predict) =>
      numbers.cues(row, "ZGO", predict).flatMap((cue) => {
        const own = entriesOf(family).flatMap(([study, x]) => {
          const values = valuesOf(numbers.accuracies(row, study, predict, study === "ZSO" ? undefined : cue));
          if (values.length === 0) return [];
          const { mean: y, low, high } = meanOverSeeds(values);
          return [{ x, y, series: `${predict} with ${cue}`, ...clipped(low, high) }];
        });
        // Between its two ends a line says nothing.
        return own.length < 3 ? [] : own;
      }),
    );
    const lines = new Set(points.map(({ series }) => series)).size;
    if (points.length === 0 || lines > mostLines) return [];
    return [
      linesFigure(
        {
          name: `pairs-${family.name}`,
          caption: `${row}: accuracy of each pair by opportunities; the last point is ZSO. Bars: Student's 95% interval over dataset samples, cut at 0 and 100%`,
        },
        {
          x: { title: family.title, values: Object.values(family.studies) },
          y: { title: "accuracy where the pattern is broken", domain: [0, 1] },
          points,
          reference: { value: chance, label: "chance" },
        },
      ),
    ];
  });
}

/** More than these are told apart by no eye. */
const mostLines = 8;

/** An interval of three samples may be wider than accuracies are. */
function clipped(low: number | undefined, high: number | undefined) {
  return low === undefined || high === undefined ? {} : { low: Math.max(0, low), high: Math.min(1, high) };
}

/** Figures 4b and 5b: FAAvg and FAMin of each factor over the studies, a line a network, published ones dashed. */
export function aggregateLines(
  numbers: DiagvibNumbers,
  publishedOf: (row: string) => PublishedNetwork | undefined,
): Figure[] {
  return families.flatMap((family) =>
    (["average", "minimum"] as const).flatMap((kind) =>
      factors.flatMap((factor) => {
        const points = numbers.rows.flatMap((row) => {
          const ours = entriesOf(family).flatMap(([study, x]) => {
            const y = aggregateOf(numbers, row, study, factor, kind);
            return y === undefined ? [] : [{ x, y, series: row }];
          });
          const published = publishedOf(row);
          // Of a row that has nothing but ZSO there is no line to compare.
          if (ours.length < 2) return [];
          const theirs =
            published === undefined
              ? []
              : entriesOf(family).map(([study, x]) => ({
                  x,
                  y: publishedAggregate(published, study, factor, kind),
                  series: row,
                  published: true,
                }));
          return [...ours, ...theirs];
        });
        if (points.length === 0) return [];
        const word = kind === "average" ? "FAAvg" : "FAMin";
        return [
          linesFigure(
            {
              name: `${word.toLowerCase()}-${family.name}-${factor}`,
              caption: `${word} of ${factor} by opportunities, mean over dataset samples; the last point is ZSO`,
            },
            {
              x: { title: family.title, values: Object.values(family.studies) },
              y: { title: `${word} of ${factor}`, domain: [0, 1] },
              points,
              reference: { value: chance, label: "chance" },
              width: 240,
              height: 200,
            },
          ),
        ];
      }),
    ),
  );
}

function aggregateOf(
  numbers: DiagvibNumbers,
  row: string,
  study: string,
  factor: PublishedFactor,
  kind: "average" | "minimum",
): number | undefined {
  const values =
    study === "ZSO"
      ? valuesOf(numbers.accuracies(row, study, factor))
      : numbers.fullAggregates(row, study, factor).map((each) => each[kind]);
  return meanOverSamples(values)?.mean;
}

type StudyOf = { [F in OpportunityFamily as F["name"]]: keyof F["studies"] }[OpportunityFamily["name"]];

function entriesOf({ studies }: OpportunityFamily): (readonly [StudyOf, number])[] {
  return Object.entries(studies) as [StudyOf, number][];
}
