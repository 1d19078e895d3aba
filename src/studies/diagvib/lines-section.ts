/** Beyond the paper: beside every pair's accuracy, whether accuracies of small classifiers lie on a line. */

import type { Row, Section } from "../../core/section.ts";
import { seedsCell } from "../../core/section.ts";
import { meanOverSeeds } from "../../core/statistics/index.ts";
import { percentText } from "../../core/words.ts";
import type { MeasuredPools } from "../jobs/pools-job.ts";
import {
  fitCell,
  type JudgedSplit,
  judgedSplits,
  learnedNothing,
  rWithInterval,
} from "../well-specified/words.ts";
import { lineName } from "./lines-job.ts";
import { chance, type DiagvibNumbers, type SampleValue, valuesOf } from "./numbers.ts";
import { allPairs, type FactorPair } from "./pairs.ts";

/** A pair's accuracy in ZGO beside its pool's fit. */
export interface PairLine {
  pair: FactorPair;
  sample: number;
  split: JudgedSplit;
  accuracies: readonly SampleValue[];
  /** What the network follows, by Student's interval over samples against chance; undefined where that cannot be told. */
  follows: "the cue" | "the factor" | undefined;
  /** Why neither says anything. */
  silent: string | undefined;
}

export function linesOfPairs(parts: readonly MeasuredPools[], numbers: DiagvibNumbers): PairLine[] {
  const [row] = numbers.rows;
  const splits = judgedSplits(parts);
  return allPairs.flatMap((pair) =>
    splits.flatMap((split): PairLine[] => {
      const sample = Number(split.name.split("-").at(-1));
      if (split.name !== lineName(pair, sample)) return [];
      const accuracies = row === undefined ? [] : numbers.accuracies(row, "ZGO", ...pair);
      const unlearned =
        row === undefined ? [] : pair.flatMap((factor) => numbers.unlearned(row, factor) ?? []);
      const silent = learnedNothing(split) ? "the pool learned next to nothing" : unlearned[0];
      return [{ pair, sample, split, accuracies, follows: followed(valuesOf(accuracies)), silent }];
    }),
  );
}

function followed(values: readonly number[]): PairLine["follows"] {
  if (values.length === 0) return undefined;
  const { low, high } = meanOverSeeds(values);
  if (high !== undefined && high < chance) return "the cue";
  return low !== undefined && low > chance ? "the factor" : undefined;
}

export function linesSection(lines: readonly PairLine[]): Section[] {
  if (lines.length === 0) return [];
  return [
    {
      name: "lines",
      heading: "Would accuracies of small classifiers tell?",
      text:
        "Beyond the paper. For each pair in ZGO a pool of logistic regressions and perceptrons: OOD accuracy, on combinations that break the pattern, is regressed on ID accuracy " +
        "on the probit scale, as in accuracy on the line. Well-specified: R below 0.3 with its whole interval, which draws whole draws of classifiers anew; misspecified: above it. " +
        "Where the cue is what is learned first, what is gained at home should be lost abroad; where the factor itself is, both should rise together.",
      tables: [
        {
          name: "lines",
          caption:
            "P_ij of the network in ZGO, what it follows by Student's interval over samples against chance, and R of a pool of small classifiers with its clustered 95% interval, of all checkpoints and of those that learned something",
          columns: [
            { title: "Predicted" },
            { title: "Cue" },
            { title: "P_ij" },
            { title: "The network follows" },
            { title: "R", group: "all checkpoints" },
            { title: "verdict", group: "all checkpoints" },
            { title: "R", group: "those that learned" },
            { title: "verdict", group: "those that learned" },
            { title: "Best ID" },
            { title: "OOD" },
            { title: "Warnings" },
          ],
          rows: lines.map(({ pair, split, accuracies, follows, silent }): Row => {
            const { all, learned, bestId, oodRange, warnings } = split;
            return {
              cells: [
                ...pair,
                seedsCell(valuesOf(accuracies)),
                silent ?? follows ?? "cannot be told",
                fitCell(all.r, () => rWithInterval(all)),
                all.verdict,
                fitCell(learned.r, () => rWithInterval(learned)),
                learned.verdict,
                fitCell(bestId, percentText),
                oodRange.map(percentText).join(" to "),
                warnings.join(", ") || "none",
              ],
            };
          }),
        },
      ],
      figures: lines.map(({ pair: [predict, cue], split }) => ({
        name: split.name,
        beside: true,
        draw: split.draw,
        caption: `${predict} with ${cue}, ZGO: R ${rWithInterval(split.all)}, ${split.all.verdict}`,
      })),
    },
  ];
}
