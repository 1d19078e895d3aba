/** `folder`: image files in train/val/test folders and a metadata.csv that Waterbirds-style loaders read. */

import { createWriteStream, mkdirSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Dataset } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import { ImageFiles } from "../sources/image-folder.ts";
import { Column } from "./columns.ts";
import { attributeFields, croissantField, imageFiles, records } from "./croissant-fields.ts";
import { csvLine, readCsv } from "./csv.ts";
import { type Format, imageName, type SplitRange, type WritePlan } from "./format.ts";

const tableName = "metadata.csv";

export const folder: Format = {
  name: "folder",
  description: "image files and a metadata.csv, for Waterbirds-style loaders and Hugging Face imagefolder",
  encodings: ["png", "jpeg", "keep"],
  filePerImage: true,
  async createWriter(root, plan) {
    for (const { name, count } of plan.ranges) if (count > 0) mkdirSync(join(root, name));
    // A byte an image: texts that come out of a worker are each a string of their own.
    const known: string[] = [];
    const codes = new Uint8Array(plan.dataset.images.count);
    return {
      // Workers have written the images themselves.
      write: async ({ start, extensions }) => {
        extensions.forEach((extension, i) => {
          if (!known.includes(extension)) known.push(extension);
          codes[start + i] = known.indexOf(extension);
        });
      },
      finish: () => writeTables(root, plan, (index) => known[codes[index]!]!),
      abort: async () => {},
    };
  },
  async open(root, manifest) {
    const { paths, columns } = await readTable(join(root, tableName));
    const images = new ImageFiles(root, paths, manifest?.image);
    return { images, columns, labelColumn: "y", table: join(root, tableName) };
  },
  dataFiles: (split) => `${split}/**`,
  loading: () => `Hugging Face:

\`\`\`python
from datasets import load_dataset
dataset = load_dataset("path/to/this/folder")          # splits from the header of this card
train = load_dataset("imagefolder", data_dir="path/to/this/folder/train", split="train")
\`\`\`

Loaders in the style of Waterbirds (WILDS, group DRO) read \`metadata.csv\`: \`img_filename\`, \`y\`, \`split\`
(0 train, 1 val, 2 test) and one column of whole numbers an attribute, named in \`dataset.json\`.`,
  croissant(manifest, files) {
    const table = files.find(({ path }) => path === tableName)!;
    const { extensions, encodingFormat } = imageFiles(manifest.encoding);
    const pathField = manifest.attributes.some(({ name }) => name === "path") ? "full_path" : "path";
    const filled = Object.keys(manifest.splits).filter((split) => manifest.splits[split]! > 0);
    return {
      distribution: [
        {
          "@type": "cr:FileObject",
          "@id": tableName,
          name: tableName,
          contentUrl: tableName,
          contentSize: `${table.bytes} B`,
          encodingFormat: "text/csv",
          sha256: table.sha256,
        },
        {
          "@type": "cr:FileSet",
          "@id": "images",
          name: "images",
          encodingFormat,
          includes: filled.flatMap((split) => extensions.map((extension) => `${split}/*.${extension}`)),
        },
      ],
      recordSet: records(
        [
          croissantField("file_name", "path of the image", "sc:Text", {
            fileObject: { "@id": tableName },
            extract: { column: "file_name" },
          }),
          {
            // Joins each file to its row.
            ...croissantField(pathField, "path of the image among the files", "sc:Text", {
              fileSet: { "@id": "images" },
              extract: { fileProperty: "fullpath" },
            }),
            references: { "@id": "records/file_name" },
          },
          croissantField("image", "the image", "sc:ImageObject", {
            fileSet: { "@id": "images" },
            extract: { fileProperty: "content" },
          }),
          ...attributeFields(
            manifest,
            (column) => ({ fileObject: { "@id": tableName }, extract: { column } }),
            { label: "y", split: "split" },
          ),
        ],
        "records/file_name",
      ),
    };
  },
};

/** The whole table at the root; and a part in each split's folder, where Hugging Face looks for it. */
async function writeTables(
  root: string,
  plan: WritePlan,
  extensionOf: (index: number) => string,
): Promise<string[]> {
  const pathOf = (index: number) => `${imageName(plan.ranges, index)}.${extensionOf(index)}`;
  const all: SplitRange = { name: "", start: 0, count: plan.dataset.images.count };
  const written = [tableName];
  await writeTable(join(root, tableName), plan.dataset, all, pathOf);
  for (const range of plan.ranges) {
    if (range.count === 0) continue;
    const part = `${range.name}/${tableName}`;
    await writeTable(join(root, part), plan.dataset, range, pathOf);
    written.push(part);
  }
  return written;
}

/** `file_name` is relative to the table, `img_filename` to the dataset's folder. */
async function writeTable(
  path: string,
  { labels, splits, attributes }: Dataset,
  { name: split, start, count }: SplitRange,
  pathOf: (index: number) => string,
): Promise<void> {
  const columns = Object.values(attributes).map(({ values }) => values);
  const above = split === "" ? 0 : split.length + 1;
  const lines = function* () {
    yield csvLine(["img_filename", "y", "split", ...Object.keys(attributes), "file_name"]);
    let block = "";
    for (let i = start; i < start + count; i++) {
      const image = pathOf(i);
      const cells = columns.map((values) => values[i]!);
      block += csvLine([image, labels[i]!, splits.values[i]!, ...cells, image.slice(above)]);
      if (block.length > 65_536) {
        yield block;
        block = "";
      }
    }
    yield block;
  };
  await pipeline(Readable.from(lines()), createWriteStream(path));
}

/** Reads the table of a dataset of ours; people's own tables go through `user-folder.ts`. */
async function readTable(path: string): Promise<{ paths: string[]; columns: Map<string, Column> }> {
  const paths: string[] = [];
  const columns = new Map<string, Column>();
  let order: (Column | undefined)[] = [];
  let pathAt = -1;
  const header = (names: string[]) => {
    pathAt = names.indexOf("img_filename");
    if (pathAt < 0) {
      throw new CuelabError({
        kind: "input",
        what: 'the table has no column "img_filename"',
        where: path,
        got: `columns ${names.join(", ")}`,
      });
    }
    order = names.map((name) =>
      name === "img_filename" || name === "file_name" ? undefined : new Column(name),
    );
    for (const column of order) if (column) columns.set(column.name, column);
  };
  for await (const row of readCsv(path, header)) {
    paths.push(row[pathAt]!);
    for (let i = 0; i < row.length; i++) order[i]?.push(row[i]!);
  }
  return { paths, columns };
}
