/** Which photograph, which background and which group every image has. */

import { standardSplits } from "../../core/dataset.ts";
import { CuelabError } from "../../core/errors.ts";
import { randomStream } from "../../core/random.ts";
import type { ClassChoice } from "./classes.ts";
import { countsOf, type PlacedGroup } from "./groups.ts";
import type { Photographs, Split } from "./photographs.ts";
import type { HardSpuriousSettings } from "./settings.ts";
import { tooFewPhotographs } from "./too-few.ts";

/** One entry an image. */
export interface HardSpuriousPlan {
  splits: Uint8Array;
  labels: Uint16Array;
  /** Of the object. */
  photographs: Uint32Array;
  /**
   * Of the background: the same, or one of the partner class and the same split. A photograph that is nothing but object stands on
   * the background of another of its own class and split.
   */
  backgrounds: Uint32Array;
  groups: Uint16Array;
}

interface PlannedRow {
  split: number;
  label: number;
  photograph: number;
  background: number;
  group: number;
}

/**
 * Each group takes photographs of each class by a random order of its own. All images of one photograph share their
 * random background, so that only place and size differ between them, and stand together, so that it is read once.
 */
export function planImages(
  photographs: Photographs,
  { objects, partner }: ClassChoice,
  groups: readonly PlacedGroup[],
  settings: HardSpuriousSettings,
  seed: number,
): HardSpuriousPlan {
  const rows: PlannedRow[] = [];
  for (const [split, splitName] of standardSplits.entries()) {
    for (const [label, name] of objects.entries()) {
      const own = photographs.members[splitName][label]!;
      const others = withBackground(photographs, photographs.members[splitName][partner[label]!]!);
      const lenders = withBackground(photographs, own);
      const draw = (purpose: string, n: number) =>
        randomStream(seed, `hard-spurious/${purpose}/${name}/${splitName}`).at(0).permutation(n);
      const matched = draw("backgrounds", others.length);
      const lent = lenders.length === own.length ? [] : draw("lent-backgrounds", lenders.length);
      const taken = groups.map((group) => {
        const wanted = countsOf(group, settings)[splitName];
        if (wanted > own.length) throw tooFewPhotographs(photographs, label, splitName, groups, settings);
        if (wanted > 0 && group.background === "random" && others.length === 0)
          throw noBackground(photographs, partner[label]!, splitName, groups, settings);
        if (wanted > 0 && group.background === "original" && lenders.length === 0)
          throw noBackground(photographs, label, splitName, groups, settings);
        const taken = new Uint8Array(own.length);
        for (const place of draw(group.name, own.length).subarray(0, wanted)) taken[place] = 1;
        return taken;
      });
      for (const [place, photograph] of own.entries()) {
        const original =
          photographs.hasBackground?.(photograph) === false
            ? lenders[lent[place % lenders.length]!]!
            : photograph;
        for (const [group, { background }] of groups.entries()) {
          if (taken[group]![place] === 0) continue;
          const random = others[matched[place % matched.length]!]!;
          rows.push({
            split,
            label,
            photograph,
            background: background === "original" ? original : random,
            group,
          });
        }
      }
    }
  }
  return columns(rows);
}

function withBackground({ hasBackground }: Photographs, members: readonly number[]): readonly number[] {
  return hasBackground === undefined ? members : members.filter(hasBackground);
}

/** Of a class that gives backgrounds: it has no photographs, or they are nothing but object. */
function noBackground(
  photographs: Photographs,
  label: number,
  split: Split,
  groups: readonly PlacedGroup[],
  settings: HardSpuriousSettings,
): CuelabError {
  const { length } = photographs.members[split][label]!;
  if (length === 0) return tooFewPhotographs(photographs, label, split, groups, settings);
  return new CuelabError({
    kind: "usage",
    what: `no photograph of the class "${photographs.classNames[label]}" in the split ${split} has any background left`,
    expected: "one at least that its boxes, widened by dilation, do not cover wholly",
    got: `${length} that are covered`,
    todo: "give masks, lower dilation, or leave the class out with classes",
  });
}

/** Every photograph once, whatever the groups. */
export function planPhotographs(photographs: Photographs): HardSpuriousPlan {
  const rows = standardSplits.flatMap((name, split) =>
    photographs.members[name].flatMap((own, label) =>
      own.map((photograph) => ({ split, label, photograph, background: photograph, group: 0 })),
    ),
  );
  return columns(rows);
}

function columns(rows: readonly PlannedRow[]): HardSpuriousPlan {
  return {
    splits: Uint8Array.from(rows, ({ split }) => split),
    labels: Uint16Array.from(rows, ({ label }) => label),
    photographs: Uint32Array.from(rows, ({ photograph }) => photograph),
    backgrounds: Uint32Array.from(rows, ({ background }) => background),
    groups: Uint16Array.from(rows, ({ group }) => group),
  };
}
