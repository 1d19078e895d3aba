/** Images and what goes with them, kept in memory where they fit, so that later epochs find them ready. */

import type { ImageShape, Pixels } from "../core/dataset.ts";
import type { Inputs } from "../images/recipe.ts";
import type { ViewNeed } from "../views/chain.ts";

/** Decoded pictures are kept up to this many bytes: images before sides, and all of a kind or none. */
const mostBytes = 2 * 2 ** 30;

type Kept = Map<number, Uint8Array>;

export class KeptPictures {
  readonly #inputs: Inputs;
  readonly #images: Kept | undefined;
  readonly #sides = new Map<string, Kept>();
  #left: number;

  constructor(inputs: Inputs, keeps: boolean) {
    this.#inputs = inputs;
    this.#left = keeps ? mostBytes : 0;
    this.#images = this.#room(inputs.images.shape!);
  }

  /** From now on these are asked for; what was kept before stays. */
  keepSides(needs: readonly ViewNeed[]): void {
    for (const { kind, name } of needs) {
      if (kind !== "side" || this.#sides.has(name)) continue;
      const room = this.#room(this.#inputs.sideImages![name]!.shape);
      if (room) this.#sides.set(name, room);
    }
  }

  /** To be copied, not changed. */
  async image(index: number): Promise<Pixels> {
    return kept(this.#images, index, () => this.#inputs.images.pixels(index), this.#inputs.images.shape!);
  }

  /** A copy, which may be changed. */
  async side(name: string, index: number): Promise<Pixels> {
    const side = this.#inputs.sideImages![name]!;
    const pixels = await kept(this.#sides.get(name), index, () => side.pixels(index), side.shape);
    return { ...pixels, data: Uint8Array.from(pixels.data) };
  }

  /** Generated pictures are as quickly made as copied, unless their images say otherwise. */
  #room({ height, width, channels }: ImageShape): Kept | undefined {
    const { costly, count } = this.#inputs.images;
    const bytes = count * height * width * channels;
    if (!costly || bytes > this.#left) return undefined;
    this.#left -= bytes;
    return new Map();
  }
}

async function kept(
  known: Kept | undefined,
  index: number,
  make: () => Pixels | Promise<Pixels>,
  { height, width, channels }: ImageShape,
): Promise<Pixels> {
  const found = known?.get(index);
  if (found) return { data: found, height, width, channels };
  const made = await make();
  known?.set(index, made.data);
  return made;
}
