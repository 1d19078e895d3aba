/** The groups: where the object is, how large it is, and whether it is on its own background. */

import { type PlacementPosition, positionNames } from "./placement.ts";
import type { HardSpuriousSettings } from "./settings.ts";

export const backgroundNames = ["original", "random"] as const;
export const difficultyNames = ["easy", "medium", "hard"] as const;
type Difficulty = (typeof difficultyNames)[number];

export interface PlacedGroup {
  /** As the paper writes it: `CeO-56` is in the centre, on the original background, 56 pixels. */
  name: string;
  position: PlacementPosition;
  background: (typeof backgroundNames)[number];
  /** Side in pixels. */
  size: number;
  difficulty: Difficulty;
}

const letters: Record<PlacementPosition, string> = { centre: "Ce", corner: "Co", anywhere: "An" };

/** All groups, sizes outermost, then backgrounds, then positions: for three sizes CeO-56, CoO-56, CeR-56, … */
export function placedGroups(
  sizes: readonly number[],
  positions: readonly PlacementPosition[],
): PlacedGroup[] {
  const ordered = positionNames.filter((position) => positions.includes(position));
  return sizesInOrder(sizes).flatMap((size, rank, all) =>
    backgroundNames.flatMap((background) =>
      ordered.map((position) => ({
        name: `${letters[position]}${background === "original" ? "O" : "R"}-${size}`,
        position,
        background,
        size,
        difficulty: difficultyOf(background, rank, all.length),
      })),
    ),
  );
}

export function sizesInOrder(sizes: readonly number[]): number[] {
  return [...new Set(sizes)].sort((a, b) => a - b);
}

/**
 * Section 5 of the paper: original backgrounds at 84 and 112 are easy, random ones at 56 and 84 hard, the others medium.
 * In general only the smallest objects keep an original background from being easy, and only the largest a random one
 * from being hard; of one size the background alone decides.
 */
function difficultyOf(background: PlacedGroup["background"], rank: number, sizes: number): Difficulty {
  if (background === "original") return rank > 0 || sizes === 1 ? "easy" : "medium";
  return rank < sizes - 1 || sizes === 1 ? "hard" : "medium";
}

/** Images of each split that a group has of each class. */
export function countsOf(
  { difficulty }: PlacedGroup,
  { count }: HardSpuriousSettings,
): Record<"train" | "val" | "test", number> {
  return { train: count.train[difficulty], val: count.val, test: count.test };
}
