/** What a model relies on, in a few sentences. */

import { pointsCell } from "../../core/section.ts";
import { listText, percentText } from "../../core/words.ts";
import type { ModelAnswer, VariantAnswer } from "./answer.ts";
import { verdictText } from "./verdict-words.ts";

const mostNamed = 4;

export function modelInShort(answer: ModelAnswer): string[] {
  const { images, among, labelled, accuracy, model, settings } = answer;
  const sample = images < among ? `a sample of ${images.toLocaleString("en")} of ` : "";
  const right = labelled
    ? `is right on ${percentText(accuracy)} of`
    : "was asked about, without labels, so that right is what it says of the plain image:";
  return [
    `${model} ${right} ${sample}${among.toLocaleString("en")} images.`,
    ...marksInShort(answer),
    ...relianceInShort(answer),
    ...told(answer, "none", `No loss beyond ${pointsText(settings.margin)} and the control`),
    ...told(answer, "cannot be told", "Cannot be told with so many images"),
  ];
}

function marksInShort({ marked, settings }: ModelAnswer): string[] {
  if (marked === undefined) return [];
  const [first] = marked.classes;
  if (first === undefined) return [];
  if (marked.verdict === "reliance")
    return [
      `Marks speak for ${first.class}: "${first.mark}" adds ${pointsCell(first.gain).text} points to its mean probability, ` +
        `${pointsCell(first.lessControl.value).text} more than as much ink without letters (p = ${small(marked.adjusted)} for all ` +
        `${marked.marks.length} marks and ${marked.classes.length} classes).`,
    ];
  const words = marked.verdict === "none" ? "No class gains" : "It cannot be told whether a class gains";
  return [
    `${words} ${pointsText(settings.threshold)} of probability by marks beyond their controls; the largest gain, of ${first.class}, ` +
      `is ${pointsCell(first.gain).text} points, ${pointsCell(first.lessControl.value).text} beyond its control.`,
  ];
}

function relianceInShort({ variants }: ModelAnswer): string[] {
  return strongest(variants)
    .filter(({ verdict }) => verdict === "reliance")
    .map(({ intervention, variant, gap, lessControl, pushesTo, verdict }) => {
      const [most] = pushesTo;
      const to = most === undefined ? "" : `; most often said instead: ${most.class}`;
      const word = verdictText({ intervention, verdict });
      return (
        `${word.charAt(0).toUpperCase()}${word.slice(1)}: ${intervention} (${variant}) changes what is right by ${pointsCell(gap!.value).text} points, ` +
        `${pointsCell(lessControl!.value).text} less its control${to}.`
      );
    });
}

/** Interventions by the verdict of their worst variant. */
function told({ variants }: ModelAnswer, verdict: VariantAnswer["verdict"], words: string): string[] {
  const names = strongest(variants)
    .filter((one) => one.verdict === verdict)
    .map(({ intervention }) => intervention);
  return names.length === 0 ? [] : [`${words}: ${listText(names, mostNamed * 3)}.`];
}

const order = ["reliance", "cannot be told", "none"] as const;

/** Of each intervention the variant whose verdict is the worst, and of these the one that costs most beyond its control. */
export function strongest(variants: readonly VariantAnswer[]): VariantAnswer[] {
  const found = new Map<string, VariantAnswer>();
  for (const one of variants) {
    const before = found.get(one.intervention);
    if (one.lessControl === null) continue;
    if (before === undefined || isWorse(one, before)) found.set(one.intervention, one);
  }
  return [...found.values()];
}

function isWorse(one: VariantAnswer, before: VariantAnswer): boolean {
  const [ours, theirs] = [one, before].map(({ verdict }) => order.indexOf(verdict)) as [number, number];
  return ours < theirs || (ours === theirs && one.lessControl!.value < before.lessControl!.value);
}

/** As few digits as say it: of a thousand classes the threshold is 0.04 points. */
export function pointsText(share: number): string {
  return `${Number((100 * share).toFixed(2))} points`;
}

export function small(p: number): string {
  return p < 0.001 ? "< 0.001" : p.toFixed(3);
}
