/** `parquet`: shards with the image as a struct of bytes and path, as Hugging Face `datasets` and DuckDB read them. */

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { sourceColumn } from "../core/own-columns.ts";
import { attributeFields, croissantField, fileObjects, records } from "./croissant-fields.ts";
import { type Format, imageBytes, positionName, rangeAt, type SplitRange, type WritePlan } from "./format.ts";
import { openParquetDataset } from "./parquet-reader.ts";

/** A shard holds about this much, as Hugging Face's own do. */
const shardBytes = 400 * 2 ** 20;
/** Row groups of about this size keep memory low and single images cheap to reach. */
const groupBytes = 4 * 2 ** 20;

export const parquet: Format = {
  name: "parquet",
  description: "Parquet shards with images inside, for Hugging Face datasets and DuckDB",
  encodings: ["png", "jpeg", "keep"],
  createWriter: async (root, plan) => {
    mkdirSync(join(root, "data"));
    return new ParquetShards(root, plan);
  },
  open: openParquetDataset,
  dataFiles: (split) => `data/${split}-?????-of-?????.parquet`,
  loading: () => `Hugging Face, with class and value names attached:

\`\`\`python
from datasets import load_dataset
dataset = load_dataset("path/to/this/folder")
\`\`\`

DuckDB:

\`\`\`sql
SELECT label, count(*) FROM 'path/to/this/folder/data/train-*.parquet' GROUP BY ALL;
\`\`\``,
  croissant: (manifest, files) => ({
    distribution: [
      ...fileObjects(files, "application/x-parquet"),
      {
        "@type": "cr:FileSet",
        "@id": "shards",
        name: "shards",
        encodingFormat: "application/x-parquet",
        includes: "data/*.parquet",
      },
    ],
    recordSet: records([
      croissantField("image", "the image", "sc:ImageObject", {
        fileSet: { "@id": "shards" },
        extract: { column: "image" },
        transform: { jsonPath: "bytes" },
      }),
      ...attributeFields(manifest, (column) => ({ fileSet: { "@id": "shards" }, extract: { column } }), {
        label: "label",
      }),
      croissantField("split", "split, which the shard's name says", "sc:Text", {
        fileSet: { "@id": "shards" },
        extract: { fileProperty: "fullpath" },
        transform: { regex: "data/(.+)-[0-9]+-of-[0-9]+" },
      }),
    ]),
  }),
};

type ParquetModule = typeof import("hyparquet-writer");
type WrittenRows = { bytes: Uint8Array; path: string }[];

class ParquetShards {
  readonly #root: string;
  readonly #plan: WritePlan;
  readonly #rowsPerShard: number;
  readonly #rowsPerGroup: number;
  readonly #files: string[] = [];
  #writer: InstanceType<ParquetModule["ParquetWriter"]> | undefined;
  #rows: WrittenRows = [];
  #next = 0;

  constructor(root: string, plan: WritePlan) {
    this.#root = root;
    this.#plan = plan;
    const { shape } = plan.dataset.images;
    const bytes = shape === null ? 2 ** 17 : shape.height * shape.width * shape.channels;
    this.#rowsPerShard = Math.max(1000, Math.floor(shardBytes / bytes));
    this.#rowsPerGroup = Math.max(64, Math.min(1000, Math.floor(groupBytes / bytes)));
  }

  async write(chunk: Parameters<typeof imageBytes>[0]): Promise<void> {
    for (let i = 0; i < chunk.count; i++) {
      const index = this.#next;
      const range = rangeAt(this.#plan.ranges, index);
      const position = index - range.start;
      if (position % this.#rowsPerShard === 0) await this.#openShard(range, position / this.#rowsPerShard);
      this.#rows.push({
        bytes: imageBytes(chunk, i),
        path: `${range.name}-${positionName(range, index)}.${chunk.extensions[i]}`,
      });
      this.#next++;
      const last = position === range.count - 1 || (position + 1) % this.#rowsPerShard === 0;
      if (last || this.#rows.length === this.#rowsPerGroup) await this.#flush();
      if (last) await this.#closeShard();
    }
  }

  async finish(): Promise<string[]> {
    return this.#files;
  }

  /** Nothing is held open: the library appends to its file by name. */
  async abort(): Promise<void> {}

  async #openShard({ name, count }: SplitRange, shard: number): Promise<void> {
    const { ParquetWriter, fileWriter } = await import("hyparquet-writer");
    const pad = (n: number) => String(n).padStart(5, "0");
    const path = `data/${name}-${pad(shard)}-of-${pad(Math.ceil(count / this.#rowsPerShard))}.parquet`;
    this.#files.push(path);
    this.#writer = new ParquetWriter({
      writer: fileWriter(join(this.#root, path)),
      schema: this.#schema(),
      // Images are compressed already; a second time costs time and gains nothing.
      codec: "UNCOMPRESSED",
      kvMetadata: [{ key: "huggingface", value: JSON.stringify(this.#huggingFaceFeatures()) }],
    });
  }

  async #flush(): Promise<void> {
    const start = this.#next - this.#rows.length;
    const { images, labels, attributes } = this.#plan.dataset;
    const sources = images.source && {
      name: sourceColumn,
      data: Array.from({ length: this.#rows.length }, (_, i) => images.source!(start + i)),
    };
    const numbers = (values: Uint16Array) => BigInt64Array.from(values.subarray(start, this.#next), BigInt);
    await this.#writer!.write({
      columnData: [
        { name: "image", data: this.#rows },
        { name: "label", data: numbers(labels) },
        ...Object.entries(attributes).map(([name, { values }]) => ({ name, data: numbers(values) })),
        ...(sources ? [sources] : []),
      ],
      rowGroupSize: this.#rowsPerGroup,
    });
    this.#rows = [];
  }

  async #closeShard(): Promise<void> {
    await this.#writer!.finish();
    this.#writer = undefined;
  }

  #schema() {
    const names = ["label", ...Object.keys(this.#plan.dataset.attributes)];
    const text = { converted_type: "UTF8" as const, repetition_type: "REQUIRED" as const };
    const sources = this.#plan.dataset.images.source
      ? [{ name: sourceColumn, type: "BYTE_ARRAY" as const, ...text }]
      : [];
    const bytes = { type: "BYTE_ARRAY", repetition_type: "OPTIONAL" } as const;
    return [
      { name: "root", num_children: 1 + names.length + sources.length },
      { name: "image", num_children: 2, repetition_type: "OPTIONAL" as const },
      { name: "bytes", ...bytes },
      { name: "path", ...bytes, converted_type: "UTF8" as const },
      // Nothing is missing; but `datasets` takes its own words for a column only where that may lack values.
      ...names.map((name) => ({ name, type: "INT64" as const, repetition_type: "OPTIONAL" as const })),
      ...sources,
    ];
  }

  /** Makes `datasets` decode images and show names for whole numbers. */
  #huggingFaceFeatures(): object {
    const { classNames, attributes, images } = this.#plan.dataset;
    const sources = images.source && { [sourceColumn]: { dtype: "string", _type: "Value" } };
    const named = (names: readonly string[]) => ({ names, _type: "ClassLabel" });
    return {
      info: {
        features: {
          image: { _type: "Image" },
          label: named(classNames),
          ...Object.fromEntries(Object.entries(attributes).map(([name, a]) => [name, named(a.valueNames)])),
          ...sources,
        },
      },
    };
  }
}
