/** Finds the name that somebody probably meant. */

/** The closest candidate, or undefined when nothing is close enough to be a typing mistake. Whatever goes on from the word comes first. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  const known = [...candidates];
  let best = known.find((candidate) => candidate.toLowerCase().startsWith(`${word.toLowerCase()}.`));
  if (best !== undefined) return best;
  let bestDistance = Math.max(2, Math.ceil(word.length / 3)) + 1;
  for (const candidate of known) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** What to try instead of a name that is not among those known; `otherwise` where none of them is close. */
export function didYouMean(name: string, known: Iterable<string>, otherwise?: undefined): { todo?: string };
export function didYouMean(name: string, known: Iterable<string>, otherwise: string): { todo: string };
export function didYouMean(name: string, known: Iterable<string>, otherwise?: string): { todo?: string } {
  const close = nearest(name, known);
  const todo = close === undefined ? otherwise : `did you mean "${close}"?`;
  return todo === undefined ? {} : { todo };
}

/** Insertions, deletions, substitutions and swaps of neighbours (optimal string alignment). */
export function editDistance(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      let cost = Math.min(previous[j]! + 1, current[j - 1]! + 1, substitution);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) cost = Math.min(cost, beforePrevious[j - 2]! + 1);
      current.push(cost);
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[b.length]!;
}
