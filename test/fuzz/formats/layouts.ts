/** How other people's data lies on disk: lists, annotations and tables of well-known datasets, and IDX files. */

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { readPlainText } from "../../../src/disk/plain-file.ts";
import { readCeleba } from "../../../src/layouts/celeba/index.ts";
import { readClassAccuracy } from "../../../src/layouts/class-accuracy.ts";
import { readAnnotations } from "../../../src/layouts/coco/annotations.ts";
import { decodeSegmentation } from "../../../src/layouts/coco/masks.ts";
import { readSynsets } from "../../../src/layouts/imagenet-boxes/synsets.ts";
import { readVocXml } from "../../../src/layouts/imagenet-boxes/voc-xml.ts";
import { readCarClasses } from "../../../src/layouts/stanford-cars/annotations.ts";
import { chooseByLists } from "../../../src/sources/photo-lists.ts";
import { attributeText, partitionText } from "../../helpers/celeba.ts";
import { encodeMatFile } from "../../helpers/mat-file.ts";
import { type FuzzedFormat, type Mutator, mustHold } from "../fuzzed-format.ts";
import { gzipped, matElements } from "../mutators/binary.ts";
import { byteMutators, within } from "../mutators/bytes.ts";
import { jsonFile } from "../mutators/json.ts";
import { oddTable, oddXml } from "../mutators/odd-text.ts";
import { tableText, xmlFile } from "../mutators/text.ts";
import { jsonWords } from "../mutators/tokens.ts";
import { refereeReads } from "../others/referee.ts";
import { datasetContent, pixelText } from "./small-dataset.ts";

function oneFile(
  name: string,
  covers: string,
  file: string,
  content: string | Uint8Array,
  mutators: readonly Mutator[],
  read: (path: string) => Promise<unknown>,
  other?: { reads: (path: string) => Promise<unknown>; differs?: FuzzedFormat["differs"] },
): FuzzedFormat {
  return {
    name,
    covers: [covers],
    mutators,
    seed: async (folder) => {
      writeFileSync(join(folder, file), content);
      return file;
    },
    read: (folder) => read(join(folder, file)),
    ...(other && { other: (folder: string) => other.reads(join(folder, file)) }),
    ...(other?.differs && { differs: other.differs }),
  };
}

const coco = {
  info: {},
  images: [1, 2, 3].map((id) => ({
    id,
    file_name: `${id}.jpg`,
    height: 40,
    width: 50,
    coco_url: `http://x/train2017/${id}.jpg`,
  })),
  annotations: [1, 2, 3, 4].map((id) => ({
    id,
    image_id: 1 + (id % 3),
    category_id: 1 + (id % 2),
    bbox: [1, 2, 10, 12.5],
    area: 100,
    iscrowd: 0,
    segmentation: [[1, 2, 11, 2, 11, 14, 1, 14]],
  })),
  categories: [
    { id: 1, name: "cow", synonyms: ["cow"] },
    { id: 2, name: "stop_sign" },
  ],
};

const box = "<bndbox><xmin>1</xmin><ymin>2</ymin><xmax>10</xmax><ymax>12</ymax></bndbox>";
const voc = `<annotation>\n<folder>f</folder>\n<size><width>20</width><height>30</height><depth>3</depth></size>\n<object><name>n01440764</name><pose>x</pose>${box}</object>\n<object><name>cat</name>${box}</object>\n</annotation>\n`;

const cars = encodeMatFile({
  class_names: ["Audi TT RS Coupe 2012", "BMW M3 Coupe 2012", "Acura RL Sedan 2012"],
  annotations: [1, 2, 3].map((id) => ({
    relative_im_path: `car_ims/00${id}.jpg`,
    bbox_x1: 1,
    bbox_y1: 2,
    bbox_x2: 9,
    bbox_y2: 9,
    class: id,
    test: 0,
  })),
});

const idxImages = Buffer.concat([
  Buffer.from([0, 0, 8, 3, 0, 0, 0, 5, 0, 0, 0, 4, 0, 0, 0, 3]),
  Buffer.from(Array.from({ length: 60 }, (_, i) => i * 4)),
]);
const idxLabels = Buffer.from([0, 0, 8, 1, 0, 0, 0, 5, 1, 0, 2, 1, 0]);

function idx(
  name: string,
  ending: string,
  pack: (bytes: Buffer) => Buffer,
  mutators: readonly Mutator[],
): FuzzedFormat {
  const file = `train-images-idx3-ubyte${ending}`;
  return {
    name,
    covers: ["layout idx"],
    mutators,
    seed: async (folder) => {
      writeFileSync(join(folder, file), pack(idxImages));
      writeFileSync(join(folder, `train-labels-idx1-ubyte${ending}`), pack(idxLabels));
      return file;
    },
    read: (folder) => datasetContent(join(folder, file)),
    ...(ending === "" && {
      other: async (folder: string) => {
        const bytes = readFileSync(join(folder, file));
        const [count, height, width] = [bytes.readUInt32BE(4), bytes.readUInt32BE(8), bytes.readUInt32BE(12)];
        if (bytes.readUInt32BE(0) !== 0x803 || bytes.length !== 16 + count * height * width)
          throw new Error("another length");
        const images = Array.from({ length: count }, (_, i) => ({
          split: "train",
          label: String(idxLabels[8 + i]),
          attributes: {},
          pixels: pixelText({
            data: bytes.subarray(16 + i * height * width, 16 + (i + 1) * height * width),
            height,
            width,
            channels: 1,
          }),
        }));
        return { images, ignored: [] };
      },
    }),
  };
}

function celeba(name: string, changed: string): FuzzedFormat {
  return {
    name,
    covers: ["layout celeba"],
    mutators: [tableText(" "), oddTable(" ")],
    seed: async (folder) => {
      mkdirSync(join(folder, "img_align_celeba"));
      writeFileSync(join(folder, "img_align_celeba", "000001.jpg"), "");
      writeFileSync(join(folder, "list_attr_celeba.txt"), attributeText());
      writeFileSync(join(folder, "list_eval_partition.txt"), partitionText());
      return changed;
    },
    read: async (folder) => {
      const { images, names, values, splits } = await readCeleba(folder);
      mustHold(
        values.length === images.length * names.length,
        `${values.length} values of ${images.length} images`,
      );
      mustHold(splits.length === images.length, `${splits.length} splits of ${images.length} images`);
      mustHold(
        splits.every((split) => split <= 2),
        "a split that is none",
      );
      return { images, names, values, splits };
    },
  };
}

const headerBytes: Mutator = within(() => [[0, 16]]);

export const layoutFormats: readonly FuzzedFormat[] = [
  oneFile(
    "COCO JSON",
    "layout coco",
    "instances.json",
    JSON.stringify(coco),
    [jsonFile, jsonWords],
    async (path) => {
      const { annotations } = await readAnnotations(path);
      return annotations.map(({ id, category, height, width, files, segmentation }) => {
        mustHold(typeof category === "string", "a category that is no text");
        mustHold(
          files.length > 0 && files.every((file) => typeof file === "string" && file !== ""),
          "a photo without a name",
        );
        mustHold(Number.isInteger(height) && Number.isInteger(width), "a photo without a size");
        const mask = decodeSegmentation(segmentation, { height, width }, `${path}, annotation ${id}`);
        mustHold(mask.length === height * width, `${mask.length} pixels of a mask of ${height}×${width}`);
        return { id, category, height, width, file: files[0] };
      });
    },
    {
      reads: (path) => refereeReads("coco", path),
      differs: (ours, theirs) => {
        const plain = (list: unknown) =>
          JSON.stringify(
            (list as { file?: string }[]).map(({ file, ...one }) => ({ ...one, file: file || "" })),
          );
        const named = (ours as { file: string }[]).map((one, i) => {
          const known = (theirs as { file: string | null }[])[i]?.file;
          return { ...one, file: known ? one.file : "" };
        });
        return plain(named) === plain(theirs) ? undefined : `${plain(named)} ≠ ${plain(theirs)}`;
      },
    },
  ),
  oneFile(
    "VOC XML",
    "layout voc",
    "a.xml",
    voc,
    [xmlFile, oddXml],
    async (path) => {
      const read = readVocXml(path, await readPlainText(path), "pixels");
      for (const {
        name,
        box: { left, top, width, height },
      } of read.objects) {
        mustHold(typeof name === "string" && name !== "", "an object without a name");
        mustHold(left >= 0 && top >= 0 && width > 0 && height > 0, "a box that is none");
        mustHold(left + width <= read.width && top + height <= read.height, "a box beyond the image");
      }
      return {
        width: read.width,
        height: read.height,
        objects: read.objects.map(({ name, box: { left, top, width, height } }) => [
          name,
          left + 1,
          top + 1,
          left + width,
          top + height,
        ]),
      };
    },
    { reads: (path) => refereeReads("voc", path) },
  ),
  oneFile(
    "Stanford Cars' MAT",
    "layout stanford-cars",
    "cars_annos.mat",
    cars,
    [matElements],
    async (path) => (await readCarClasses(join(path, ".."))).map(({ file, carClass }) => [file, carClass]),
    { reads: (path) => refereeReads("mat", path), differs: carsDiffer },
  ),
  oneFile(
    "list of photos",
    "photo list",
    "keep.txt",
    "a/1.jpg\na/2.jpg\n# none\nb/3.jpg\n",
    [tableText("/"), oddTable("/")],
    async (path) => chooseByLists(["a/1.jpg", "a/2.jpg", "b/1.jpg", "b/3.jpg"], { keep: path }),
  ),
  celeba("CelebA, attributes", "list_attr_celeba.txt"),
  celeba("CelebA, partition", "list_eval_partition.txt"),
  oneFile(
    "accuracy by class, CSV",
    "layout class-accuracy",
    "a.csv",
    'class,accuracy\ncat,0.5\ndog,0.75\n"a, b",1\n',
    [tableText(","), oddTable(",")],
    accuracyByClass,
  ),
  oneFile(
    "accuracy by class, JSON",
    "layout class-accuracy",
    "a.json",
    JSON.stringify({
      groups: [
        { class: "a", values: {}, accuracy: 0.5 },
        { class: "b", values: {}, accuracy: 1 },
      ],
    }),
    [jsonFile, jsonWords],
    accuracyByClass,
  ),
  oneFile(
    "ImageNet's synsets",
    "layout synsets",
    "s.txt",
    "n01440764 tench, Tinca tinca\nn01443537 goldfish\n",
    [tableText(" "), oddTable(" ")],
    readSynsets,
  ),
  idx("IDX", "", (bytes) => bytes, [headerBytes]),
  idx("IDX, gzipped", ".gz", gzipSync, [gzipped(headerBytes), ...byteMutators.map(gzipped)]),
];

async function accuracyByClass(path: string): Promise<unknown> {
  const accuracies = await readClassAccuracy(path);
  for (const value of accuracies.values()) mustHold(value >= 0 && value <= 1, `an accuracy of ${value}`);
  return accuracies;
}

/** Spellings of a class differ between copies: letters and digits decide. Classes beyond ours are refused or left out. */
function carsDiffer(ours: unknown, theirs: unknown): string | undefined {
  const key = (list: unknown) =>
    (list as [string, string][]).map(
      ([file, name]) => `${file}: ${name.toLowerCase().replace(/[^a-z0-9]/g, "")}`,
    );
  const known = new Set(key(theirs));
  return key(ours).find((line) => !known.has(line));
}
