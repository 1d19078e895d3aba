/** Findings beyond the paper: two cues at once, lines beside pairs, one picture a kind, and methods. */

import type { Finding } from "../../core/section.ts";
import { factors } from "../../published/eulig-2021.ts";
import { counted, untold } from "../judge.ts";
import { rWithInterval } from "../well-specified/words.ts";
import type { AskedComparison } from "./asked.ts";
import { claims } from "./claims.ts";
import type { PairLine } from "./lines-section.ts";
import { type DiagvibNumbers, differences, meanOfLists, type SampleValue } from "./numbers.ts";
import { preferenceAsPredicted, type RivalNumbers } from "./rivals.ts";
import { baseline, comparedMethods, methodStudies } from "./rows.ts";

export function predictedWinners(
  rivals: readonly RivalNumbers[],
  by: (rival: RivalNumbers) => readonly SampleValue[],
): AskedComparison[] | string {
  if (rivals.length === 0) return "no two cues were tried at once";
  const { values, sets } = preferenceAsPredicted(rivals, by);
  if (sets === 0) return "pairs predict neither cue of any set, or were not measured";
  return [
    {
      name: `preference for the predicted cue, mean over ${sets} sets of two`,
      values,
      expected: "above",
    },
  ];
}

/** Pairs of which both are decided. */
export function onTheLine(lines: readonly PairLine[]): Finding {
  const claim = claims.line;
  const told = lines.filter(
    ({ silent, follows, split }) =>
      silent === undefined && follows !== undefined && split.all.verdict !== "undecided",
  );
  if (told.length === 0) return untold(claim, "of no pair both are decided");
  const agrees = ({ follows, split }: PairLine) =>
    (follows === "the cue") === (split.all.verdict === "well-specified");
  const evidence = told
    .map(
      ({ pair: [predict, cue], follows, split }) =>
        `${predict} with ${cue}: ${follows} is followed, R ${rWithInterval(split.all)}`,
    )
    .join("; ");
  return {
    claim,
    verdict: counted(told.map((line) => (agrees(line) ? "for" : "against"))),
    evidence: `${told.filter(agrees).length} of ${told.length} decided pairs agree. ${evidence}`,
  };
}

export function withOnePicture(
  networks: DiagvibNumbers,
  pictures: DiagvibNumbers,
  row: string,
): AskedComparison[] | string {
  if ([networks, pictures].every((each) => each.unlearned(row, "texture") !== undefined))
    return "texture is learned with neither";
  return [
    {
      name: "one picture less several",
      values: differences(
        pictures.accuracies(row, "ZSO", "texture"),
        networks.accuracies(row, "ZSO", "texture"),
      ),
      expected: "above",
    },
  ];
}

/** A method's less the baseline's, within pair and sample, and the mean over pairs. */
export function methodDifferences(numbers: DiagvibNumbers, row: string, study: string): SampleValue[] {
  const lists = factors.flatMap((predict) =>
    numbers
      .cues(row, study, predict)
      .map((cue) =>
        differences(
          numbers.accuracies(row, study, predict, cue),
          numbers.accuracies(baseline.label, study, predict, cue),
        ),
      )
      .filter((values) => values.length > 0),
  );
  return meanOfLists(lists);
}

export function ofMethods(numbers: DiagvibNumbers): AskedComparison[] {
  return comparedMethods
    .filter(({ label }) => label !== baseline.label)
    .flatMap(({ label }) =>
      methodStudies.map((study) => ({
        name: `${label} less ${baseline.label}, ${study}`,
        values: methodDifferences(numbers, label, study),
        expected: "below" as const,
        holds: ["seen", "equivalent"] as const,
      })),
    );
}
