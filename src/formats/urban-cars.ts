/** `urban-cars`: the folders that the code of Li et al. 2023 reads, with their masks and backgrounds beside each image. */

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Dataset } from "../core/dataset.ts";
import { CuelabError } from "../core/errors.ts";
import { lookUp } from "../core/look-up.ts";
import {
  baseFolder,
  correlationFolder,
  groupFolder,
  openAuthorsFolders,
  partAttributes,
  worldNames,
} from "../layouts/urban-cars-layout.ts";
import { attributeFields, columnOf, croissantField, fileObjects, records } from "./croissant-fields.ts";
import { type Format, rangeAt, type WritePlan } from "./format.ts";
import { Extensions, openOwnTable, tableName, writeTable } from "./metadata-table.ts";

export const urbanCars: Format = {
  name: "urban-cars",
  description: "the folders that the code of Li et al. 2023 reads, for urban-cars only",
  encodings: ["jpeg", "keep"],
  accept: refuseOthers,
  imagePaths: pathsOf,
  sidePath: (imagePath, side) => `${imagePath}_${side}.png`,
  async createWriter(root, plan) {
    makeFolders(root, plan);
    const extensions = new Extensions(plan.dataset.images.count);
    const pathOf = pathsOf(plan);
    return {
      write: async (chunk) => {
        refuseOtherFiles(chunk.extensions);
        extensions.add(chunk);
      },
      finish: async () => {
        const all = { name: "", start: 0, count: plan.dataset.images.count };
        await writeTable(
          join(root, tableName),
          plan.dataset,
          all,
          (index) => `${pathOf(index)}.${extensions.of(index)}`,
        );
        return [tableName];
      },
      abort: async () => {},
    };
  },
  open: (root, manifest) => (manifest ? openOwnTable(root, manifest) : openAuthorsFolders(root)),
  loading: () => `The code of Li et al. 2023 loads it with this folder as its root:

\`\`\`python
from dataset.urbancars import UrbanCars          # of the authors' repository
train = UrbanCars("path/to/this/folder", "train")  # looks for ${baseFolder}/bg-0.95_co_occur_obj-0.95/train
\`\`\`

It looks for training images in the folder of correlations 0.95 and 0.95, and for others in that of 0.5 and 0.5: with other
correlations, change these two numbers in its class. Everybody else finds the paths, labels and attributes of all images in
\`${tableName}\`.`,
  croissant(manifest, files) {
    const source = columnOf(tableName);
    return {
      distribution: [
        ...fileObjects(files, "text/csv"),
        {
          "@type": "cr:FileSet",
          "@id": "images",
          name: "images",
          encodingFormat: "image/jpeg",
          includes: `${baseFolder}/**/*.jpg`,
        },
      ],
      recordSet: records(
        [
          croissantField("file_name", "path of the image", "sc:Text", source("file_name")),
          {
            ...croissantField("path", "path of the image among the files", "sc:Text", {
              fileSet: { "@id": "images" },
              extract: { fileProperty: "fullpath" },
            }),
            references: { "@id": "records/file_name" },
          },
          croissantField("image", "the image", "sc:ImageObject", {
            fileSet: { "@id": "images" },
            extract: { fileProperty: "content" },
          }),
          ...attributeFields(manifest, source, { label: "y", split: "split" }),
        ],
        "records/file_name",
      ),
    };
  },
};

/** The folders say which world each part is of, and nothing else. */
function refuseOthers({ classNames, attributes, name }: Dataset): void {
  const worlds = worldNames.join();
  const fits =
    classNames.join() === worlds &&
    partAttributes.every((part) => attributes[part]?.valueNames.join() === worlds);
  if (fits) return;
  throw new CuelabError({
    kind: "usage",
    what: `the format "urban-cars" cannot hold "${name}"`,
    expected: `classes ${worldNames.join(" and ")}, and attributes ${partAttributes.join(" and ")} with the same values`,
    todo: "choose another format",
  });
}

/** The authors' code looks for files that end in .jpg. */
function refuseOtherFiles(extensions: readonly string[]): void {
  const other = extensions.find((extension) => extension !== "jpg");
  if (other === undefined) return;
  throw new CuelabError({
    kind: "usage",
    what: `the format "urban-cars" has no place for .${other} files`,
    expected: "images stored as .jpg",
    todo: "pass --image jpeg",
  });
}

/** `urbancars/bg-0.95_co_occur_obj-0.95/train/obj-urban_bg-urban_co_occur_obj-urban/000`. */
function pathsOf(plan: WritePlan): (index: number) => string {
  const { labels, attributes, splits } = plan.dataset;
  const [background, thing] = partAttributes.map((part) => attributes[part]!.values) as [
    Uint16Array,
    Uint16Array,
  ];
  const folders = splitFolders(plan);
  const positions = new Uint32Array(labels.length);
  const used = new Map<number, number>();
  for (let i = 0; i < labels.length; i++) {
    const group = ((splits.values[i]! * 2 + labels[i]!) * 2 + background[i]!) * 2 + thing[i]!;
    positions[i] = used.get(group) ?? 0;
    used.set(group, positions[i]! + 1);
  }
  return (index) => {
    const group = groupFolder(labels[index]!, background[index]!, thing[index]!);
    const position = String(positions[index]).padStart(3, "0");
    return `${folders.get(rangeAt(plan.ranges, index).name)}/${group}/${position}`;
  };
}

/** Where each split lies, by name: the authors' folders say how strongly the shortcuts go with the class there. */
function splitFolders({ dataset, ranges }: WritePlan): Map<string, string> {
  const { labels, attributes, provenance } = dataset;
  const declared = ["bgCorrelation", "coObjCorrelation"].map((setting) => provenance.settings[setting]);
  return new Map(
    ranges.map(({ name, start, count }) => {
      const correlations = partAttributes.map((part, i) => {
        const setting = declared[i];
        if (typeof setting === "number") return name === "train" ? setting : 0.5;
        const { values } = attributes[part]!;
        let agreeing = 0;
        for (let at = start; at < start + count; at++) if (values[at] === labels[at]) agreeing++;
        return count === 0 ? 0.5 : Math.round((100 * agreeing) / count) / 100;
      }) as [number, number];
      return [name, `${baseFolder}/${correlationFolder(...correlations)}/${name}`];
    }),
  );
}

/** All eight, where the split has any image: the authors' code wants even those that stay empty. */
function makeFolders(root: string, plan: WritePlan): void {
  const folders = splitFolders(plan);
  for (const { name, count } of plan.ranges) {
    if (count === 0) continue;
    for (let group = 0; group < 8; group++) {
      const folder = groupFolder(group >> 2, (group >> 1) & 1, group & 1);
      mkdirSync(join(root, lookUp(folders, name), folder), { recursive: true });
    }
  }
}
