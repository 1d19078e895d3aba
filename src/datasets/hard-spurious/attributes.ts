/** What is known of every composed image. */

import type { Attribute } from "../../core/dataset.ts";
import type { ClassChoice } from "./classes.ts";
import { backgroundNames, difficultyNames, type PlacedGroup, sizesInOrder } from "./groups.ts";
import { positionNames } from "./placement.ts";
import type { HardSpuriousPlan } from "./plan.ts";

export function placedAttributes(
  { labels, groups: groupOf }: HardSpuriousPlan,
  groups: readonly PlacedGroup[],
  { objects, all, partner }: ClassChoice,
): Record<string, Attribute> {
  const positions = positionNames.filter((name) => groups.some(({ position }) => position === name));
  const sizes = sizesInOrder(groups.map(({ size }) => size));
  const byGroup = (code: (group: PlacedGroup) => number) => {
    const codes = groups.map(code);
    return Uint16Array.from(groupOf, (group) => codes[group]!);
  };
  return {
    background: {
      values: byGroup(({ background }) => backgroundNames.indexOf(background)),
      valueNames: backgroundNames,
      role: "cue",
      classValues: objects.map(() => 0),
      description: "the object's own, or one of another class",
    },
    position: {
      values: byGroup(({ position }) => positions.indexOf(position)),
      valueNames: positions,
      role: "cue",
      description: "where the object is",
    },
    size: {
      values: byGroup(({ size }) => sizes.indexOf(size)),
      valueNames: sizes.map(String),
      role: "cue",
      description: "side of the object in pixels, the shortest where the aspect is preserved",
    },
    group: {
      values: Uint16Array.from(groupOf),
      valueNames: groups.map(({ name }) => name),
      role: "other",
      description: "Ce or Co: centre or corner; O or R: original or random background; and the size",
    },
    difficulty: {
      values: byGroup(({ difficulty }) => difficultyNames.indexOf(difficulty)),
      valueNames: difficultyNames,
      role: "other",
      description: "which of the paper's three categories the group is in",
    },
    backgroundClass: {
      values: Uint16Array.from(labels, (label, i) =>
        groups[groupOf[i]!]!.background === "original" ? label : partner[label]!,
      ),
      valueNames: all,
      role: "other",
      classValues: objects.map((_, label) => label),
      description: "the class whose photograph the background is from",
    },
  };
}
