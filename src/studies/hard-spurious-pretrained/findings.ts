/** What the paper found of ready-made networks, looked for in those that were asked, by rules that were written before. */

import type { Finding } from "../../core/section.ts";
import type { Measured } from "../jobs/kinds.ts";
import type { NetworkAnswer } from "../jobs/predictions-job.ts";
import { type JudgedDifference, judged, untold } from "../judge.ts";
import { judgedOfNetworks } from "../pretrained/judge-networks.ts";
import {
  differenceOfNetworks,
  type Estimate,
  less,
  type NetworkRow,
  networksOf,
} from "../pretrained/networks.ts";
import type { RegisteredPlan } from "../study.ts";
import { all, categories, meanOf, parts } from "./cells.ts";
import { augmented, baseline, narrow, type PlacedPreset, wide } from "./presets.ts";

export const claims = {
  background: "Objects on another class's background are recognised less often",
  corner: "Objects in a corner are recognised less often than in the centre",
  size: "Small objects are recognised less often than large ones",
  clean: "The easy groups, too, are recognised less often than the photographs as they are",
  proportions: "Objects that keep their proportions are recognised more often",
  telling: "Backgrounds that give their class away cost more than others",
  masks: "Objects cut out by masks are recognised less often than whole boxes",
  scale: "Wider networks recognise more",
  augmented: "Augmentations help on original backgrounds and cost in corners on other backgrounds",
};

/** Those about pairs of networks, which people's networks are not. */
export const aboutPairs: readonly string[] = [claims.scale, claims.augmented];

type Where = Parameters<typeof meanOf>[1];

function difference(one: Where, other: Where) {
  return (answer: NetworkAnswer): Estimate | undefined => {
    const [a, b] = [meanOf(answer, one), meanOf(answer, other)];
    return a && b && less(a, b);
  };
}

const backgroundCost = difference(parts.random, parts.original);

export function placedFindings(
  measured: readonly Measured[],
  { margin, findings }: RegisteredPlan,
  { own }: PlacedPreset,
): Finding[] {
  const parted = (name: string) => networksOf(measured, name);
  const squeezed = parted("squeezed");
  const within = (claim: string, name: string, one: Where, other: Where) =>
    judgedOfNetworks(claim, squeezed, [{ name, expected: "below", of: difference(one, other) }], { margin });
  const across = (
    claim: string,
    part: string,
    name: string,
    expected: "above" | "below",
    of: (answer: NetworkAnswer, other: NetworkAnswer) => Estimate | undefined,
  ) => {
    const others = parted(part);
    if (others.length === 0) return untold(claim, `nothing of the part "${part}" is finished`);
    const partner = (answer: NetworkAnswer) =>
      squeezed.find(({ label }) => label === answer.label)?.answers.find(({ seed }) => seed === answer.seed);
    const asked = (answer: NetworkAnswer) => {
      const found = partner(answer);
      return found && of(answer, found);
    };
    return judgedOfNetworks(claim, others, [{ name, expected, of: asked }], { margin });
  };
  const whole = (answer: NetworkAnswer, other: NetworkAnswer) => {
    const [a, b] = [meanOf(answer, all), meanOf(other, all)];
    return a && b && less(a, b);
  };
  const found = [
    within(claims.background, "random less original", parts.random, parts.original),
    within(claims.corner, "corner less centre", parts.corner, parts.centre),
    within(claims.size, "smallest less largest", parts.smallest, parts.largest),
    across(claims.clean, "clean", "clean less easy groups", "above", ({ images, correct }, other) => {
      const easy = meanOf(other, categories.easy);
      const share = correct / images;
      return easy && less({ value: share, error: Math.sqrt((share * (1 - share)) / images) }, easy);
    }),
    across(claims.proportions, "proportions", "proportions kept less squeezed", "above", whole),
    across(
      claims.telling,
      "telling",
      "cost of random backgrounds, version 2 less version 1",
      "below",
      (answer, other) => {
        const [a, b] = [backgroundCost(answer), backgroundCost(other)];
        return a && b && less(a, b);
      },
    ),
    across(claims.masks, "masks", "masks less boxes", "below", whole),
    ...(own === undefined ? [] : pairs(squeezed, margin)),
  ];
  return found.filter(({ claim }) => findings.some((each) => each.claim === claim));
}

function pairs(networks: readonly NetworkRow[], margin: number): Finding[] {
  const compare = (
    name: string,
    pair: readonly [string, string],
    where: Where,
    expected: JudgedDifference["expected"],
  ): JudgedDifference => ({
    name: `${pair[0]} less ${pair[1]}, ${name}`,
    ...differenceOfNetworks(networks, pair, (answer) => meanOf(answer, where)),
    expected,
  });
  const cornerRandom: Where = (cell) => cell === "CoR";
  return [
    judged(claims.scale, [compare("all groups", [wide, narrow], all, "above")], { margin, evidence: [] }),
    judged(
      claims.augmented,
      [
        compare("original backgrounds", [augmented, baseline], parts.original, "above"),
        compare("corners on random backgrounds", [augmented, baseline], cornerRandom, "below"),
      ],
      { margin, evidence: [] },
    ),
  ];
}
