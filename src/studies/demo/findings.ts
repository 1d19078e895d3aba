/** What the demo's numbers say, in sentences that are put together from them and say no more than they show. */

import { listText, percentText } from "../../core/words.ts";
import { moleSentence } from "../../metrics/moles/index.ts";
import { hasSettled } from "../plateau.ts";
import { points } from "../summaries.ts";
import type { DemoGap, DemoRun } from "./measure.ts";
import { cueWords, type DemoCue } from "./plan.ts";

/** The first run is what the others are compared with. */
export function demoFindings([baseline, ...others]: readonly [DemoRun, ...DemoRun[]]): string[] {
  if (isUntrained(baseline)) {
    return [
      `${usualAccuracy(baseline)}, and guessing would get ${percentText(baseline.chance)}: it has learned neither cars nor ` +
        "shortcuts, and nothing can be said of gaps. More --epochs or --images help.",
    ];
  }
  return [
    `${usualAccuracy(baseline)}. ${losses(baseline)}`,
    ...others.map(beside),
    ...unsettled([baseline, ...others]),
    "Each network was trained once. The intervals and verdicts are about these networks and the choice of test images alone; " +
      "another seed may say otherwise.",
  ];
}

/** Of a network that guesses, nothing that is told of gaps means anything. */
export function isUntrained({ inDistribution, chance }: DemoRun): boolean {
  return inDistribution.low <= chance;
}

function usualAccuracy({ inDistribution }: DemoRun): string {
  return `With both shortcuts as common as in training the standard model is right on ${percentText(inDistribution.value)} (I.D. accuracy)`;
}

/** Of each shortcut alone, and of both. */
function losses({ gaps }: DemoRun): string {
  const lost = gaps
    .filter(({ high }) => high < 0)
    .map((gap) => `${points(-gap.value)} points where ${misleads(gap)} (${between(-gap.high, -gap.low)})`);
  const won = gaps
    .filter(({ low }) => low > 0)
    .map((gap) => `${points(gap.value)} points where ${misleads(gap)} (${between(gap.low, gap.high)})`);
  const open = gaps.filter(({ low, high }) => low <= 0 && high >= 0);
  return [
    ...(lost.length > 0 ? [`It loses ${listText(lost)}; 95% over images.`] : []),
    ...(won.length > 0 ? [`It is better by ${listText(won)}.`] : []),
    ...open.map(
      (gap) =>
        `What it loses where ${misleads(gap)} cannot be told (${between(-gap.high, -gap.low)} points).`,
    ),
  ].join(" ");
}

function misleads({ cues }: DemoGap): string {
  const [only] = cues;
  return cues.length === 1 && only ? `${cueWords[only]} misleads` : "both do";
}

function between(low: number, high: number): string {
  return `${points(low)} to ${points(high)}`;
}

/** Verdict by verdict, as the rules have them, and the numbers behind. */
function beside(run: DemoRun): string {
  const { label, told, judged, inDistribution } = run;
  const words =
    told.length === 0
      ? "told only which kinds of shortcut there are"
      : `told ${listText(told.map(namedCue))} of every image`;
  const sentence = judged === null ? "" : ` ${moleSentence(judged, namedCue)}`;
  return `${label}, ${words}:${sentence} ${losses(run)} Its I.D. accuracy is ${percentText(inDistribution.value)}${lessThanBaseline(run)}.`;
}

/** Whom a study would leave out, since a longer training may say otherwise. */
function unsettled(runs: readonly DemoRun[]): string[] {
  const open = runs.filter(({ rise }) => !hasSettled(rise));
  if (open.length === 0) return [];
  return [
    `${listText(open.map(({ label }) => label))} had not come to rest when training ended (on validation images, over the last fifth of the ` +
      "epochs): studies compare no such network, since a longer training may say otherwise.",
  ];
}

/** A method that has learned less may owe its gaps to that. */
function lessThanBaseline({ judged }: DemoRun): string {
  const common = judged?.cues[0]?.common;
  return common?.interval && common.interval.high < 0
    ? `, ${points(-common.value)} points below the standard model's`
    : "";
}

function namedCue(cue: string): string {
  return cueWords[cue as DemoCue];
}
