/** Which findings follow from stronger ones: what is left of their difference among images that are alike in the stronger. */

import { setImmediate } from "node:timers/promises";
import type { FoundShortcut, ShortcutSearch } from "./find-shortcuts.ts";
import { unitHolds } from "./statement.ts";

/** What files and names tell explains nothing of what pixels show, nor they it; and features may show the object itself. */
const kinds = { pixels: "pixels", file: "files", name: "files", features: "features" } as const;

/** Held-out units of a class, and others, by which it is decided. */
const mostUnits = 5000;

/** Writes into each finding, strongest first, the place of the one that explains it. Of two classes either says the same. */
export async function explain(search: ShortcutSearch, found: readonly FoundShortcut[]): Promise<void> {
  const labels =
    search.classes === 2 ? [found[0]?.label ?? 0] : [...new Set(found.map(({ label }) => label))];
  for (const label of labels) {
    const places = [...found.keys()].filter((i) => search.classes === 2 || found[i]!.label === label);
    const units = someUnits(search, label);
    const own = Uint8Array.from(units, (unit) => (search.labels[unit] === label ? 1 : 0));
    const has = places.map((i) => {
      const { cut, statement } = found[i]!;
      return Uint8Array.from(units, (unit) => (unitHolds(search.cuts[cut]!, statement, unit) ? 1 : 0));
    });
    const kindOf = (i: number) => kinds[search.cuts[found[i]!.cut]!.property.of];
    for (const [k, weaker] of places.entries()) {
      const stronger = places.findIndex(
        (i, j) =>
          j < k &&
          found[i]!.explainedBy === undefined &&
          kindOf(i) === kindOf(weaker) &&
          remaining(own, has[j]!, has[k]!) < search.thresholds.effect,
      );
      if (stronger >= 0) found[weaker]!.explainedBy = places[stronger]!;
    }
    await setImmediate();
  }
}

/** Held-out units of the class and others, evenly picked where there are many. */
export function someUnits(
  { chosen, labels }: Pick<ShortcutSearch, "chosen" | "labels">,
  label: number,
): number[] {
  const lists: [number[], number[]] = [[], []];
  for (let unit = 0; unit < chosen.length; unit++)
    if (chosen[unit] === 0) lists[labels[unit] === label ? 0 : 1].push(unit);
  return lists
    .flatMap((list) =>
      list.length <= mostUnits
        ? list
        : Array.from({ length: mostUnits }, (_, i) => list[Math.floor((i * list.length) / mostUnits)]!),
    )
    .sort((a, b) => a - b);
}

/**
 * The difference in the weaker among units that have the stronger and among those that have not: Mantel–Haenszel's difference of
 * shares (Greenland and Robins 1985). 0 where the stronger alone tells the class.
 */
function remaining(own: Uint8Array, stronger: Uint8Array, weaker: Uint8Array): number {
  // Of units without the stronger, then of those with it: others, others with the weaker, own, own with the weaker.
  const counts = new Float64Array(8);
  for (let i = 0; i < own.length; i++) {
    const at = 4 * stronger[i]! + 2 * own[i]!;
    counts[at]!++;
    counts[at + 1]! += weaker[i]!;
  }
  let [difference, weight] = [0, 0];
  for (const at of [0, 4]) {
    const [others, othersWith, mine, mineWith] = counts.subarray(at, at + 4) as unknown as [
      number,
      number,
      number,
      number,
    ];
    if (mine + others === 0) continue;
    difference += (mineWith * others - othersWith * mine) / (mine + others);
    weight += (mine * others) / (mine + others);
  }
  // Of two classes the weaker may be about the other one.
  return weight === 0 ? 0 : Math.abs(difference / weight);
}
