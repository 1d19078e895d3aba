/** How other people's data lies on disk: lists, annotations and tables of well-known datasets, and IDX files. */

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { readCeleba } from "../../../src/layouts/celeba/index.ts";
import { readClassAccuracy } from "../../../src/layouts/class-accuracy.ts";
import { readAnnotations } from "../../../src/layouts/coco/annotations.ts";
import { readSynsets } from "../../../src/layouts/imagenet-boxes/synsets.ts";
import { readVocXml } from "../../../src/layouts/imagenet-boxes/voc-xml.ts";
import { readCarClasses } from "../../../src/layouts/stanford-cars/annotations.ts";
import { attributeText, partitionText } from "../../helpers/celeba.ts";
import { encodeMatFile } from "../../helpers/mat-file.ts";
import { type FuzzedFormat, type Mutator, mustHold } from "../fuzzed-format.ts";
import { gzipped, matElements } from "../mutators/binary.ts";
import { byteMutators, within } from "../mutators/bytes.ts";
import { jsonFile } from "../mutators/json.ts";
import { tableText, xmlFile } from "../mutators/text.ts";
import { datasetContent, pixelText } from "./small-dataset.ts";

function oneFile(
  name: string,
  covers: string,
  file: string,
  content: string | Uint8Array,
  mutators: readonly Mutator[],
  read: (path: string) => Promise<unknown>,
  other?: (path: string) => unknown,
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
    ...(other && { other: async (folder: string) => other(join(folder, file)) }),
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

/** The whole file at once, by JavaScript's own parser; ours goes through it piece by piece. */
function cocoContent(path: string): unknown {
  const { images, annotations, categories } = JSON.parse(readFileSync(path, "utf8")) as typeof coco;
  const photos = new Map(images.map((photo) => [photo.id, photo]));
  const names = new Map(categories.map(({ id, name }) => [id, name]));
  return annotations.map(({ id, image_id, category_id, bbox }) => {
    const { height, width } = photos.get(image_id)!;
    return { id, category: names.get(category_id), height, width, bbox };
  });
}

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
        return Array.from({ length: count }, (_, i) => ({
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
      },
    }),
  };
}

function celeba(name: string, changed: string): FuzzedFormat {
  return {
    name,
    covers: ["layout celeba"],
    mutators: [tableText(" ")],
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
    [jsonFile],
    async (path) => {
      const { annotations } = await readAnnotations(path);
      return annotations.map(({ id, category, height, width, bbox, files }) => {
        mustHold(typeof category === "string", "a category that is no text");
        mustHold(
          files.length > 0 && files.every((file) => typeof file === "string" && file !== ""),
          "a photo without a name",
        );
        mustHold(Number.isInteger(height) && Number.isInteger(width), "a photo without a size");
        return { id, category, height, width, bbox };
      });
    },
    cocoContent,
  ),
  oneFile("VOC XML", "layout voc", "a.xml", voc, [xmlFile], async (path) => {
    const read = readVocXml(path, readFileSync(path, "utf8"), "pixels");
    for (const {
      name,
      box: { left, top, width, height },
    } of read.objects) {
      mustHold(typeof name === "string" && name !== "", "an object without a name");
      mustHold(left >= 0 && top >= 0 && width > 0 && height > 0, "a box that is none");
      mustHold(left + width <= read.width && top + height <= read.height, "a box beyond the image");
    }
    return read;
  }),
  oneFile("Stanford Cars' MAT", "layout stanford-cars", "cars_annos.mat", cars, [matElements], (path) =>
    readCarClasses(join(path, "..")),
  ),
  celeba("CelebA, attributes", "list_attr_celeba.txt"),
  celeba("CelebA, partition", "list_eval_partition.txt"),
  oneFile(
    "accuracy by class, CSV",
    "layout class-accuracy",
    "a.csv",
    'class,accuracy\ncat,0.5\ndog,0.75\n"a, b",1\n',
    [tableText(",")],
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
    [jsonFile],
    accuracyByClass,
  ),
  oneFile(
    "ImageNet's synsets",
    "layout synsets",
    "s.txt",
    "n01440764 tench, Tinca tinca\nn01443537 goldfish\n",
    [tableText(" ")],
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
