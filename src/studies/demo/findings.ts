/** What the demo's numbers say, in sentences that are put together from them and say no more than they show. */

import type { Interval } from "../../core/statistics/index.ts";
import { listText, percentText } from "../../core/words.ts";
import { combinedInterval, wilsonTerm } from "../../metrics/intervals.ts";
import { variableTitle } from "../biased-mnist/variables.ts";
import { points } from "../summaries.ts";
import type { DemoCue, DemoRun } from "./measure.ts";

export type Change = "smaller" | "larger" | "unclear";

/** The first run is what the others are compared with. `chance` is what always guessing would get. */
export function demoFindings(
  [baseline, ...others]: readonly [DemoRun, ...DemoRun[]],
  chance: number,
): string[] {
  const { accuracy } = baseline;
  const guessing = `guessing would get ${percentText(chance)}`;
  const right = `The ${lower(baseline.label)} gets ${percentText(accuracy.value)} of the test images right`;
  const more = "More --epochs or --images help.";
  const atChance = accuracy.low <= chance;
  if (atChance && leanedOn(baseline).length === 0) {
    return [
      `${right}, and ${guessing}: it has learned neither digits nor shortcuts, and nothing can be said of gaps. ${more}`,
    ];
  }
  return [
    atChance
      ? `${right}, and ${guessing}: all that it has learned are shortcuts. ${reliance(baseline)} ${more}`
      : `${right}; ${guessing}. ${reliance(baseline)}`,
    ...others.map((run) => `${told(run)} ${compared(run, baseline)}`),
    "Each method ran once. The intervals are about the choice of test images alone; another training seed can move a gap by several points, so only large differences mean something.",
  ];
}

/** Cues whose gap is above zero with its whole interval, the largest first. */
function leanedOn({ cues }: DemoRun): [string, DemoCue][] {
  return Object.entries(cues)
    .filter(([, { mmd }]) => mmd.low > 0)
    .sort(([, a], [, b]) => b.mmd.value - a.mmd.value);
}

/** A gap is the accuracy where a cue goes with the class, less that where it does not. */
function reliance(run: DemoRun): string {
  const used = leanedOn(run);
  const [most] = used;
  const all = Object.keys(run.cues).length;
  if (most === undefined) return `None of the ${number(all)} cues makes a measurable difference to it.`;
  const [name, { mmd }] = most;
  return (
    `It leans on ${used.length === all ? `all ${number(all)}` : `${number(used.length)} of the ${number(all)}`} cues, ` +
    `most on ${cueName(name)}: where that goes with the class it is right ${points(mmd.value)} points more often, which is its gap.`
  );
}

function told({ label, told }: DemoRun): string {
  return told.length === 0
    ? `${label} was told no cue.`
    : `${label} was told one cue, ${told.map(cueName).join(" and ")}.`;
}

function compared(run: DemoRun, baseline: DemoRun): string {
  const names = Object.keys(run.cues);
  const ownText = run.told.map((name) => ownChange(run, baseline, name));
  const rest = names.filter((name) => !run.told.includes(name));
  const changed = (change: Change) =>
    rest
      .filter((name) => gapChange(run.cues[name]!, baseline.cues[name]!) === change)
      .map((name) => `${cueName(name)} ${fromTo(run, baseline, name)}`);
  const [smaller, larger] = [changed("smaller"), changed("larger")];
  const unclear = rest.length - smaller.length - larger.length;
  const others = run.told.length === 0 ? "its" : "the other";
  const parts = [
    ...(smaller.length > 0
      ? [`${number(smaller.length)} ${be(smaller.length)} smaller (${smaller.join("; ")})`]
      : []),
    ...(larger.length > 0
      ? [`${number(larger.length)} ${be(larger.length)} larger (${larger.join("; ")})`]
      : []),
    ...(unclear > 0 ? [`${number(unclear)} ${unclear === 1 ? "does" : "do"} not differ measurably`] : []),
  ];
  const changes =
    unclear === rest.length
      ? `None of ${others} ${number(rest.length)} gaps differs measurably.`
      : `Of ${others} ${number(rest.length)} gaps, ${listText(parts)}.`;
  return [...ownText, changes, accuracyText(run, baseline)].join(" ");
}

function ownChange(run: DemoRun, baseline: DemoRun, name: string): string {
  const values = `${points(baseline.cues[name]!.mmd.value)} to ${points(run.cues[name]!.mmd.value)} points`;
  switch (gapChange(run.cues[name]!, baseline.cues[name]!)) {
    case "smaller":
      return `Its gap for that cue is smaller, down from ${values}.`;
    case "larger":
      return `Its gap for that cue is larger, from ${values}.`;
    default:
      return `Its gap for that cue does not differ measurably (from ${values}).`;
  }
}

function fromTo(run: DemoRun, baseline: DemoRun, name: string): string {
  return `from ${points(baseline.cues[name]!.mmd.value)} to ${points(run.cues[name]!.mmd.value)}`;
}

function accuracyText(run: DemoRun, baseline: DemoRun): string {
  const { low, high } = combinedInterval([wilsonTerm(1, run.accuracy), wilsonTerm(-1, baseline.accuracy)]);
  const difference = points(Math.abs(run.accuracy.value - baseline.accuracy.value));
  const value = `Its accuracy is ${percentText(run.accuracy.value)}`;
  if (low > 0) return `${value}, ${difference} points higher than the ${lower(baseline.label)}'s.`;
  if (high < 0) return `${value}, ${difference} points lower than the ${lower(baseline.label)}'s.`;
  return `${value}, not measurably different from the ${lower(baseline.label)}'s.`;
}

/** By size, since a gap below zero is a gap too; unclear where the difference's interval holds zero. */
export function gapChange(cue: DemoCue, baseline: DemoCue): Change {
  const { low, high } = gapDifference(cue, baseline);
  if (low <= 0 && high >= 0) return "unclear";
  return Math.abs(cue.mmd.value) < Math.abs(baseline.mmd.value) ? "smaller" : "larger";
}

/** As if both were measured on images of their own; they share them, which makes this interval rather too wide. */
function gapDifference(cue: DemoCue, baseline: DemoCue): Interval {
  return combinedInterval([
    wilsonTerm(1, cue.majority),
    wilsonTerm(-1, cue.minority),
    wilsonTerm(-1, baseline.majority),
    wilsonTerm(1, baseline.minority),
  ]);
}

/** As it stands in a sentence. */
export function cueName(name: string): string {
  return variableTitle(name).toLowerCase();
}

const words = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

function number(n: number): string {
  return words[n] ?? String(n);
}

function be(n: number): string {
  return n === 1 ? "is" : "are";
}

function lower(label: string): string {
  return label.charAt(0).toLowerCase() + label.slice(1);
}
