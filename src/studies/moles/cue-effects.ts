/**
 * What a cue is worth where the others hold, where they do not, and on the average. A gap is measured where all other cues are common:
 * there these may still tell the class, and hide how much hangs on the one. Who is cured of the others loses that cover, and its gap
 * grows though it leans on the cue no more than before.
 */

import { type Cell, type Row, type Section, seedsCell } from "../../core/section.ts";
import { mean } from "../../core/statistics/index.ts";
import { labelOf, type MeasuredCase, type MeasuredGaps } from "../jobs/runs-job.ts";
import { differenceCell, meanDifferenceCell, printed } from "../summaries.ts";
import { gapsBy, oracleRule, sameCues } from "./standings.ts";

export interface CueEffect {
  /** Accuracy where the cue is common less accuracy where it is not, all others being common. */
  covered: number;
  /** The same with all others uncommon. */
  bare: number;
  /** Mean over all ways in which others may be common or not. */
  mean: number;
}

/** Null where a cell has no test image. */
export function cueEffect({ cells }: MeasuredGaps, cue: string): CueEffect | null {
  const effects = cells
    .filter(({ uncommon }) => !uncommon.includes(cue))
    .map(({ uncommon: others, accuracy }) => {
      const without = cells.find(({ uncommon }) => sameCues(uncommon, [...others, cue]))?.accuracy ?? null;
      return {
        others: others.length,
        value: accuracy === null || without === null ? null : accuracy - without,
      };
    })
    .sort((a, b) => a.others - b.others);
  const values = effects.flatMap(({ value }) => value ?? []);
  if (values.length === 0 || values.length < effects.length) return null;
  return { covered: values[0]!, bare: values.at(-1)!, mean: mean(values) };
}

export interface CueEffectsOptions {
  /** What the section is about, where a study has several. */
  of?: string;
  baseline: string;
  cues: readonly string[];
  /** What a paper prints of the same. */
  published?: (each: MeasuredCase) => MeasuredGaps | undefined;
}

/** Epochs by the worst of all groups. */
export function cueEffectsSection(
  name: string,
  cases: readonly MeasuredCase[],
  { of, baseline, cues, published }: CueEffectsOptions,
): Section[] {
  const rule = oracleRule(cues);
  const finished = cases.filter((each) => gapsBy(each, rule).length > 0);
  const standard = finished.find(({ method }) => method === baseline);
  if (standard === undefined) return [];
  const effectsOf = (each: MeasuredCase, cue: string) =>
    gapsBy(each, rule).flatMap(({ seed, gaps }) => {
      const effect = cueEffect(gaps, cue);
      return effect === null ? [] : [{ seed, ...effect }];
    });
  const cellsOf = (each: MeasuredCase, cue: string): Cell[] => {
    const own = effectsOf(each, cue);
    const theirs = new Map(effectsOf(standard, cue).map((effect) => [effect.seed, effect]));
    const differences = own.flatMap((effect) => {
      const other = theirs.get(effect.seed);
      return other === undefined ? [] : [effect.mean - other.mean];
    });
    return [
      seedsCell(own.map(({ covered }) => covered)),
      seedsCell(own.map(({ bare }) => bare)),
      seedsCell(own.map((effect) => effect.mean)),
      each === standard ? null : meanDifferenceCell(differences),
    ];
  };
  return [
    {
      name,
      heading: `Fed, or uncovered?${of === undefined ? "" : ` ${of}`}`,
      text:
        "What a cue is worth: accuracy where it is common less accuracy where it is not. A gap is measured where the other cue is common, and " +
        "the other cue then covers for this one. A method that is cured of the other loses that cover: its gap grows even where it leans on " +
        "this cue no more than before. The mean over both, where the other is common and where it is not, is free of that. No finding goes " +
        "by this table: it was not in the plan, and is exploratory. Epochs are chosen by the worst of all groups.",
      tables: [
        {
          name,
          caption:
            "What each cue is worth in points of accuracy, on test images; less baseline is of the mean, within each seed, with Student's 95% interval",
          columns: [
            { title: "Method" },
            ...cues.flatMap((cue) =>
              ["other common", "other uncommon", "mean", "less baseline"].map((title) => ({
                title,
                group: cue,
              })),
            ),
          ],
          rows: finished.flatMap((each): Row[] => {
            const paper = published?.(each);
            const ours: Row = { cells: [labelOf(each), ...cues.flatMap((cue) => cellsOf(each, cue))] };
            return paper === undefined
              ? [ours]
              : [
                  ours,
                  publishedRow(each, paper, each === standard ? undefined : published?.(standard), cues),
                ];
          }),
        },
      ],
    },
  ];
}

function publishedRow(
  each: MeasuredCase,
  gaps: MeasuredGaps,
  standard: MeasuredGaps | undefined,
  cues: readonly string[],
): Row {
  return {
    source: "published",
    cells: [
      `${labelOf(each)}, published`,
      ...cues.flatMap((cue): Cell[] => {
        const [own, theirs] = [cueEffect(gaps, cue), standard ? cueEffect(standard, cue) : null];
        if (own === null) return [null, null, null, null];
        const less = theirs === null ? null : differenceCell(own.mean - theirs.mean, null);
        return [...[own.covered, own.bare, own.mean].map((value) => printed(100 * value)), less];
      }),
    ],
  };
}
