/** `folder`: image files in train/val/test folders and a metadata.csv that Waterbirds-style loaders read. */

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import {
  attributeFields,
  columnOf,
  croissantField,
  freeName,
  imageFiles,
  joinedFiles,
  records,
} from "./croissant-fields.ts";
import { type Format, imageName, type SplitRange, type WritePlan } from "./format.ts";
import { Extensions, openOwnTable, tableName, writeTable } from "./metadata-table.ts";

export const folder: Format = {
  name: "folder",
  description: "image files and a metadata.csv, for Waterbirds-style loaders and Hugging Face imagefolder",
  encodings: ["png", "jpeg", "keep"],
  imagePaths:
    ({ ranges }) =>
    (index) =>
      imageName(ranges, index),
  async createWriter(root, plan) {
    for (const { name, count } of plan.ranges) if (count > 0) mkdirSync(join(root, name));
    const extensions = new Extensions(plan.dataset.images.count);
    return {
      // Workers have written the images themselves.
      write: async (chunk) => extensions.add(chunk),
      finish: () => writeTables(root, plan, (index) => extensions.of(index)),
      abort: async () => {},
    };
  },
  open: openOwnTable,
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
          croissantField("file_name", "path of the image", "sc:Text", columnOf(tableName)("file_name")),
          joinedFiles(freeName("path", manifest), "images", tableName),
          croissantField("image", "the image", "sc:ImageObject", {
            fileSet: { "@id": "images" },
            extract: { fileProperty: "content" },
          }),
          ...attributeFields(manifest, columnOf(tableName), { label: "y", split: "split" }),
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
