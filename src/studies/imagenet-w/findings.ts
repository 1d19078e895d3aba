/** What the paper found about the watermark, looked for in the networks that were asked, by rules that were written before. */

import type { Finding } from "../../core/section.ts";
import { fixedText } from "../../core/words.ts";
import type { Measured } from "../jobs/kinds.ts";
import type { NetworkAnswer } from "../jobs/predictions-job.ts";
import { counted, judged, untold } from "../judge.ts";
import { judgedOfNetworks } from "../pretrained/judge-networks.ts";
import { differenceOfNetworks, less, type NetworkRow, networksOf } from "../pretrained/networks.ts";
import type { RegisteredPlan } from "../study.ts";
import { classGap, markedNumber, probabilityChange, pushedClasses, watermarkGap } from "./gaps.ts";
import { ofClass } from "./our-rows.ts";
import { aware, baseline, type MarkedPreset, unaware } from "./presets.ts";

export const claims = {
  gap: "The watermark costs accuracy",
  pushed: "The watermark pushes towards the class that it goes with",
  discovered: "Among all classes that class is found without being named",
  content: "The paper's text costs more than other contents",
  unaware: "Mixup, CutMix and Cutout lean on the watermark less than the standard model",
  aware: "Watermark augmentation leans on the watermark less than the standard model",
};

export const aboutPairs: readonly string[] = [claims.unaware, claims.aware];

export function markedFindings(
  measured: readonly Measured[],
  { margin, findings }: RegisteredPlan,
  { own }: MarkedPreset,
): Finding[] {
  const networks = networksOf(measured, "watermark");
  // Of ours the standard model alone: others are against the shortcut.
  const asked = own === undefined ? networks : networks.filter(({ label }) => label === baseline);
  const found = [
    judgedOfNetworks(
      claims.gap,
      asked,
      [{ name: "gap", expected: "below", of: (answer) => watermarkGap(answer) }],
      {
        margin,
      },
    ),
    judgedOfNetworks(
      claims.pushed,
      asked,
      [
        {
          name: "ΔP of the class over all images",
          expected: "above",
          of: ofClass(own?.markedClass, probabilityChange),
        },
        { name: "gap of the class", expected: "above", of: ofClass(own?.markedClass, classGap) },
      ],
      { margin },
    ),
    discovered(asked, own?.markedClass),
    judgedOfNetworks(
      claims.content,
      asked,
      [{ name: "gap of the paper's text less the mean of the others'", expected: "below", of: contentGap }],
      { margin },
    ),
    ...(own === undefined
      ? []
      : [
          lessThanStandard(claims.unaware, unaware, networks, margin),
          lessThanStandard(claims.aware, [aware], networks, margin),
        ]),
  ];
  return found.filter(({ claim }) => findings.some((each) => each.claim === claim));
}

function contentGap(answer: NetworkAnswer) {
  const [first, ...others] = answer.marks.map(({ mark }) => watermarkGap(answer, mark)!);
  if (first === undefined || others.length === 0) return undefined;
  const value = others.reduce((sum, gap) => sum + gap.value, 0) / others.length;
  const error = Math.sqrt(others.reduce((sum, gap) => sum + gap.error ** 2, 0)) / others.length;
  return less(first, { value, error });
}

/** By every network and seed: whether it comes first, beyond what its images may do by chance. */
function discovered(networks: readonly NetworkRow[], markedClass: string | undefined): Finding {
  const claim = claims.discovered;
  const told = networks.flatMap(({ label, answers, open }) =>
    answers.flatMap((answer) => {
      if (open !== undefined) return [{ outcome: "open" as const, words: open }];
      const number = markedNumber(answer, markedClass);
      const [first, second] = pushedClasses(answer);
      if (number === undefined || first === undefined || second === undefined) return [];
      const { value, error } = probabilityChange(answer, number)!;
      const rank = pushedClasses(answer).findIndex((each) => each.number === number) + 1;
      const lead = value - (rank === 1 ? second : first).change;
      const outcome = value - 1.96 * error <= 0 ? "open" : rank === 1 ? "for" : "against";
      const who = answer.seed === null ? label : `${label}, seed ${answer.seed}`;
      const words = `${who}: place ${rank} of ${answer.classes.length}, ΔP ${fixedText(100 * value, 1)} points, ${(100 * Math.abs(lead)).toFixed(1)} ${lead >= 0 ? "before the next" : "behind the first"}`;
      return [{ outcome: outcome as "for" | "against" | "open", words }];
    }),
  );
  if (told.length === 0) return untold(claim, "no network was asked that has the class");
  return {
    claim,
    verdict: counted(told.map(({ outcome }) => outcome)),
    evidence: told.map(({ words }) => words).join("; "),
  };
}

function lessThanStandard(
  claim: string,
  labels: readonly string[],
  networks: readonly NetworkRow[],
  margin: number,
): Finding {
  const comparisons = labels.map((label) => ({
    name: `gap of ${label} less that of ${baseline}`,
    ...differenceOfNetworks(networks, [label, baseline], (answer) => watermarkGap(answer)),
    expected: "above" as const,
  }));
  return judged(claim, comparisons, { margin, evidence: [] });
}
