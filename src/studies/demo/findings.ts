/** What the demo's numbers say, in sentences that are put together from them and say no more than they show. */

import { listText, percentText } from "../../core/words.ts";
import { moleSentence } from "../../metrics/moles/index.ts";
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
    "Each network was trained once. The intervals and verdicts are about these networks and the choice of test images alone; another " +
      "--seed may say otherwise.",
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
  const known = gaps.filter(({ high }) => high < 0);
  const open = gaps.filter(({ high }) => high >= 0);
  const lost = known.map(
    (gap) => `${points(-gap.value)} points where ${misleads(gap)} (${lossInterval(gap)})`,
  );
  return [
    ...(lost.length > 0 ? [`It loses ${listText(lost)}; 95% over images.`] : []),
    ...open.map(
      (gap) => `What it loses where ${misleads(gap)} cannot be told (${lossInterval(gap)} points).`,
    ),
  ].join(" ");
}

function misleads({ cues }: DemoGap): string {
  const [only] = cues;
  return cues.length === 1 && only ? `${cueWords[only]} misleads` : "both do";
}

/** A gap is negative where something is lost. */
function lossInterval({ low, high }: DemoGap): string {
  return `${points(-high)} to ${points(-low)}`;
}

/** Verdict by verdict, as the rules have them, and the numbers behind. */
function beside(run: DemoRun): string {
  const { label, told, judged, inDistribution } = run;
  const words =
    told.length === 0
      ? "told only which kinds of shortcut there are"
      : `told ${listText(told.map(namedCue))} of every image`;
  const sentence = judged === null ? "" : ` ${moleSentence(judged, namedCue)}`;
  return `${label}, ${words}:${sentence} ${losses(run)} Its I.D. accuracy is ${percentText(inDistribution.value)}.`;
}

function namedCue(cue: string): string {
  return cueWords[cue as DemoCue];
}
