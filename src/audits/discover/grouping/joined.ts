/** Images that are joined pair by pair into groups. */

export class Joined {
  readonly #above: Uint32Array;

  constructor(count: number) {
    this.#above = Uint32Array.from({ length: count }, (_, i) => i);
  }

  join(a: number, b: number): void {
    const [one, other] = [this.groupOf(a), this.groupOf(b)];
    // The lowest index names the group, whatever the order of pairs.
    if (one < other) this.#above[other] = one;
    else this.#above[one] = other;
  }

  /** The lowest index of the group. */
  groupOf(index: number): number {
    let top = index;
    while (this.#above[top] !== top) top = this.#above[top]!;
    for (let at = index; at !== top; ) {
      const next = this.#above[at]!;
      this.#above[at] = top;
      at = next;
    }
    return top;
  }

  codes(): Uint32Array {
    return this.#above.map((_, index) => this.groupOf(index));
  }
}

/** Images of each code that at least two of them share; of those without a code, none. */
export function groupsOfCodes(codes: ArrayLike<number>): number[][] {
  const groups = new Map<number, number[]>();
  for (let index = 0; index < codes.length; index++) {
    const code = codes[index]!;
    if (code < 0) continue;
    const known = groups.get(code);
    if (known) known.push(index);
    else groups.set(code, [index]);
  }
  return [...groups.values()].filter((group) => group.length > 1);
}
