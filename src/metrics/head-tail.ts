/** Frequent and rare answers of each local group, as GQA-OOD tells them apart. */

import {
  addTally,
  type CountedCell,
  cellsOf,
  emptyTally,
  type PredictionCounts,
  type Tally,
} from "./counts.ts";

export interface HeadTail {
  beta: number;
  head: Tally;
  tail: Tally;
}

/**
 * An answer is in the tail of its local group where |aᵢ| ≤ (1 + β)·μ(a): Appendix A.1 of Shrestha et al. 2022, with
 * |aᵢ| and the mean μ counted over the evaluated images, as GQA-OOD does. Its published files used < instead of ≤.
 */
export function headTailOf(counts: PredictionCounts, localGroup: string, beta: number): HeadTail {
  const halves: HeadTail = { beta, head: emptyTally(), tail: emptyTally() };
  for (const answers of answersByGroup(cellsOf(counts, [localGroup]))) {
    let images = 0;
    for (const { count } of answers.values()) images += count;
    // A count that equals the limit is in the tail, however 1 + β rounds.
    const limit = (((1 + beta) * images) / answers.size) * (1 + 1e-12);
    for (const answer of answers.values())
      addTally(answer.count <= limit ? halves.tail : halves.head, answer);
  }
  return halves;
}

/** How often each answer of each local group is right; cells that only training occupies are no answers. */
function answersByGroup(cells: readonly CountedCell[]): Iterable<Map<number, Tally>> {
  const groups = new Map<number, Map<number, Tally>>();
  for (const cell of cells) {
    if (cell.count === 0) continue;
    const answers = groups.get(cell.values[0]!) ?? new Map<number, Tally>();
    groups.set(cell.values[0]!, answers);
    const answer = answers.get(cell.label) ?? emptyTally();
    answers.set(cell.label, answer);
    addTally(answer, cell);
  }
  return groups.values();
}
