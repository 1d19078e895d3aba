/** The twelve groups of Hard-Spurious-ImageNet as one network answered them, and the means that the paper makes of them. */

import { placedCells } from "../../published/corner-cases.ts";
import type { NetworkAnswer } from "../jobs/predictions-job.ts";
import { type CountedShare, type Estimate, meanShare } from "../pretrained/networks.ts";

export type PlacedCell = (typeof placedCells)[number];

/** Sizes from the smallest on. */
export type PlacedShares = Readonly<Record<PlacedCell, readonly CountedShare[]>>;

/** For plans: what both studies of these groups ask of them. */
export const groupEstimands = [
  {
    name: "group accuracy",
    words: "of each of the twelve groups of place, background and size; classes have equally many images",
  },
  {
    name: "easy, medium, hard",
    words: "the means of the four groups that section 5 of the paper puts together",
  },
] as const;

/** Undefined where a group is missing. */
export function placedShares({ groups }: Pick<NetworkAnswer, "groups">): PlacedShares | undefined {
  const found = groups.flatMap(({ values, ...share }) => {
    const [, cell, size] = /^(Ce[OR]|Co[OR])-(\d+)$/.exec(values.group ?? "") ?? [];
    return cell === undefined ? [] : [{ cell, size: Number(size), share }];
  });
  const sizes = [...new Set(found.map(({ size }) => size))].sort((a, b) => a - b);
  const shares = Object.fromEntries(
    placedCells.map((cell) => [
      cell,
      sizes.flatMap((size) => found.find((each) => each.cell === cell && each.size === size)?.share ?? []),
    ]),
  ) as unknown as PlacedShares;
  const whole = sizes.length === 3 && placedCells.every((cell) => shares[cell].length === 3);
  return whole ? shares : undefined;
}

/** Some of the twelve, each of which counts the same. */
export function meanOf(
  { groups }: Pick<NetworkAnswer, "groups">,
  isIn: (cell: PlacedCell, rank: number) => boolean,
): Estimate | undefined {
  const shares = placedShares({ groups });
  if (shares === undefined) return undefined;
  return meanShare(placedCells.flatMap((cell) => shares[cell].filter((_, rank) => isIn(cell, rank))));
}

const isOriginal = (cell: PlacedCell) => cell.endsWith("O");

/** Section 5: which of the twelve are easy, medium and hard. */
export const categories = {
  easy: (cell: PlacedCell, rank: number) => isOriginal(cell) && rank > 0,
  medium: (cell: PlacedCell, rank: number) => isOriginal(cell) === (rank === 0) && (rank === 0 || rank === 2),
  hard: (cell: PlacedCell, rank: number) => !isOriginal(cell) && rank < 2,
};

export const all = () => true;
export const parts = {
  original: isOriginal,
  random: (cell: PlacedCell) => !isOriginal(cell),
  centre: (cell: PlacedCell) => cell.startsWith("Ce"),
  corner: (cell: PlacedCell) => cell.startsWith("Co"),
  smallest: (_: PlacedCell, rank: number) => rank === 0,
  largest: (_: PlacedCell, rank: number) => rank === 2,
};
