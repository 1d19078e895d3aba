/** What predictions say, in a few sentences for those who read no table. */

import { listText, percentText } from "../../core/words.ts";
import type { EvaluationReport, IntervalReport } from "./evaluation-report.ts";

export function evaluationInShort(report: EvaluationReport): string[] {
  return [accuracySentence(report), worstSentence(report), cueSentence(report), moleShort(report)].filter(
    (text) => text !== "",
  );
}

function accuracySentence({
  accuracy,
  n,
  split,
  guessing: guess,
  intervals,
  files,
}: EvaluationReport): string {
  if (accuracy.samples === null) return "";
  const interval = intervals["accuracy.samples"];
  // Where all images are of one class, nobody guesses.
  const guessing =
    guess.accuracy < 1 && (interval?.low ?? accuracy.samples) <= guess.accuracy
      ? ` That is not known to be better than always saying ${guess.class}, which is right on ${percentText(guess.accuracy)}.`
      : "";
  const rows = `${perTable(n, files)} ${split === null ? "" : `${split} `}images${inEach(n, files)}`;
  return `It is right on ${percentText(accuracy.samples)}${between(interval)} of ${rows}.${guessing}`;
}

function worstSentence({ worstGroup, accuracy, grouping, intervals, files }: EvaluationReport): string {
  const { name, accuracy: worst, n } = worstGroup;
  if (name === null || worst === null || accuracy.samples === null || grouping.occupied < 2) return "";
  if (worst === 1) return `No group is worse than another: all ${grouping.occupied} are right throughout.`;
  const often = files.length === 1 ? "" : " (in most seeds)";
  const own = n / files.length;
  const few =
    own > 10
      ? ""
      : own === 1
        ? ` This is one image only${inEach(n, files)}.`
        : ` These are ${perTable(n, files)} images only${inEach(n, files)}.`;
  return `Worst is ${name}${often}: ${percentText(worst)}${between(intervals["worstGroup.accuracy"])}.${few}`;
}

/** A cue's difference is named where its interval is off zero; of several, the interval is each one's own. */
function cueSentence({ cues, intervals, sameImages }: EvaluationReport): string {
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
  const same = sameImages ? " All seeds have the same images: others may give another difference." : "";
  return `${first}${others.length === 0 ? "" : ` Less so on ${listText(others)}.`}${same}`;
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
  if (interval.over === "seeds" && interval.low === interval.high) return " (the same with all seeds)";
  return ` (95% over ${interval.over}: ${words(interval.low)} to ${words(interval.high)})`;
}

/** Of tables with as many rows each, how many these are; else of all together. */
function perTable(n: number, files: readonly string[]): string {
  return (n % files.length === 0 ? n / files.length : n).toLocaleString("en");
}

function inEach(n: number, files: readonly string[]): string {
  if (files.length === 1) return "";
  return n % files.length === 0
    ? ` in each of ${files.length} tables`
    : ` in ${files.length} tables together`;
}

function points(share: number): string {
  return (100 * share).toFixed(1);
}
