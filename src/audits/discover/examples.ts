/** Images that show what a finding says. */

import type { ExampleLists } from "./answer.ts";
import type { FoundShortcut } from "./testing/find-shortcuts.ts";
import type { CutProperty } from "./testing/parts.ts";
import { unitHolds } from "./testing/statement.ts";

const most = 6;

/** `some` are held-out units: those that the finding rests on. In the order of the dataset, spread over it. */
export function examplesOf(
  { cut, label, statement }: FoundShortcut,
  cuts: readonly CutProperty[],
  some: readonly number[],
  images: Uint32Array,
  labels: ArrayLike<number>,
): ExampleLists<number> {
  const lists: ExampleLists<number> = { having: [], lacking: [], othersHaving: [], othersLacking: [] };
  for (const unit of some) {
    const has = unitHolds(cuts[cut]!, statement, unit);
    const own = labels[unit] === label;
    const list = own ? (has ? "having" : "lacking") : has ? "othersHaving" : "othersLacking";
    lists[list].push(images[unit]!);
  }
  const spread = (list: number[]) =>
    list.length <= most
      ? list
      : Array.from({ length: most }, (_, i) => list[Math.floor((i * list.length) / most)]!);
  return {
    having: spread(lists.having),
    lacking: spread(lists.lacking),
    othersHaving: spread(lists.othersHaving),
    othersLacking: spread(lists.othersLacking),
  };
}
