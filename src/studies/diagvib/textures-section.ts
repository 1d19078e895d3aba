/** Textures by one picture a kind in all splits, as the paper had, beside those with pictures of their own in testing. */

import { type Row, type Section, seedsCell } from "../../core/section.ts";
import { meanDifferenceCell } from "../summaries.ts";
import { type DiagvibNumbers, differences, type SampleValue, valuesOf } from "./numbers.ts";
import { allPairs } from "./pairs.ts";

interface TextureComparison {
  study: string;
  predict: string;
  cue: string;
  several: readonly SampleValue[];
  one: readonly SampleValue[];
}

export function textureComparisons(several: DiagvibNumbers, one: DiagvibNumbers): TextureComparison[] {
  const [row] = one.rows;
  if (row === undefined) return [];
  const asked = [
    ["ZSO", "texture", undefined] as const,
    ...allPairs.map((pair) => ["ZGO", ...pair] as const),
  ];
  return asked.flatMap(([study, predict, cue]) => {
    const own = one.accuracies(row, study, predict, cue);
    if (own.length === 0) return [];
    return [
      { study, predict, cue: cue ?? "", several: several.accuracies(row, study, predict, cue), one: own },
    ];
  });
}

export function texturesSection(comparisons: readonly TextureComparison[]): Section[] {
  if (comparisons.length === 0) return [];
  return [
    {
      name: "one-picture",
      heading: "Does it matter that testing shows pictures of its own?",
      text: "The paper had one picture a kind of texture, of which training and testing took crops. Here training has eight of each kind and testing two others, unless the dataset is told textures=built-in-one.",
      tables: [
        {
          name: "one-picture",
          caption:
            "Mean per-class accuracy with pictures of their own in each split, and with one picture a kind in all; means over dataset samples with Student's interval",
          columns: ["Study", "Predicted", "Cue", "several pictures", "one picture", "one less several"].map(
            (title) => ({ title }),
          ),
          rows: comparisons.map(
            ({ study, predict, cue, several, one }): Row => ({
              cells: [
                study,
                predict,
                cue,
                seedsCell(valuesOf(several)),
                seedsCell(valuesOf(one)),
                meanDifferenceCell(valuesOf(differences(one, several))),
              ],
            }),
          ),
        },
      ],
    },
  ];
}
