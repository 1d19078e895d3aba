/** Beyond the paper: two cues that both tell the class, and which of them wins. */

import { type Cell, type Row, type Section, seedsCell } from "../../core/section.ts";
import { meanOverSeeds } from "../../core/statistics/index.ts";
import { dotsFigure } from "../figures.ts";
import { meanDifferenceCell } from "../summaries.ts";
import { type SampleValue, valuesOf } from "./numbers.ts";
import { leastLead, predictedBy, type RivalNumbers } from "./rivals.ts";

export function rivalsSection(rivals: readonly RivalNumbers[], from: readonly number[]): Section[] {
  if (rivals.length === 0) return [];
  const samples = rivals[0]!.preference.map(([sample]) => sample);
  return [
    {
      name: "two-cues",
      heading: "Which of two shortcuts wins?",
      text:
        "Beyond the paper. Two cues both always go with the predicted factor, each in its own way; asked are images where only the one is broken, only the other, or both. " +
        "Who follows the one is right where only the other is broken, and wrong where only the one is: the preference is the difference, from +1, the one alone, to −1, the other. " +
        `Two rules predict the winner from pairs of one cue in ZGO, of samples ${from.join(", ")}; preferences are of samples ${samples.join(", ")}, none of which they saw. ` +
        `A lead below ${100 * leastLead} points predicts neither.`,
      tables: [
        {
          name: "two-cues",
          caption:
            "Accuracy by what is broken, preference for the first cue over the second, and what pairs of one cue lead one to expect; means over dataset samples with Student's interval",
          columns: [
            { title: "Predicted" },
            { title: "First cue" },
            { title: "Second cue" },
            { title: "only the first", group: "accuracy where it breaks" },
            { title: "only the second", group: "accuracy where it breaks" },
            { title: "both", group: "accuracy where it breaks" },
            { title: "Preference", group: "both cues there" },
            { title: "Winner", group: "both cues there" },
            { title: "lead", group: "the two against each other" },
            { title: "predicts", group: "the two against each other" },
            { title: "lead", group: "each against the predicted" },
            { title: "predicts", group: "each against the predicted" },
          ],
          rows: rivals.map((rival): Row => {
            const { predict, one, other, oneBroken, otherBroken, bothBroken, preference, against, over } =
              rival;
            return {
              cells: [
                predict,
                one,
                other,
                ...[oneBroken, otherBroken, bothBroken].map((values) => seedsCell(valuesOf(values))),
                meanDifferenceCell(valuesOf(preference)),
                winnerOf(rival),
                meanDifferenceCell(valuesOf(against)),
                predictedWord(rival, against),
                meanDifferenceCell(valuesOf(over)),
                predictedWord(rival, over),
              ],
            };
          }),
        },
      ],
      figures: [rivalsFigure(rivals)],
      remarks: [...new Set(rivals.flatMap(({ unlearned }) => unlearned))].map(
        (why) => `${why}: no rule is judged by sets with it`,
      ),
    },
  ];
}

/** By Student's interval over samples. */
function winnerOf({ one, other, preference }: RivalNumbers): Cell {
  const { low, high } = meanOverSeeds(valuesOf(preference));
  if (low === undefined || high === undefined) return "cannot be told of one sample";
  if (low > 0) return one;
  return high < 0 ? other : "cannot be told";
}

function predictedWord({ one, other }: RivalNumbers, lead: readonly SampleValue[]): Cell {
  const predicted = predictedBy(lead);
  if (predicted === undefined) return "pairs not measured";
  if (predicted === 0) return "neither";
  return predicted === 1 ? one : other;
}

function rivalsFigure(rivals: readonly RivalNumbers[]) {
  const kinds = [
    ["preference, both cues there", "preference"],
    ["lead of the two against each other", "against"],
    ["lead of each against the predicted", "over"],
  ] as const;
  return dotsFigure(
    {
      name: "two-cues",
      caption:
        "To the right the first cue, to the left the second: what is followed where both are there, and what pairs of one cue lead one to expect; means over samples, with Student's interval of the preference",
    },
    {
      value: { title: "from the second cue (−1) to the first (+1)", format: ".1f", domain: [-1, 1] },
      reference: { value: 0, label: "neither" },
      points: rivals.flatMap((rival) =>
        kinds.flatMap(([series, key]) => {
          const values = valuesOf(rival[key]);
          if (values.length === 0) return [];
          const { mean: value, low, high } = meanOverSeeds(values);
          const ends =
            key === "preference" && low !== undefined && high !== undefined
              ? { low: Math.max(-1, low), high: Math.min(1, high) }
              : {};
          return [{ row: `${rival.predict}: ${rival.one} over ${rival.other}`, series, value, ...ends }];
        }),
      ),
    },
  );
}
