/** Fills a batch with images, changed and mixed as asked, from the seed, the step and the place in the batch alone. */

import type { Dataset, ImageShape } from "../core/dataset.ts";
import { type Random, randomStream } from "../core/random.ts";
import { type AugmentationName, augmentImage, mixings } from "./augmentations.ts";

/** Where a batch goes: views of memory that two threads share. */
export interface BatchBuffers {
  /** [batch, height, width, channels] */
  images: Uint8Array;
  /** Whose label the rest of the loss goes to: a place in the batch. */
  partners: Int32Array;
  /** How much of an image's loss is its own. */
  shares: Float32Array;
}

export interface BatchRequest {
  indices: Uint32Array;
  /** Number of the training step; undefined means images as they are. */
  step?: number;
}

/** Keep decoded images up to this many bytes, so that later epochs find them ready. */
const cacheBytes = 2 * 2 ** 30;

export class BatchMaker {
  readonly #images: Dataset["images"];
  readonly #shape: ImageShape;
  readonly #augment: readonly AugmentationName[];
  readonly #seed: number;
  readonly #cache: Map<number, Uint8Array> | undefined;

  constructor({ images }: Pick<Dataset, "images">, augment: readonly AugmentationName[], seed: number) {
    this.#images = images;
    this.#shape = images.shape!;
    this.#augment = augment;
    this.#seed = seed;
    // Generated images are as quickly made as copied, unless they say otherwise.
    const { height, width, channels } = this.#shape;
    this.#cache =
      images.costly && images.count * height * width * channels <= cacheBytes ? new Map() : undefined;
  }

  async fill({ indices, step }: BatchRequest, { images, partners, shares }: BatchBuffers): Promise<void> {
    const { height, width, channels } = this.#shape;
    const size = height * width * channels;
    for (let i = 0; i < indices.length; i++) {
      images.set(await this.#pixels(indices[i]!), i * size);
      partners[i] = i;
      shares[i] = 1;
    }
    if (step === undefined || this.#augment.length === 0) return;
    const stream = randomStream(this.#seed, "augment");
    for (let i = 0; i < indices.length; i++) {
      const image = images.subarray(i * size, (i + 1) * size);
      augmentImage(image, this.#shape, this.#augment, stream.at(step * indices.length + i));
    }
    const random = randomStream(this.#seed, "mix").at(step);
    if (this.#augment.includes("mixup")) mixup(images, size, partners, shares, random);
    if (this.#augment.includes("cutmix")) cutmix(images, this.#shape, partners, shares, random);
  }

  async #pixels(index: number): Promise<Uint8Array> {
    const known = this.#cache?.get(index);
    if (known) return known;
    const { data } = await this.#images.pixels(index);
    this.#cache?.set(index, data);
    return data;
  }
}

/** Zhang et al. 2018: one λ a batch, and a shuffled copy of the batch as partners. */
function mixup(
  images: Uint8Array,
  size: number,
  partners: Int32Array,
  shares: Float32Array,
  random: Random,
): void {
  const own = random.beta(mixings.mixup, mixings.mixup);
  const source = Uint8Array.from(images);
  random.permutation(partners.length).forEach((partner, i) => {
    partners[i] = partner;
    shares[i] = own;
    for (let p = 0; p < size; p++) {
      images[i * size + p] = Math.round(
        own * source[i * size + p]! + (1 - own) * source[partner * size + p]!,
      );
    }
  });
}

/** Yun et al. 2019: a rectangle of the partner; λ is the share of the area that is left. */
function cutmix(
  images: Uint8Array,
  shape: ImageShape,
  partners: Int32Array,
  shares: Float32Array,
  random: Random,
): void {
  const { height, width, channels } = shape;
  const size = height * width * channels;
  const side = Math.sqrt(1 - random.beta(mixings.cutmix, mixings.cutmix));
  const [tall, wide] = [Math.round(height * side), Math.round(width * side)];
  const [middleY, middleX] = [random.integer(height), random.integer(width)];
  const top = Math.max(0, middleY - (tall >> 1));
  const left = Math.max(0, middleX - (wide >> 1));
  const bottom = Math.min(height, middleY + (tall >> 1));
  const right = Math.min(width, middleX + (wide >> 1));
  const own = 1 - ((bottom - top) * (right - left)) / (height * width);
  const source = Uint8Array.from(images);
  random.permutation(partners.length).forEach((partner, i) => {
    partners[i] = partner;
    shares[i] = own;
    for (let y = top; y < bottom; y++) {
      const from = (y * width + left) * channels;
      const length = (right - left) * channels;
      images.set(source.subarray(partner * size + from, partner * size + from + length), i * size + from);
    }
  });
}
