/** Where a model looks, in a few sentences. */

import { verdictWords } from "../../core/section.ts";
import { fixedText, listText, percentText } from "../../core/words.ts";
import type { LooksAnswer, RegionLook } from "./answer.ts";
import { allImages } from "./take-regions.ts";

export function looksInShort({ models, images, split }: LooksAnswer): string[] {
  return models.flatMap(({ look }) => {
    const { model, regions, flips, randomised } = look;
    const all = regions.filter(({ group, fall }) => group === allImages && fall.images > 0);
    const stubborn = randomised
      .filter(({ parts }) => (parts.at(-1)?.mean ?? 0) > 0.5)
      .map(({ method }) => method);
    return [
      `${model}, ${images} images of ${split}:`,
      ...all.map(sentence),
      ...(flips === null
        ? []
        : [
            `The watermark changes what is said of ${flips.flipped} of ${flips.images} images${flips.to.length === 0 ? "" : `, to ${listText(flips.to.slice(0, 3).map((to) => `${to.class} (${to.count})`))}`}.`,
          ]),
      ...(stubborn.length === 0
        ? []
        : [
            `Maps of ${listText(stubborn)} hardly change when all weights are random: they show the images, not the model.`,
          ]),
    ];
  });
}

function sentence({ region, version, effect, fall, methods, verdict }: RegionLook): string {
  const shares = methods
    .filter(({ share }) => share.mean !== null)
    .map(
      ({ method, share, area }) => `${method} ${percentText(share.mean)} of ${percentText(area.mean)} area`,
    );
  const words = verdict === null ? "not tested" : findingWords(verdict.outcome);
  const costs =
    effect.mean === null
      ? `hiding it costs ${points(fall.mean)}; as much does not fit elsewhere`
      : `hiding it costs ${points(effect.mean)} more than hiding as much elsewhere (${words})`;
  return `– ${region}, ${version}: ${costs}${shares.length === 0 ? "" : `; maps within it: ${listText(shares)}`}.`;
}

function points(share: number | null): string {
  return share === null ? "nothing known" : `${fixedText(100 * share, 1)} points of probability`;
}

function findingWords(outcome: "seen" | "contradicted" | "equivalent" | "cannot be told"): string {
  return verdictWords({
    claim: "",
    evidence: "",
    verdict: outcome === "equivalent" ? "equivalent to none" : outcome,
  });
}
