/** Gaps of one network, signed as the paper prints them: reliance is negative, but for the class that the mark goes with. */

import { classGap, markedNumber, setGap, watermarkGap } from "../imagenet-w/gaps.ts";
import type { Measured } from "../jobs/kinds.ts";
import type { AnsweredImages, NetworkAnswer } from "../jobs/predictions-job.ts";
import {
  type Estimate,
  less,
  meanShare,
  networksOf,
  pairedChange,
  shareEstimate,
} from "../pretrained/networks.ts";
import type { ShortcutsPreset } from "./presets.ts";

export const gapNames = ["plain", "watermark", "class", "texture", "grain", "background"] as const;
export type GapName = (typeof gapNames)[number];
export type AnswerGaps = Readonly<Record<GapName, (answer: NetworkAnswer) => Estimate | undefined>>;

/** Of groups whose backgrounds are their classes' own (CeO, CoO), or those of other classes (CeR, CoR). */
function onBackgrounds({ groups }: Pick<AnsweredImages, "groups">, letter: "O" | "R"): Estimate | undefined {
  const some = groups.filter(({ values }) => values.group?.split("-")[0]?.endsWith(letter));
  return some.length === 0 ? undefined : meanShare(some);
}

/** Of ours from one set of images; of networks that are brought from ImageNet's variants, which were asked in parts of their own. */
export function gapsOf(measured: readonly Measured[], { own }: ShortcutsPreset): AnswerGaps {
  const ofClass = (answer: NetworkAnswer) => {
    const number = markedNumber(answer, own?.markedClass);
    return number === undefined ? undefined : classGap(answer, number);
  };
  const common = { watermark: (answer: NetworkAnswer) => watermarkGap(answer), class: ofClass };
  const swapped = ({ changes = [] }: NetworkAnswer) =>
    changes.find(({ change }) => change === "texture-swapped");
  if (own !== undefined)
    return {
      ...common,
      plain: (answer) => onBackgrounds(answer, "O"),
      texture: (answer) => {
        const changed = swapped(answer);
        const { images, correct } = answer;
        return (
          changed &&
          less(shareEstimate({ images, correct: changed.correct }), shareEstimate({ images, correct }))
        );
      },
      grain: (answer) => {
        const changed = swapped(answer);
        return changed && pairedChange({ ...changed, images: answer.images });
      },
      background: (answer) => {
        const [random, original] = [onBackgrounds(answer, "R"), onBackgrounds(answer, "O")];
        return random && original && less(random, original);
      },
    };
  const elsewhere = (part: string, { label, seed }: NetworkAnswer) =>
    networksOf(measured, part)
      .find((network) => network.label === label)
      ?.answers.find((answer) => answer.seed === seed);
  const between = (changed: string, original: string) => (answer: NetworkAnswer) => {
    const [one, other] = [elsewhere(changed, answer), elsewhere(original, answer)];
    return one && other && setGap(one, other);
  };
  return {
    ...common,
    plain: shareEstimate,
    texture: between("stylized", "watermark"),
    // Nobody has images of ImageNet in the style of others of their class.
    grain: () => undefined,
    background: between("mixed-random", "mixed-same"),
  };
}
