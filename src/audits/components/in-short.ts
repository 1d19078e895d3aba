/** What classes are made of, in a few sentences. */

import { listText, percentText } from "../../core/words.ts";
import type { ComponentsFound } from "./answer.ts";

export function componentsInShort({ components, repair, splits }: ComponentsFound): string[] {
  const harmful = components.filter(
    ({ chosen }) => chosen !== null && chosen.gain > 0 && chosen.pValue < 0.05,
  );
  const named = ({ class: of, component }: { class: string; component: number }) => `${of}:${component}`;
  return [
    harmful.length === 0
      ? `No component was found to do harm on ${splits.choose}, by more than chance.`
      : `On ${splits.choose} these do harm, by more than chance: ${listText(harmful.map((one) => `${named(one)} (without it ${percentText(one.chosen!.gain)} more are right, as a mean over classes)`))}.`,
    ...(repair === null
      ? []
      : repair.removed.length === 0
        ? ["Nothing was removed."]
        : [
            `Without ${listText(repair.removed)}, accuracy on ${splits.report} goes from ${percentText(repair.accuracy.before)} to ${percentText(repair.accuracy.after)}, and in the worst group from ${worst(repair.groups.map(({ before }) => before))} to ${worst(repair.groups.map(({ after }) => after))}.`,
          ]),
  ];
}

function worst(shares: readonly number[]): string {
  return percentText(Math.min(...shares));
}
