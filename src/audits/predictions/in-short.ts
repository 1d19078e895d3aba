/** What predictions say, in a few sentences for those who read no table. */

import { listText, percentText } from "../../core/words.ts";
import type { EvaluationReport, IntervalReport } from "./evaluation-report.ts";

export function evaluationInShort(report: EvaluationReport): string[] {
  return [accuracySentence(report), worstSentence(report), cueSentence(report), moleShort(report)].filter(
    (text) => text !== "",
  );
}

function accuracySentence({ accuracy, n, split, guessing: guess, intervals }: EvaluationReport): string {
  if (accuracy.samples === null) return "";
  const interval = intervals["accuracy.samples"];
  // Where all images are of one class, nobody guesses.
  const guessing =
    guess.accuracy < 1 && (interval?.low ?? accuracy.samples) <= guess.accuracy
      ? ` That is not known to be better than always saying ${guess.class}, which is right on ${percentText(guess.accuracy)}.`
      : "";
  const rows = `${n.toLocaleString("en")} ${split === null ? "" : `${split} `}images`;
  return `It is right on ${percentText(accuracy.samples)}${between(interval)} of ${rows}.${guessing}`;
}

function worstSentence({ worstGroup, accuracy, grouping, intervals, files }: EvaluationReport): string {
  const { name, accuracy: worst, n } = worstGroup;
  if (name === null || worst === null || accuracy.samples === null || grouping.occupied < 2) return "";
  if (worst === 1) return `No group is worse than another: all ${grouping.occupied} are right throughout.`;
  const often = files.length === 1 ? "" : " (in most seeds)";
  const few = n <= 10 ? (n === 1 ? " This is one image only." : ` These are ${n} images only.`) : "";
  return `Worst is ${name}${often}: ${percentText(worst)}${between(intervals["worstGroup.accuracy"])}.${few}`;
}

/** A cue's difference is named where its interval is off zero; of several, the interval is each one's own. */
function cueSentence({ cues, intervals }: EvaluationReport): string {
  const measured = Object.entries(cues)
    .flatMap(([name, { mmd, majority, minority }]) =>
      mmd === null || majority === null || minority === null
        ? []
        : [{ name, mmd, majority, minority, interval: intervals[`cues.${name}.mmd`] }],
    )
    .sort((a, b) => b.mmd - a.mmd);
  if (measured.length === 0) return "";
  const [most] = measured;
  const leaning = measured.filter(({ interval }) => (interval?.low ?? 0) > 0);
  if (leaning.length === 0 || most === undefined) {
    const those = measured.length === 1 ? `the cue ${measured[0]!.name}` : `the ${measured.length} cues`;
    return `No reliance on ${those} can be told: the interval of every difference holds zero.`;
  }
  const others = leaning.filter(({ name }) => name !== most.name).map(({ name }) => name);
  const first =
    `It leans on ${most.name}: right on ${percentText(most.majority)} where it goes with the class and on ` +
    `${percentText(most.minority)} where it does not, ${points(most.mmd)} points less${between(most.interval, points)}.`;
  return others.length === 0 ? first : `${first} Less so on ${listText(others)}.`;
}

/** Of what a verdict is, its own words tell; of one pair of tables, that another seed may say otherwise. */
function moleShort({ moles }: EvaluationReport): string {
  if (moles === undefined) return "";
  return moles.over === "seeds" ? moles.sentence : `${moles.sentence} That is about these two models alone.`;
}

function between(
  interval: IntervalReport | undefined,
  words: (share: number) => string = percentText,
): string {
  if (interval === undefined || interval.low === null || interval.high === null) return "";
  return ` (95% over ${interval.over}: ${words(interval.low)} to ${words(interval.high)})`;
}

function points(share: number): string {
  return (100 * share).toFixed(1);
}
