/** `npz`: one NumPy archive with the images as bytes, the labels, the splits and each attribute. */

import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ZipFile } from "yazl";
import { CuelabError } from "../core/errors.ts";
import { sourceColumn } from "../core/own-columns.ts";
import { numberedUnseen } from "../core/shown-text.ts";
import { npyFile, npyHeader, npyTexts } from "../tables/npy.ts";
import { attributeFields, columnOf, croissantField, fileObjects, records } from "./croissant-fields.ts";
import type { Format, ImageChunk, WritePlan } from "./format.ts";
import { recordsName, writeRows } from "./metadata-table.ts";
import { openNpz } from "./npz-reader.ts";

const archiveName = "dataset.npz";

export const npz: Format = {
  name: "npz",
  description:
    "one NumPy archive: images as uint8 (count, height, width, channels), labels, split, attributes",
  encodings: ["raw"],
  createWriter: async (root, plan) => new NpzWriter(root, plan),
  open: (path, manifest) => openNpz(manifest ? join(path, archiveName) : path, manifest),
  loading: ({ attributes }) => `\`\`\`python
import numpy as np
data = np.load("${archiveName}")
images, labels, split = data["images"], data["labels"], data["split"]   # split: 0 train, 1 val, 2 test
${attributes.map(({ name }) => `data[${numberedUnseen(JSON.stringify(name))}]`).join("\n")}
\`\`\``,
  croissant: (manifest, [archive, table]) => ({
    distribution: [
      ...fileObjects([archive!], "application/zip"),
      ...fileObjects(table ? [table] : [], "text/csv"),
      ...["images", "labels", "split", ...manifest.attributes.map(({ name }) => name)].map((name) => ({
        "@type": "cr:FileObject",
        "@id": `${name}.npy`,
        name: `${name}.npy`,
        contentUrl: `${name}.npy`,
        containedIn: { "@id": archiveName },
        encodingFormat: "application/x-npy",
      })),
    ],
    // Croissant has no way to read rows of NumPy's arrays: the table says which row is whose.
    recordSet: records([
      croissantField(
        "images",
        "row of the array images, from 0",
        "sc:Integer",
        columnOf(recordsName())("images"),
      ),
      ...attributeFields(manifest, columnOf(recordsName()), { label: "y", split: "split" }),
    ]),
  }),
};

class NpzWriter {
  readonly #root: string;
  readonly #plan: WritePlan;
  readonly #zip = new ZipFile();
  readonly #images = new PassThrough({ highWaterMark: 2 ** 20 });
  readonly #written: Promise<void>;
  #failure: unknown;

  constructor(root: string, plan: WritePlan) {
    this.#root = root;
    this.#plan = plan;
    const { images } = plan.dataset;
    const { shape } = images;
    if (shape === null) {
      throw new CuelabError({
        kind: "input",
        what: "an npz needs images of one size, and these differ",
        todo: "choose --format folder, parquet or webdataset, or resize the images first",
      });
    }
    const header = npyHeader("|u1", [images.count, shape.height, shape.width, shape.channels]);
    const size = header.length + images.count * shape.height * shape.width * shape.channels;
    this.#zip.addReadStream(this.#images, "images.npy", { ...entryOptions, size });
    this.#images.write(header);
    const file = createWriteStream(join(root, archiveName), { highWaterMark: 2 ** 20 });
    this.#written = pipeline(this.#zip.outputStream, file);
    this.#written.catch((cause: unknown) => {
      this.#failure = cause;
      this.#images.destroy();
    });
  }

  async write({ bytes }: ImageChunk): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#images.write(bytes)) return;
    // The file may fail while we wait for it to take more.
    await Promise.race([once(this.#images, "drain"), this.#written]);
  }

  async finish(): Promise<string[]> {
    this.#images.end();
    const { images, labels, splits, attributes } = this.#plan.dataset;
    this.#zip.addBuffer(npyFile(labels, "<i8"), "labels.npy", entryOptions);
    this.#zip.addBuffer(npyFile(splits.values, "|u1"), "split.npy", entryOptions);
    for (const [name, { values }] of Object.entries(attributes)) {
      this.#zip.addBuffer(npyFile(values, "<u2"), `${name}.npy`, entryOptions);
    }
    if (images.source) {
      const sources = Array.from({ length: images.count }, (_, i) => images.source!(i));
      this.#zip.addBuffer(npyTexts(sources), `${sourceColumn}.npy`, entryOptions);
    }
    this.#zip.end();
    await this.#written;
    const all = { start: 0, count: images.count };
    await writeRows(join(this.#root, recordsName()), this.#plan.dataset, all, {
      name: "images",
      of: (index) => index,
    });
    return [archiveName, recordsName()];
  }

  async abort(): Promise<void> {
    this.#images.destroy();
    (this.#zip.outputStream as PassThrough).destroy();
    await this.#written.catch(() => {});
  }
}

/** Uncompressed as `np.savez` writes, and without the time of day, so that equal data give equal bytes. */
const entryOptions = {
  compress: false,
  mtime: new Date(1980, 0, 1),
  mode: 0o100644,
  forceDosTimestamp: true,
};
