/** `webdataset`: tar shards in which the files of one base name are one sample: image, class and attributes. */

import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { type Pack, pack } from "tar-stream";
import { sourceColumn } from "../core/own-columns.ts";
import {
  attributeFields,
  columnOf,
  croissantField,
  fileObjects,
  freeName,
  imageFiles,
  joinedFiles,
  recordsOf,
} from "./croissant-fields.ts";
import {
  type Format,
  type ImageChunk,
  imageBytes,
  imageName,
  positionName,
  rangeAt,
  type WritePlan,
} from "./format.ts";
import type { WrittenFile } from "./manifest.ts";
import { Extensions, recordsName, writeTable } from "./metadata-table.ts";
import { openWebdataset } from "./webdataset-reader.ts";

/** A shard ends at whichever comes first, as is usual for the format. */
const shardImages = 10_000;
const shardBytes = 400 * 2 ** 20;

export const webdataset: Format = {
  name: "webdataset",
  description: "tar shards, one sample = files with one base name, for webdataset and Hugging Face streaming",
  encodings: ["png", "jpeg", "keep"],
  createWriter: async (root, plan) => new TarShards(root, plan),
  open: openWebdataset,
  dataFiles: (split) => `${split}-??????.tar`,
  loading: () => `\`\`\`python
import webdataset as wds
train = wds.WebDataset("path/to/this/folder/train-{000000..000000}.tar").decode("pil").to_tuple("png;jpg", "cls", "json")
\`\`\`

Each sample is an image, its class as a number (\`.cls\`) and its attributes as numbers (\`.json\`).
Hugging Face reads it with \`load_dataset("path/to/this/folder")\`.`,
  croissant(manifest, files) {
    const { extensions, encodingFormat } = imageFiles(manifest.encoding);
    const filled = Object.keys(manifest.splits).filter((split) => manifest.splits[split]! > 0);
    const isTable = ({ path }: WrittenFile) => path.endsWith(".csv");
    const shardsOf = (split: string) =>
      files.filter((file) => !isTable(file) && file.path.startsWith(`${split}-`));
    return {
      distribution: [
        ...fileObjects(
          files.filter((file) => !isTable(file)),
          "application/x-tar",
        ),
        ...fileObjects(files.filter(isTable), "text/csv"),
        ...filled.map((split) => ({
          "@type": "cr:FileSet",
          "@id": `images-${split}`,
          name: `images-${split}`,
          containedIn: shardsOf(split).map(({ path }) => ({ "@id": path })),
          encodingFormat,
          includes: extensions.map((extension) => `*.${extension}`),
        })),
      ],
      // Names of files are unique in a split only, and readers of Croissant do not look into JSON files of archives.
      recordSet: filled.map((split) =>
        recordsOf(split, [
          joinedFiles(freeName("path", manifest), `images-${split}`, recordsName(split)),
          croissantField("image", "the image", "sc:ImageObject", {
            fileSet: { "@id": `images-${split}` },
            extract: { fileProperty: "content" },
          }),
          ...attributeFields(manifest, columnOf(recordsName(split)), { label: "y", split: "split" }),
        ]),
      ),
    };
  },
};

class TarShards {
  readonly #root: string;
  readonly #plan: WritePlan;
  readonly #files: string[] = [];
  readonly #extensions: Extensions;
  #tar: { pack: Pack; written: Promise<void>; images: number; bytes: number; split: string } | undefined;
  #next = 0;
  #shardInSplit = 0;

  constructor(root: string, plan: WritePlan) {
    this.#root = root;
    this.#plan = plan;
    this.#extensions = new Extensions(plan.dataset.images.count);
  }

  async write(chunk: ImageChunk): Promise<void> {
    this.#extensions.add(chunk);
    const { images, labels, attributes } = this.#plan.dataset;
    for (let i = 0; i < chunk.count; i++) {
      const index = this.#next++;
      const range = rangeAt(this.#plan.ranges, index);
      const tar = await this.#shardFor(range.name);
      const key = positionName(range, index);
      const image = imageBytes(chunk, i);
      const values = Object.entries(attributes).map(([name, { values }]) => [name, values[index]!] as const);
      const source = images.source && { [sourceColumn]: images.source(index) };
      const record = { ...Object.fromEntries(values), label: labels[index], ...source };
      try {
        await addEntry(tar.pack, `${key}.${chunk.extensions[i]}`, image);
        await addEntry(tar.pack, `${key}.cls`, Buffer.from(String(labels[index])));
        await addEntry(tar.pack, `${key}.json`, Buffer.from(JSON.stringify(record)));
      } catch (cause) {
        // What befell the file comes first; that the archive takes no more is only what follows from it.
        tar.pack.destroy(cause as Error);
        await tar.written;
        throw cause;
      }
      tar.images++;
      tar.bytes += image.length;
    }
  }

  async finish(): Promise<string[]> {
    await this.#close();
    const { dataset, ranges } = this.#plan;
    for (const range of ranges.filter(({ count }) => count > 0)) {
      const path = recordsName(range.name);
      await writeTable(
        join(this.#root, path),
        dataset,
        range,
        (index) => `${imageName(ranges, index)}.${this.#extensions.of(index)}`,
      );
      this.#files.push(path);
    }
    return this.#files;
  }

  async abort(): Promise<void> {
    this.#tar?.pack.destroy();
    await this.#tar?.written.catch(() => {});
  }

  async #shardFor(split: string) {
    const tar = this.#tar;
    if (tar && tar.split === split && tar.images < shardImages && tar.bytes < shardBytes) return tar;
    await this.#close();
    this.#shardInSplit = tar?.split === split ? this.#shardInSplit + 1 : 0;
    const path = `${split}-${String(this.#shardInSplit).padStart(6, "0")}.tar`;
    this.#files.push(path);
    const stream = pack();
    const written = pipeline(stream, createWriteStream(join(this.#root, path), { highWaterMark: 2 ** 20 }));
    // A failure shows when the next entry is added or the shard is closed.
    written.catch(() => {});
    this.#tar = { pack: stream, written, images: 0, bytes: 0, split };
    return this.#tar;
  }

  async #close(): Promise<void> {
    this.#tar?.pack.finalize();
    await this.#tar?.written;
    this.#tar = undefined;
  }
}

/** Waits where the disk is slower than we are. */
async function addEntry(tar: Pack, name: string, bytes: Uint8Array): Promise<void> {
  const header = { name, size: bytes.length, mtime: new Date(0), mode: 0o644 };
  await new Promise<void>((done, fail) => {
    const entry = tar.entry(header, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), (cause) => {
      if (cause) fail(cause);
      else done();
    });
    // The entry in flight when the disk fails says so on its own.
    entry.on("error", fail);
  });
}
