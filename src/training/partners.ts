/** Draws a second image of a part for an image: any, or one of another class, all that qualify equally likely. */

import type { Random } from "../core/random.ts";
import type { PartnerKind } from "../views/view.ts";

export class Partners {
  readonly #part: Uint32Array;
  readonly #labels: ArrayLike<number>;
  /** The part ordered by class, and where each class begins; made when it is first needed. */
  #byClass: { order: Uint32Array; starts: Map<number, { start: number; end: number }> } | undefined;

  constructor(part: Uint32Array, labels: ArrayLike<number>) {
    this.#part = part;
    this.#labels = labels;
  }

  draw(kind: PartnerKind, label: number, random: Random): number {
    if (kind === "any") return this.#part[random.integer(this.#part.length)]!;
    const { order, starts } = this.#ordered();
    const { start, end } = starts.get(label) ?? { start: 0, end: 0 };
    const drawn = random.integer(order.length - (end - start));
    return order[drawn < start ? drawn : drawn + (end - start)]!;
  }

  #ordered() {
    if (this.#byClass) return this.#byClass;
    const labelAt = (place: number) => this.#labels[this.#part[place]!]!;
    const places = Uint32Array.from(this.#part, (_, place) => place);
    places.sort((a, b) => labelAt(a) - labelAt(b) || a - b);
    const starts = new Map<number, { start: number; end: number }>();
    for (const [at, place] of places.entries()) {
      const label = labelAt(place);
      starts.set(label, { start: starts.get(label)?.start ?? at, end: at + 1 });
    }
    this.#byClass = { order: places.map((place) => this.#part[place]!), starts };
    return this.#byClass;
  }
}
