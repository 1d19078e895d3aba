/**
 * A dataset's identity: what its images show and what is said about them, whatever format they are stored in.
 *
 * The hash is SHA-256 over a header (class names, attribute names, value names and roles, split names), then for each
 * image in order the digest of its decoded pixels, its label, its split and its attribute values.
 */

import { createHash, type Hash } from "node:crypto";
import type { Dataset, Pixels } from "./dataset.ts";

export const digestLength = 32;

/** SHA-256 of an image's shape and pixels. */
export function pixelDigest({ data, height, width, channels }: Pixels): Uint8Array {
  const shape = Buffer.alloc(12);
  shape.writeUInt32LE(height, 0);
  shape.writeUInt32LE(width, 4);
  shape.writeUInt32LE(channels, 8);
  return createHash("sha256").update(shape).update(data).digest();
}

/** Takes the pixel digests in index order, in chunks of any size. */
export class ContentHasher {
  readonly #hash: Hash;
  readonly #dataset: Pick<Dataset, "labels" | "splits" | "attributes">;
  readonly #attributeNames: string[];
  #next = 0;

  constructor(dataset: Pick<Dataset, "classNames" | "labels" | "splits" | "attributes">) {
    this.#dataset = dataset;
    // Sorted, so that the order of a table's columns does not matter.
    this.#attributeNames = Object.keys(dataset.attributes).sort();
    const header = {
      classNames: dataset.classNames,
      splits: dataset.splits.names,
      attributes: this.#attributeNames.map((name) => {
        const { valueNames, role } = dataset.attributes[name]!;
        return { name, valueNames, role };
      }),
    };
    this.#hash = createHash("sha256").update(JSON.stringify(header));
  }

  /** `digests` holds the 32-byte digests of the next images, one after the other. */
  update(digests: Uint8Array): void {
    const { labels, splits, attributes } = this.#dataset;
    const columns = [labels, splits.values, ...this.#attributeNames.map((name) => attributes[name]!.values)];
    const record = Buffer.alloc(digestLength + 2 * columns.length);
    for (let offset = 0; offset < digests.length; offset += digestLength) {
      record.set(digests.subarray(offset, offset + digestLength));
      for (let column = 0; column < columns.length; column++) {
        record.writeUInt16LE(columns[column]![this.#next]!, digestLength + 2 * column);
      }
      this.#hash.update(record);
      this.#next++;
    }
  }

  digest(): string {
    return `sha256:${this.#hash.digest("hex")}`;
  }
}
